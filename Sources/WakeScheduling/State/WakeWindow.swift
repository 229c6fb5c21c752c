/// The times of an app's latest wakes that count against a limit within a sliding window: wakes charged to the
/// budget, or wakes with a push (rule 6.1).
struct WakeWindow {
  /// A ring of the latest times; `oldest` is the place of the first.
  private var times: [Int64] = []
  private var oldest = 0

  /// Adds a wake at `time`, which is no earlier than those before. So many are kept as the highest limit, always the same
  /// `capacity`.
  @inline(__always)
  mutating func append(_ time: Int64, capacity: Int) {
    if times.count < capacity {
      times.append(time)
    } else if capacity > 0 {
      times[oldest] = time
      oldest = oldest + 1 == capacity ? 0 : oldest + 1
    }
  }

  /// The earliest time t at which fewer than `limit` wakes lie in (t − `window`, t], if no further wake comes:
  /// `Int64.min` if always, `Int64.max` if never.
  ///
  /// - Complexity: O(1).
  @inline(__always)
  func opens(limit: Int, window: Int64) -> Int64 {
    if limit == 0 { return .max }
    if times.count < limit { return .min }
    // The window is half-open, so a wake has left it when it is `window` old.
    var place = oldest + times.count - limit
    if place >= times.count { place -= times.count }
    return times[place] + window
  }
}
