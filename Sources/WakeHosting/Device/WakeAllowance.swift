/// How many wakes a scheduler may still begin before it is given the next inputs. Wakes without end are found by their
/// number.
struct WakeAllowance {
  private var left = 0
  /// ``left`` has the wakes for the time until then.
  private var granted = Int64.min

  /// Grants wakes for so many rows, which are given at the present: one an app and input is usual.
  mutating func grant(forRows rows: Int, apps: Int, at present: Int64) {
    left = (rows + 4) * (apps + 1) * 2 + 1_000
    granted = present
  }

  /// Takes wakes that begin at a time off those left; false if there are too many.
  @inline(__always)
  mutating func take(_ count: Int, apps: Int, at time: Int64) -> Bool {
    left -= count
    return left >= 0 || lasts(until: time, apps: apps)
  }

  /// Whether wakes are left with those for the time that has passed. Refreshes and wakes without an answer come again and
  /// again before the next input, but no sooner than after a second, the least `minimumRefreshInterval` and
  /// `completionTimeout`.
  @inline(never)
  private mutating func lasts(until time: Int64, apps: Int) -> Bool {
    if granted == .min { granted = time }
    let seconds = (time - granted) / 1_000_000_000
    left += Int(seconds) * apps * 2
    granted += seconds * 1_000_000_000
    return left >= 0
  }
}
