/// Chooses which values of a count are written, so that a counter track has far fewer values than a day has saves.
///
/// Written are: each value up to 16; above that, each value that exceeds the last written one by an eighth; and when the
/// count falls, the values before and after. Of several values at one instant, only the last is written. Written values
/// are exact.
struct PendingValues {
  private var written = 0
  /// The last value and since when; it may not be written yet.
  private var latest: (value: Int, time: Int64)?

  /// Takes the next value.
  mutating func set(_ value: Int, at time: Int64, _ write: (_ value: Int, _ time: Int64) -> Void) {
    if let latest, latest.time < time { settle(latest, fallsTo: value, write) }
    latest = (value, time)
  }

  /// Writes what is left, after the last value.
  mutating func end(_ write: (_ value: Int, _ time: Int64) -> Void) {
    if let latest { settle(latest, fallsTo: -1, write) }
  }

  private mutating func settle(
    _ latest: (value: Int, time: Int64), fallsTo next: Int,
    _ write: (_ value: Int, _ time: Int64) -> Void
  ) {
    let step = max(1, written / 8)
    let isDue = latest.value - written >= step || latest.value < written
    guard latest.value != written, isDue || next < latest.value else { return }
    written = latest.value
    write(latest.value, latest.time)
  }
}
