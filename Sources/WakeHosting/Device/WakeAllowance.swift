/// How many wakes a scheduler may still begin before it is given the next inputs. Wakes without end are found by their
/// number.
///
/// Under the rules each wake takes something pending of an app, which inputs have left or time brings again. An input
/// leaves one type an app, and all types together may come due before the next one. Refreshes and wakes without an answer
/// come again, but no sooner than after a second, the least `minimumRefreshInterval` and `completionTimeout`.
struct WakeAllowance {
  private var left = 0
  /// The most that are left at a time: otherwise a long time would allow wakes without end at its end.
  private var most = 0
  private var hasTypes = false
  /// ``left`` has the wakes for the time until then.
  private var granted = Int64.min

  /// Grants wakes for so many rows, which are given at the present.
  mutating func grant(forRows rows: Int, apps: Int, at present: Int64) {
    left = (rows + 4) * (apps + 1) * 2 + 1_000
    most = left
    hasTypes = false
    granted = present
  }

  /// Takes wakes that begin at a time off those left; false if there are too many.
  ///
  /// - Parameter types: The number of types, asked for where many wakes begin.
  @inline(__always)
  mutating func take(
    _ count: Int, apps: Int, at time: Int64, types: @autoclosure () -> Int
  ) -> Bool {
    left -= count
    return left >= 0 || lasts(until: time, apps: apps, types: types())
  }

  /// Whether wakes are left with those for all types and for the time that has passed.
  @inline(never)
  private mutating func lasts(until time: Int64, apps: Int, types: Int) -> Bool {
    if !hasTypes {
      hasTypes = true
      left += types * (apps + 1) * 2
      most += types * (apps + 1) * 2
    }
    if granted == .min { granted = time }
    let seconds = (time - granted) / 1_000_000_000
    left = min(most, left + Int(seconds) * apps * 2)
    granted += seconds * 1_000_000_000
    return left >= 0
  }
}
