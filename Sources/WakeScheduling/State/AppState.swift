import WakeEvents

/// The state of one app on a device. What every wake touches comes first, up to ``chargedWakes``, so that a wake loads few
/// cache lines.
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
  /// Whether a push waits for a wake, and whether ``wake`` carries one.
  private(set) var holdsPush = false
  private(set) var carriesPush = false
  /// Whether the names of its subscriptions' types ascend with their places.
  var arePlacesSorted = true
  var hasEntitlement = true
  /// Whether only pending saves can wake it, and it is not stopped (``Accelerations/directWakes``). Looked at anew where that
  /// may change: when an input evaluates the app, an enable ends its stop, a wake carries a push, or a strike stops it. It may
  /// be false though that is so.
  var isWokenBySavesOnly = false
  /// Whether it took a save in the foreground since it came there: a second one is likely to be followed by others
  /// (``Accelerations/sparseRows``).
  var hasLiveDeliveries = false
  /// Whether a scan for one of its subscriptions (``Accelerations/predicateScan``) may have started since it last came to the
  /// foreground or left it.
  var mayHaveScans = false
  /// Whether the answer at ``answeredAt`` clears strikes, which ``unansweredBackoff`` has.
  var keepsBackoff = false
  /// What ends the wake without an answer, while such an end is reported.
  var cutShort: Wait.Ending?
  private(set) var symbol: App
  /// The number of apps for which this state stands: 1 without the acceleration ``Accelerations/cohorts``; 0 if the
  /// state of an app before it stands for this one.
  @Narrow var cohort = 1
  /// The index of its cohort's first app in ``SchedulerCore/leaders``. Meaningless without cohorts.
  @Narrow var group = 0
  /// The earliest ``SubscriptionState/pendingDue`` of its subscriptions; some time that is not after the present, if one
  /// of them is ripe.
  var pendingDue = Int64.max
  /// Its subscriptions with pending saves, and those that the wake in flight carries, or in the foreground those that are
  /// live.
  var places = PlaceSets()
  /// The earliest ``SubscriptionState/pendingDue`` of the unripe.
  var unripeDue = Int64.max
  /// When the answer to the last wake comes, if it is counted when the wake begins (``Accelerations/answersAhead``):
  /// before that time the app is awake, though ``activity`` says suspended. Else a time in the past.
  var answeredAt = Int64.min
  /// Wakes until the next one that it leaves unanswered, counting that one (rule 6.4); 0 or less if it answers all.
  var wakesUntilIgnored = 0
  /// Wakes that ended so, and the saves that they carried.
  var completed = 0
  var expired = 0
  var aborted = 0
  var savesCarried = 0
  var backoff = BackoffTracker()
  /// From when the budget is open, if no further wake comes (rule 6.1).
  var budgetOpens = Int64.min
  /// From when a wake may carry a push, if no further wake comes (rule 6.1).
  var pushOpens = Int64.min
  /// The wake in flight, or the last one. The saves that it carries are also in its subscriptions.
  var wake: WakeRecord

  /// Slots of its subscriptions; each is at its ``SubscriptionState/place``.
  var subscriptions: [Int] = []
  /// The latest wakes charged to the budget.
  var chargedWakes = WakeWindow()
  var refresh = RefreshSchedule()
  /// The hash of the id of the push that waits for a wake (rule 5.8), if ``holdsPush``.
  private(set) var heldPush: UInt64 = 0
  /// The types that ``wake`` carries by name, if ``SchedulerCore/reportsEnds``. Not kept for wakes of another
  /// scheduler.
  var carriedTypes: [SampleType] = []
  /// The latest wakes with a push.
  var pushWakes = WakeWindow()
  /// ``carriedPushID``, or nothing. An array, so that the next one needs no memory.
  private var carriedPushIDs: [String] = []
  /// ``backoff`` before the answer at ``answeredAt``, if ``keepsBackoff``.
  var unansweredBackoff = BackoffTracker()
  var queries = ObserverQueries()

  init(symbol: App, nameHash: UInt64) {
    self.symbol = symbol
    wake = WakeRecord(app: nameHash)
  }

  /// Whether an item of the wake in flight has no answer: a type, the push or the refresh.
  var isOutstanding: Bool {
    isPushOutstanding || isRefreshOutstanding || places.next(in: .carried, from: 0) != nil
  }

  /// Notes that there are pending saves on a subscription which had none; they may start a wake from a time on.
  @inline(__always)
  mutating func addPending(_ place: Int, due: Int64, at present: Int64) {
    pendingDue = min(pendingDue, due)
    addPendingNoSooner(place, due: due, at: present)
  }

  /// ``addPending(_:due:at:)`` where other saves may start a wake no later, so that ``pendingDue`` stays as it is.
  @inline(__always)
  mutating func addPendingNoSooner(_ place: Int, due: Int64, at present: Int64) {
    if due <= present {
      places.insert(place, in: .ripe)
    } else {
      places.insertUnripe(place, due: due)
      unripeDue = min(unripeDue, due)
    }
  }

  /// Notes that a push waits for a wake.
  ///
  /// - Parameter push: The hash of its id.
  mutating func hold(_ push: UInt64) {
    heldPush = push
    holdsPush = true
  }

  /// Forgets the push that waits.
  mutating func dropPush() {
    holdsPush = false
  }

  /// Moves the push that waits to the wake which begins, or notes that it carries none.
  @inline(__always)
  mutating func carryPush(_ isCarried: Bool) {
    guard isCarried || carriesPush else { return }
    carriesPush = isCarried
    if !carriedPushIDs.isEmpty { carriedPushID = nil }
    guard isCarried else { return }
    wake.push = heldPush
    holdsPush = false
  }

  /// Whether this state stands for its app.
  var leads: Bool { cohort > 0 }

  /// Takes over the state of another app, whose wake began `wakesLater` wakes before its own.
  mutating func copyState(of other: AppState, wakesLater: Int) {
    let (symbol, nameHash) = (symbol, wake.app)
    self = other
    self.symbol = symbol
    wake.app = nameHash
    // 0 is no wake.
    if wake.number > 0 { wake.number += wakesLater }
  }
}

extension AppState {
  /// The id of the push that ``wake`` carries, if ``SchedulerCore/reportsEnds`` and ``SchedulerCore/reportsPushes``.
  var carriedPushID: String? {
    get { carriedPushIDs.first }
    set {
      carriedPushIDs.removeAll(keepingCapacity: true)
      if let newValue { carriedPushIDs.append(newValue) }
    }
  }
}
