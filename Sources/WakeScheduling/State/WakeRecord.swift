import WakeEvents

/// An app's wake in flight, or its last one: the fields of its hash in their order (rules, 7).
struct WakeRecord {
  /// Its place among the device's wakes, from 1.
  var number = 0
  /// When it began.
  var time: Int64 = 0
  /// The hash of the app's name.
  var app: UInt64
  /// The sum of the hashes of the names of its types.
  var types: UInt64 = 0
  /// Pending saves and deletes carried; each type carried has at least one.
  var saves = 0
  /// The time of the first of them; 0 if there are none.
  var oldest: Int64 = 0
  /// The hash of the id of the push carried; 0 if there is none.
  var push: UInt64 = 0
  /// 1 if it carries a refresh.
  var refresh: UInt64 = 0
  /// ``WakeOutcome``; `open` while it is in flight.
  private(set) var outcome = UInt64(WakeOutcome.open.rawValue)
  /// When it ended; 0 if it has not.
  private(set) var end: Int64 = 0

  /// Notes how and when it ended; nil if it stays open.
  @inline(__always)
  mutating func end(_ outcome: WakeOutcome, at time: Int64?) {
    self.outcome = UInt64(outcome.rawValue)
    end = time ?? 0
  }

  /// The hash of the wake of a device whose hash is `start` (``WakeHasher/start(device:)``), field by field.
  func hash(start: UInt64) -> UInt64 {
    var hash = WakeHash(value: start)
    hash.combine(UInt64(truncatingIfNeeded: number))
    hash.combine(time)
    hash.combine(app)
    hash.combine(types)
    hash.combine(UInt64(truncatingIfNeeded: saves))
    hash.combine(oldest)
    hash.combine(push)
    hash.combine(refresh)
    hash.combine(outcome)
    hash.combine(end)
    return hash.value
  }
}

// In an extension, so that there is also an initializer with all fields.
extension WakeRecord {
  /// Makes the record of a wake that begins, but for the push that it carries.
  ///
  /// - Parameter app: The hash of the app's name.
  @inline(__always)
  init(number: Int, at time: Int64, of app: UInt64, _ contents: WakeContents) {
    self.init(
      number: number, time: time, app: app, types: contents.typesHash, saves: contents.saves,
      oldest: contents.types == 0 ? 0 : contents.oldest, refresh: contents.hasRefresh ? 1 : 0)
  }
}
