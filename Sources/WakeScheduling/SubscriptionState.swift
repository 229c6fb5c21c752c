import WakeEvents

/// A subscription of an app on a sample type: its period and what is pending on it.
struct SubscriptionState {
  /// How the saves of its type reach it.
  enum Mode {
    /// Nothing is pending; the next save counts, is its oldest, and may wake the app.
    case idle
    /// Saves are pending; each further one adds one and changes nothing else.
    case counting
    /// The app is in the foreground; each save is a live delivery.
    case live
    /// Each save must be held against the app's predicates.
    case filtered

    /// Whether a save is more than a count.
    var isAttentive: Bool { self == .idle || self == .filtered }
  }

  private var appNumber: UInt32
  let type: SampleType
  private var rankNumber: UInt32 = 0
  var mode = Mode.live
  /// The hash of the type's name.
  let typeHash: UInt64
  /// The least nanoseconds between two wakes that it starts.
  var period: Int64 { didSet { setPendingFrom() } }
  /// Pending saves that are counted here; in `counting` there are those since `base` besides.
  var counted = 0
  /// The tally of the type up to which everything is accounted for.
  var base = 0
  /// The time of the first pending save, where something is pending.
  var oldest = Int64.max { didSet { setPendingFrom() } }
  /// The time of the last wake that carried the type.
  var lastWake = Int64.min
  /// When what is pending may start a wake at the earliest; `Int64.max` if nothing is.
  private(set) var pendingFrom = Int64.max

  /// The app's number of the wake in flight that carries the type unanswered; 0 if there is none.
  var carriedIn = 0
  /// The saves that it carries.
  var carriedSaves = 0
  /// The time of the first of them.
  var carriedOldest = Int64.max

  /// Makes a subscription on which nothing is pending.
  init(app: Int, type: SampleType, typeHash: UInt64, period: Int64) {
    appNumber = UInt32(app)
    self.type = type
    self.typeHash = typeHash
    self.period = period
  }

  /// The number of its app.
  @inline(__always)
  var app: Int {
    get { Int(appNumber) }
    set { appNumber = UInt32(newValue) }
  }

  /// Its place among the subscriptions on its type, by app number.
  @inline(__always)
  var rank: Int {
    get { Int(rankNumber) }
    set { rankNumber = UInt32(newValue) }
  }

  /// ``type`` as a place in tables.
  @inline(__always)
  var typeIndex: Int { Int(type.index) }

  @inline(__always)
  private mutating func setPendingFrom() {
    // SPEC 6.1.
    pendingFrom = oldest == .max ? .max : lastWake + period
  }

  /// The pending saves, when the type's tally is `tally`.
  @inline(__always)
  func pending(tally: Int) -> Int {
    // No branch: which subscriptions count is hard to predict.
    counted &+ (mode == .counting ? tally &- base : 0)
  }
}
