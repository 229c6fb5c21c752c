import WakeEvents

/// An app's subscription on a sample type: 64 bytes, one cache line.
struct SubscriptionState {
  /// How saves of its type reach a subscription. Only `observed` exists without the acceleration
  /// ``Accelerations/saveCounting``.
  enum Mode: UInt8 {
    /// The rules take each save.
    case observed
    /// Saves are pending, and each further one adds one.
    case counted
    /// The app is in the foreground, and each save is a live delivery.
    case live
    /// No save reaches it: between two other modes.
    case detached

    /// Whether the type's count stands for saves of the subscription.
    var isCounted: Bool { self == .counted || self == .live }
  }

  /// The number of its app.
  @Narrow var app: Int
  let type: SampleType
  /// Its place among the app's subscriptions.
  @Narrow var place = 0
  /// Its place among the subscriptions on its type, by app number.
  @Narrow var rank = 0
  var mode = Mode.detached
  /// Whether a save must match one of the app's predicates (rule 5.1).
  var isFiltered = false
  /// How often its type may start a wake.
  private(set) var frequency: Frequency
  /// The last wake that carried the type plus the period (rule 6.1); `Int64.min` before the first.
  private(set) var periodEnd = Int64.min
  /// Pending saves in `observed`; in the counted modes pending saves or live deliveries less the type's count.
  var counted = 0
  /// The time of the first pending save, or `Int64.max`.
  var oldest = Int64.max

  /// The saves that the last wake with the type carried.
  var carriedSaves = 0
  /// The time of the first of them.
  var carriedOldest = Int64.max

  /// Makes a subscription without pending saves.
  init(app: Int, type: SampleType, frequency: Frequency) {
    self.app = app
    self.type = type
    self.frequency = frequency
  }

  /// ``type`` as an index.
  @inline(__always)
  var typeIndex: Int { Int(type.index) }

  /// Sets how often its type may start a wake.
  mutating func setFrequency(_ frequency: Frequency) {
    if periodEnd != .min { periodEnd += frequency.period - self.frequency.period }
    self.frequency = frequency
  }

  /// When pending saves are past the period; `Int64.max` if nothing is pending.
  @inline(__always)
  var pendingDue: Int64 { oldest == .max ? .max : periodEnd }

  /// Adds a save at the present to an observed subscription on which nothing is pending.
  @inline(__always)
  mutating func addFirst(at present: Int64) {
    counted &+= 1
    oldest = present
  }

  /// Notes that a wake, which begins at `time`, carries the type.
  @inline(__always)
  mutating func carry(_ saves: Int, oldest: Int64, at time: Int64) {
    periodEnd = time &+ frequency.period
    carriedSaves = saves
    carriedOldest = oldest
  }
}
