/// How many wakes a scheduler may still begin before it is given the next inputs. Wakes without end are found by their
/// number.
///
/// Under the rules an app is woken for one of three causes: an input; a type of which saves are pending, which all types
/// may be before the next input; or the time that passes, as refreshes and wakes without an answer come again, but no
/// sooner than after a second, the least `minimumRefreshInterval` and `completionTimeout`.
struct WakeAllowance {
  private var left = 0
  /// The most that are left at a time: otherwise a long time would allow wakes without end at its end.
  private var most = 0
  /// Whether the wakes for all types are among those granted.
  private var hasTypes = false
  /// Until when the wakes for the time that passes are granted.
  private var grantedUntil = Int64.min

  /// Grants wakes for so many rows, which are given at the present.
  mutating func grant(forRows rows: Int, apps: Int, at present: Int64) {
    left = (rows + 4) * (apps + 1) * 2 + 1_000
    most = left
    hasTypes = false
    grantedUntil = present
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

  /// Grants the wakes for all types, once, and for the time that has passed; false if none are left even so.
  @inline(never)
  private mutating func lasts(until time: Int64, apps: Int, types: Int) -> Bool {
    if !hasTypes {
      hasTypes = true
      let more = types * (apps + 1) * 2
      left += more
      most += more
    }
    if grantedUntil == .min { grantedUntil = time }
    let seconds = (time - grantedUntil) / 1_000_000_000
    left = min(most, left + Int(seconds) * apps * 2)
    grantedUntil += seconds * 1_000_000_000
    return left >= 0
  }
}
