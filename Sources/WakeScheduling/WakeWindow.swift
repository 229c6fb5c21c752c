/// The latest wakes of an app that count against a limit within a sliding window: those charged to
/// the budget, or those with a push (SPEC 6.1).
struct WakeWindow {
  /// Times of the latest wakes, at most `capacity`, as a ring.
  private var times: [Int64] = []
  private var oldest = 0
  private let capacity: Int

  /// Makes a window that can answer for limits up to `capacity`.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Notes a wake at `time`, not before any noted earlier.
  mutating func append(_ time: Int64) {
    if times.count < capacity {
      times.append(time)
    } else if capacity > 0 {
      times[oldest] = time
      oldest = oldest + 1 == capacity ? 0 : oldest + 1
    }
  }

  /// The earliest time t at which fewer than `limit` wakes lie in (t − `window`, t], if no further
  /// wake comes: `Int64.min` if always, `Int64.max` if never.
  ///
  /// - Complexity: O(1).
  func opens(limit: Int, window: Int64) -> Int64 {
    if limit == 0 { return .max }
    if times.count < limit { return .min }
    // The window is half-open: the wake that must leave it has left when it is `window` old.
    var place = oldest + times.count - limit
    if place >= times.count { place -= times.count }
    return times[place] + window
  }
}
