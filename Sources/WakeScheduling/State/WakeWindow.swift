/// The latest wakes of an app that count against a limit within a sliding window: wakes charged to the budget, or wakes with
/// a push (rule 6.1). Their times are in ``WakeWindows``.
struct WakeWindow {
  /// The place of its times, a ring, and how many have room there.
  @Narrow fileprivate(set) var first = 0
  @Narrow fileprivate(set) var room = 0
  @Narrow fileprivate(set) var count = 0
  /// Where in the ring the oldest is.
  @Narrow fileprivate(set) var oldest = 0
}

/// The times of the wakes in the windows of all apps of a device, side by side, as an array of its own for each window would
/// be checked for uniqueness at every wake.
struct WakeWindows: ~Copyable {
  private(set) var times = UncheckedArray<Int64>()

  /// Adds a wake at `time`, which is no earlier than those before. So many are kept as the highest limit, always the same
  /// `capacity`.
  @inline(__always)
  mutating func append(_ time: Int64, to window: inout WakeWindow, capacity: Int) {
    guard window.count == capacity else { return extend(&window, by: time, capacity: capacity) }
    guard capacity > 0 else { return }
    let oldest = window.oldest
    times[window.first &+ oldest] = time
    window.oldest = oldest &+ 1 == capacity ? 0 : oldest &+ 1
  }

  /// Adds a wake to a window that is not full, whose oldest is first in its ring.
  @inline(never)
  private mutating func extend(_ window: inout WakeWindow, by time: Int64, capacity: Int) {
    if window.count == window.room {
      // The old places stay unused: in all fewer than twice those in use.
      move(&window, room: min(capacity, max(4, 2 * window.room)))
    }
    times[window.first + window.count] = time
    window.count += 1
  }

  /// Gives a window places of its own, as after a copy of it.
  mutating func separate(_ window: inout WakeWindow) {
    if window.room > 0 { move(&window, room: window.room) }
  }

  private mutating func move(_ window: inout WakeWindow, room: Int) {
    let first = times.count
    times.fill(to: first + room, with: 0)
    for place in 0..<window.count { times[first + place] = times[window.first + place] }
    (window.first, window.room) = (first, room)
  }

  /// The earliest time t at which fewer than `limit` wakes lie in (t − `length`, t], if no further wake comes:
  /// `Int64.min` if always, `Int64.max` if never.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  func opens(_ window: WakeWindow, limit: Int, length: Int64) -> Int64 {
    if limit == 0 { return .max }
    let count = window.count
    if count < limit { return .min }
    // The window is half-open, so a wake has left it when it is `length` old.
    var place = window.oldest &+ count &- limit
    if place >= count { place &-= count }
    return times[window.first &+ place] + length
  }

  /// Forgets all windows and keeps the memory.
  mutating func removeAll() { times.removeAll() }
}
