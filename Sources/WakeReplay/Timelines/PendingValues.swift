/// Chooses which values of a count are written, so that a day of saves does not become as many values.
///
/// Up to 16 each is; above, one that is an eighth more than the last one written; and the last one before each fall, and
/// each after it. Values at one instant are one, the last. What is written is exact.
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
