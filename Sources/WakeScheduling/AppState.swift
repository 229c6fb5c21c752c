import WakeEvents

/// All that a device knows of one app.
struct AppState {
  /// What an app is doing (SPEC 1); *force-quit* stands beside it.
  enum Activity {
    /// Not running.
    case terminated
    /// In memory, without time to run.
    case suspended
    /// Running in the background, with a wake in flight.
    case awake
    /// The user sees it.
    case foreground

    /// Whether §6 may wake it at all.
    var mayBeWoken: Bool { self == .terminated || self == .suspended }
  }

  // What every wake touches comes first, and what fills its words.

  var activity = Activity.terminated
  var isForceQuit = false { didSet { setIsPlain() } }
  var hasComplication = false
  var isPushOutstanding = false
  var isRefreshOutstanding = false
  var hasEntitlement = true
  /// Whether nothing but pending saves may wake it, and no budget holds that back.
  private(set) var isPlain: Bool
  private let hasBudget: Bool
  private(set) var symbol: App
  private var cohortCount: Int32 = 1
  private(set) var nameHash: UInt64
  /// The earliest time at which a subscription with pending saves is past its period.
  var earliestPending = Int64.max
  private var outstandingCount: Int32 = 0
  private var typesToldCount: Int32 = 0
  /// When the answer to the last wake comes, if that is counted ahead (``Scheduler/countAhead(_:answeredAt:)``):
  /// by the other fields the app is suspended, but it is awake until then. Else a time in the past.
  var awakeUntil = Int64.min
  /// Wakes so far.
  var wakeCount = 0
  /// How its wakes ended, but the one in flight, and the saves that they carried; an answer that is counted ahead is
  /// among them.
  var completed = 0
  var expired = 0
  var aborted = 0
  var savesCarried = 0
  var backoff = BackoffTracker()
  /// The wake in flight, or the last one, as it is told: to make it of its parts for that costs more. The saves
  /// that it carries stand in its subscriptions (``SubscriptionState/carriedIn``).
  var wake: Wake
  /// The sum of the hashes of its types' names.
  var typesHash: UInt64 = 0

  /// Slots of its subscriptions, by the UTF-8 bytes of their types' names.
  var subscriptions: [Int] = []
  var refresh = RefreshSchedule() { didSet { setIsPlain() } }
  /// The push that waits for a wake, at most one (SPEC 5.8).
  var heldPush: String? { didSet { setIsPlain() } }
  /// The latest wakes with a push.
  var pushWakes: WakeWindow
  /// The latest wakes charged to the budget.
  var chargedWakes: WakeWindow
  var queries = ObserverQueries()

  init(symbol: App, nameHash: UInt64, policy: Policy) {
    self.symbol = symbol
    self.nameHash = nameHash
    hasBudget = policy.budget != nil
    isPlain = !hasBudget
    let limit = policy.budget.map { max($0.limit, $0.limitWithoutComplication) } ?? 0
    chargedWakes = WakeWindow(capacity: limit)
    pushWakes = WakeWindow(capacity: policy.pushLimit)
    wake = Wake(
      number: 0, time: Timestamp(nanoseconds: 0), app: symbol, types: [], saves: 0, oldest: nil,
      push: nil, refresh: false, outcome: .open, end: nil)
  }

  /// How many apps there are in the cohort that it leads, itself included; 0 if it follows another one.
  @inline(__always)
  var cohort: Int {
    get { Int(cohortCount) }
    set { cohortCount = Int32(newValue) }
  }

  /// The items of the wake in flight that are not yet answered: types, push and refresh. Of no account after it.
  @inline(__always)
  var outstanding: Int {
    get { Int(outstandingCount) }
    set { outstandingCount = Int32(newValue) }
  }

  /// How many of ``Wake/types`` are its own so far; the others are of the wake before.
  @inline(__always)
  var typesTold: Int {
    get { Int(typesToldCount) }
    set { typesToldCount = Int32(newValue) }
  }

  private mutating func setIsPlain() {
    isPlain = !hasBudget && !isForceQuit && heldPush == nil && refresh.dueFrom == .max
  }

  /// Whether the state is its own, and not that of the app that leads its cohort.
  var leads: Bool { cohort > 0 }

  /// Takes the state of another app, with a wake that began so many wakes after that one's.
  mutating func become(like other: AppState, wakesLater: Int) {
    let (symbol, nameHash) = (symbol, nameHash)
    self = other
    self.symbol = symbol
    self.nameHash = nameHash
    wake.app = symbol
    wake.number += wakesLater
  }
}

/// When an app is due a background refresh (SPEC 5.9, 6.1).
struct RefreshSchedule {
  /// The least nanoseconds between two refreshes; nil is never.
  private(set) var interval: Int64?
  var status = RefreshStatus.available
  private var last = Int64.min

  /// Sets the interval at `time`.
  mutating func set(_ setting: RefreshInterval, at time: Int64, minimum: Int64) {
    guard setting != .never else {
      interval = nil
      return
    }
    if interval == nil { last = time }
    switch setting {
    case .never: break
    case .minimum: interval = minimum
    case .seconds(let seconds): interval = max(minimum, Seconds.nanoseconds(seconds))
    }
  }

  /// Notes that a wake carried a refresh.
  mutating func refreshed(at time: Int64) {
    last = time
  }

  /// When the next refresh is due as far as the app and its interval go.
  var dueFrom: Int64 {
    guard status == .available, let interval else { return .max }
    return last + interval
  }
}
