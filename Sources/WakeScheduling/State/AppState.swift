import WakeEvents

/// The state of one app on a device. What every wake touches comes first.
struct AppState {
  /// What an app is doing (rules, 1); *force-quit* is a flag beside it.
  enum Activity {
    /// Not running.
    case terminated
    /// In memory, without time to run.
    case suspended
    /// Running in the background, with a wake in flight.
    case awake
    /// On the screen.
    case foreground
  }

  var activity = Activity.terminated
  var isForceQuit = false
  var hasComplication = false
  var isPushOutstanding = false
  var isRefreshOutstanding = false
  var hasEntitlement = true
  private(set) var symbol: App
  /// The number of apps for which this state stands: 1 without the acceleration ``Accelerations/cohorts``; 0 if the
  /// state of an app before it stands for this one.
  @Narrow var cohort = 1
  /// The earliest ``SubscriptionState/pendingDue`` of its subscriptions.
  var pendingDue = Int64.max
  /// The places of its subscriptions with pending saves that were past their period when last looked at.
  var ripe = PlaceSet()
  /// Those of the others with pending saves.
  var unripe = PlaceSet()
  /// The earliest ``SubscriptionState/pendingDue`` of the unripe.
  var unripeDue = Int64.max
  /// The items of the wake in flight without an answer: types, push and refresh. Meaningless after the wake.
  @Narrow var outstanding = 0
  /// The places of its subscriptions that the wake in flight carries without an answer. Meaningless after the wake.
  var carried = PlaceSet()
  /// How many of ``carriedTypes`` belong to the wake that begins.
  @Narrow var reportedTypes = 0
  /// When the answer to the last wake comes, if it is counted ahead (``Accelerations/answersAhead``): until then the
  /// app is awake, though ``activity`` says suspended. Else a time in the past.
  var answeredAt = Int64.min
  /// Wakes so far.
  var wakeCount = 0
  /// Wakes that ended so, and the saves that they carried.
  var completed = 0
  var expired = 0
  var aborted = 0
  var savesCarried = 0
  var backoff = BackoffTracker()
  /// The wake in flight, or the last one. The saves that it carries are also in its subscriptions.
  var wake: WakeRecord

  /// Slots of its subscriptions, by the UTF-8 bytes of the names of their types; each is at its
  /// ``SubscriptionState/place``.
  var subscriptions: [Int] = []
  var refresh = RefreshSchedule()
  /// The id of the push that waits for a wake (rule 5.8).
  var heldPush: String?
  /// The id of the push that ``wake`` carries.
  var carriedPush: String?
  /// The types that ``wake`` carries, if wakes are reported; those behind ``reportedTypes`` are left from the wake
  /// before.
  var carriedTypes: [SampleType] = []
  /// The latest wakes with a push.
  var pushWakes: WakeWindow
  /// The latest wakes charged to the budget.
  var chargedWakes: WakeWindow
  var queries = ObserverQueries()

  init(symbol: App, nameHash: UInt64, policy: Policy) {
    self.symbol = symbol
    wake = WakeRecord(app: nameHash)
    let limit = policy.budget.map { max($0.limit, $0.limitWithoutComplication) } ?? 0
    chargedWakes = WakeWindow(capacity: limit)
    pushWakes = WakeWindow(capacity: policy.pushLimit)
  }

  /// Notes that there are pending saves on a subscription which had none; they may start a wake from a time on.
  @inline(__always)
  mutating func addPending(_ place: Int, due: Int64, at present: Int64) {
    pendingDue = min(pendingDue, due)
    if due <= present {
      ripe.insert(place)
    } else {
      unripe.insert(place)
      unripeDue = min(unripeDue, due)
    }
  }

  /// Notes that nothing is pending.
  mutating func clearPending() {
    ripe.removeAll()
    unripe.removeAll()
    unripeDue = .max
    pendingDue = .max
  }

  /// Whether this state stands for its app.
  var leads: Bool { cohort > 0 }

  /// Takes over the state of another app, whose wake began `wakesLater` wakes before its own.
  mutating func copyState(of other: AppState, wakesLater: Int) {
    let (symbol, nameHash) = (symbol, wake.app)
    self = other
    self.symbol = symbol
    wake.app = nameHash
    wake.number += wakesLater
  }
}
