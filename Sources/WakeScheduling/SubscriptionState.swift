import WakeEvents

/// A subscription of an app on a sample type: its period and what is pending on it: as long as a line of cache.
struct SubscriptionState {
  /// How the saves of its type reach it.
  enum Mode: UInt8 {
    /// Nothing is pending; the next save counts, is its oldest, and may wake the app.
    case idle
    /// Saves are pending; each further one adds one and changes nothing else.
    case counting
    /// The app is in the foreground; each save is a live delivery.
    case live
    /// Each save must be held against the app's predicates.
    case filtered
    /// No save reaches it until another mode begins: between two of the others.
    case settled

    /// Whether a save is more than a count.
    var isAttentive: Bool { self == .idle || self == .filtered }
  }

  private var appNumber: UInt32
  let type: SampleType
  private var rankNumber: UInt32 = 0
  var mode = Mode.settled
  /// How often its type may start a wake.
  private(set) var frequency: Frequency
  /// When the type may start its next wake (SPEC 6.1): always, where no wake has carried it.
  private(set) var opens = Int64.min
  /// In `counting` the pending saves less the type's tally, in `live` the live deliveries that are not accounted
  /// for less that; else the pending saves. So what adds to the tally adds to these.
  var counted = 0
  /// The time of the first pending save; `Int64.max` where nothing is pending.
  var oldest = Int64.max

  /// The app's number of the wake in flight that carries the type unanswered; 0 if there is none.
  var carriedIn = 0
  /// The saves that it carries.
  var carriedSaves = 0
  /// The time of the first of them.
  var carriedOldest = Int64.max

  /// Makes a subscription on which nothing is pending.
  init(app: Int, type: SampleType, frequency: Frequency) {
    appNumber = UInt32(app)
    self.type = type
    self.frequency = frequency
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

  /// Sets how often its type may start a wake.
  mutating func set(_ frequency: Frequency) {
    if opens != .min { opens += frequency.period - self.frequency.period }
    self.frequency = frequency
  }

  /// When what is pending may start a wake at the earliest; `Int64.max` if nothing is.
  @inline(__always)
  var pendingFrom: Int64 { oldest == .max ? .max : opens }

  /// Whether the type's tally counts for it.
  @inline(__always)
  var isTallied: Bool { mode == .counting || mode == .live }

  /// The pending saves, when the type's tally is `tally`.
  @inline(__always)
  func pending(tally: Int) -> Int {
    // No branch: which subscriptions count is hard to predict.
    counted &+ (mode == .counting ? tally : 0)
  }

  /// Notes that its app's wake of that number, which begins at `time`, carries the type.
  @inline(__always)
  mutating func carry(_ saves: Int, oldest: Int64, in wake: Int, at time: Int64) {
    opens = time + frequency.period
    carriedIn = wake
    carriedSaves = saves
    carriedOldest = oldest
  }
}
