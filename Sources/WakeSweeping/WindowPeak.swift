/// How many times lie in a sliding window at the most (rule 6.1: a window is half-open).
struct WindowPeak {
  /// Greater than every limit of a policy; more are not told apart.
  static let most = 1_001

  /// The latest times, a ring of which `count` places from `first` on are used.
  private var times: [Int64] = []
  private var first = 0
  private var count = 0
  private(set) var peak = 0

  /// Adds a time, which is no earlier than those before.
  mutating func add(_ time: Int64, window: Int64) {
    while count > 0, time - times[first] >= window { removeFirst() }
    if count == Self.most { removeFirst() }
    if count == times.count { grow() }
    times[(first + count) % times.count] = time
    count += 1
    peak = max(peak, count)
  }

  private mutating func removeFirst() {
    first = (first + 1) % times.count
    count -= 1
  }

  private mutating func grow() {
    times = Array(times[first...] + times[..<first])
    first = 0
    times += Array(repeating: 0, count: max(4, times.count))
  }
}
