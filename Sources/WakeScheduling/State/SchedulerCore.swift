package import WakeEvents

/// Receives wakes as they begin and end.
typealias WakeListener = (WakePhase, borrowing WakeView) -> Void

/// A policy in memory of its own, as a fleet has many schedulers.
private final class SharedPolicy: Sendable {
  let policy: Policy
  /// ``Policy/answerDelay(isColdStart:)``, which each wake needs.
  let answerDelays: (suspended: Int64?, terminated: Int64?)
  /// The delays of rule 6.5, one of which each strike needs.
  let backoffDelays: BackoffDelays

  init(_ policy: Policy) {
    self.policy = policy
    answerDelays = (
      policy.answerDelay(isColdStart: false), policy.answerDelay(isColdStart: true)
    )
    backoffDelays = BackoffDelays(policy)
  }
}

/// The state of one device. The rules are its extensions in `Rules/`, and accelerations those in `Acceleration/`.
///
/// ``Scheduler`` is this with a hasher of its own. A replay gives its devices one hasher after the other.
package struct SchedulerCore: ~Copyable {
  // MARK: What most runs of saves touch, side by side (`prefetch(objectAt:behind:)`)

  /// All schedulers of a replay share it.
  private let sharedPolicy: SharedPolicy
  @inline(__always)
  var policy: Policy { sharedPolicy.policy }
  /// Nanoseconds after which a modelled app answers a wake, if it was suspended or terminated before; nil if it does not, or
  /// its deadline comes before.
  @inline(__always)
  var answerDelays: (suspended: Int64?, terminated: Int64?) { sharedPolicy.answerDelays }
  /// How long strikes hold an app back (rule 6.5).
  @inline(__always)
  var backoffDelays: BackoffDelays { sharedPolicy.backoffDelays }
  /// What the hashes of the device's wakes start with.
  var hashStart: UInt64
  /// After what time the completion of a wake comes that ``beginAnswered(_:_:isWokenBySavesOnly:_:_:)`` may begin; negative
  /// if it may not.
  var delaysAhead = Self.noDelaysAhead
  /// The effective time of the last input, or of what was due since (rule 4.1).
  package internal(set) var present = Int64.min

  package let accelerations: Accelerations
  /// Whether wakes are reported with their types, and again when they end. A caller that only counts or keeps
  /// (``keepWakes(in:)``) wakes turns it off before the first input; then ``Accelerations/answersAhead`` applies, and
  /// ``nextDue`` may skip a completion.
  package var reportsEnds = true {
    didSet {
      updateAnswersAhead()
      updateReported()
    }
  }
  /// Whether ``Accelerations/answersAhead`` applies though ends are reported: a wake may then begin with
  /// ``WakeView/answer``, and its end is reported only if it comes otherwise.
  package var reportsAnswersAhead = false {
    didSet { updateAnswersAhead() }
  }
  /// Whether wakes are added to the digest.
  package var hashesWakes = true {
    didSet { updateDelaysAhead() }
  }
  /// Whether wakes whose ends are reported have the ids of the pushes that they carry. A caller that does not look turns it off
  /// before the first input; then ``Wake/push`` is nil also where a push is carried.
  package var reportsPushes = true {
    didSet { updateReported() }
  }
  /// Whether ``Accelerations/answersAhead`` applies.
  private(set) var answersAhead = false
  /// Whether the policy has completions without delay to which it applies where another input follows (``setFollowed(_:)``).
  var answersWithoutDelay = false
  /// Whether anybody wants to know what a wake carries: ``reportsEnds``, or wakes are kept, or waits or bounds are observed.
  private(set) var reportsContents = true
  /// Whether anybody wants to know the ids of pushes: ``reportsEnds`` and ``reportsPushes``, or wakes are kept, or waits are
  /// observed. Inputs in columns must then have them (``HeldPushIDs``).
  private(set) var namesPushes = true

  /// Whether wakes that begin are told many at a time, by their figures (``WakeView/batch``), at the latest as a call ends
  /// that tells all; so a wake may end before it is told that it began. For a caller that only counts those that begin;
  /// set before the first input.
  package var tellsInBatches = false
  /// Whether anybody wants to know of arrivals: ``bounds`` or ``watcher``.
  var seesArrivals = false {
    didSet {
      updateEvaluatesAtOnce()
      notesArrivals = seesArrivals
    }
  }
  /// Whether the rules note each arrival: ``seesArrivals``, but not while rows are taken whose arrivals were noted
  /// before (``Accelerations/arrivalRuns``).
  var notesArrivals = false
  /// Whether nobody observes inputs, and the apps that an input concerns are evaluated without more ado
  /// (``Accelerations/namedApps``).
  var evaluatesAtOnce = false
  /// What of the device's state holds apps back.
  var holds = DeviceHolds()

  /// The waits that are not over, with their reasons so far; nil unless ``observeWaits(_:)`` was called.
  var waits: WaitTracker?
  /// How far the wakes so far are from the best; nil unless ``observeBounds(_:)`` was called.
  var bounds: BoundsTracker?
  /// Where wakes are kept, if ``keepWakes(in:)`` was called.
  var history = KeptHistory()
  var timers: Timers
  /// By app number (rules, 1).
  var apps = UncheckedArray<AppState>()
  /// The counts so far (rules, 7).
  var counts = RunCounts()
  var coalescer: Coalescer

  // MARK: The rest

  let symbols: Symbols
  private var device: Device?
  /// The last refresh status that every app was given.
  var commonStatus = CommonRefreshStatus() {
    didSet { holds.set(.status, if: commonStatus.status != .available) }
  }
  /// The times of the wakes that count against their limits.
  var windows = WakeWindows()
  /// The apps that inputs which name none must look at (``Accelerations/heldApps``).
  var held = HeldApps()
  /// The first apps of cohorts, by ``AppState/group``.
  var leaders: [Int32] = []
  /// The hashes of the names of the policy's apps, by app number, for cohorts; empty if none has several apps at the start.
  var cohortNames: [UInt64] = []
  /// Why an `enable` was rejected; set to nil before an input whose taker wants to know.
  var rejection: RegistrationError?
  /// App numbers by ``App/index``.
  private var appNumbers = AppNumbers()
  /// The order of types by name. It is kept for the next device.
  var typeOrder = TypeOrder()
  /// The fastest frequencies of types that were enabled.
  var typeCaps = TypeCaps()
  /// The most strikes that an app had at a time, so far (rule 6.5).
  package internal(set) var mostStrikes = 0
  /// Those whom few devices have.
  var listeners: DeviceListeners?
  /// The ids of the pushes that apps hold, if ``namesPushes``.
  var heldPushIDs = HeldPushIDs()

  /// Makes the scheduler of a device and enables the policy's subscriptions on it (rules, 3).
  package init(
    policy: Policy, symbols: Symbols, device: String = "", accelerations: Accelerations = .all
  ) {
    sharedPolicy = SharedPolicy(policy)
    self.symbols = symbols
    self.accelerations = accelerations
    self.device = device.isEmpty ? nil : symbols.devices.intern(device)
    hashStart = WakeHasher.start(device: NameHash.device(device))
    coalescer = Coalescer(accelerations)
    timers = Timers()
    for subscription in policy.subscriptions {
      _ = number(of: symbols.apps.intern(subscription.app))
    }
    // By name, so that places are sorted. Of two on the same type the later one counts, as sorting is stable.
    let byName = policy.subscriptions.sorted { $0.type.precedes($1.type) }
    for subscription in byName {
      let app = number(of: symbols.apps.intern(subscription.app))
      let type = symbols.types.intern(subscription.type)
      _ = enable(app, type, subscription.frequency)
    }
    formCohorts()
    coalescer.shareRosters()
    updateEvaluatesAtOnce()
  }

  /// Makes the scheduler of a device that starts as another one did.
  ///
  /// - Parameters:
  ///   - start: A scheduler without inputs so far.
  ///   - hash: ``NameHash/device(_:)`` of the device's name.
  /// - Complexity: O(state).
  package init(like start: borrowing SchedulerCore, device: Device?, hash: UInt64) {
    sharedPolicy = start.sharedPolicy
    symbols = start.symbols
    accelerations = start.accelerations
    hashStart = 0
    coalescer = Coalescer(start.accelerations)
    timers = Timers()
    restart(like: start, device: device, hash: hash)
  }

  /// Becomes the scheduler of another device and keeps its memory.
  ///
  /// - Parameters:
  ///   - start: A scheduler of the same policy, symbols and accelerations, without inputs so far.
  ///   - hash: ``NameHash/device(_:)`` of the device's name.
  package mutating func restart(like start: borrowing SchedulerCore, device: Device?, hash: UInt64)
  {
    self.device = device
    hashStart = WakeHasher.start(device: hash)
    waits = nil
    bounds = nil
    listeners = nil
    history = KeptHistory()
    seesArrivals = false
    mostStrikes = 0
    reportsEnds = start.reportsEnds
    reportsAnswersAhead = start.reportsAnswersAhead
    reportsPushes = start.reportsPushes
    hashesWakes = start.hashesWakes
    tellsInBatches = start.tellsInBatches
    present = start.present
    holds = start.holds
    commonStatus = start.commonStatus
    held = HeldApps()
    leaders = start.leaders
    cohortNames = start.cohortNames
    coalescer.copy(start.coalescer)
    // Most devices of a fleet meet most types.
    coalescer.reserveTypes(symbols.types.count)
    timers.copy(start.timers)
    restartApps(like: start)
    heldPushIDs.removeAll()
    windows.removeAll()
    appNumbers.copy(start.appNumbers)
    typeCaps.removeAll()
    counts = start.counts
  }

  /// Calls `listener` with everything that waits, from the first input on (rules, 9).
  ///
  /// Call it before the first input of a scheduler without the acceleration ``Accelerations/cohorts``, as each app has
  /// waits of its own. ``restart(like:device:hash:)`` ends it.
  package mutating func observeWaits(
    _ listener: @escaping (WaitPhase, borrowing Wait) -> Void
  ) {
    precondition(!accelerations.contains(.cohorts), "waits are of single apps")
    waits = WaitTracker(listener)
    updateEvaluatesAtOnce()
    updateReported()
  }

  /// Updates ``reportsContents`` and ``namesPushes``.
  mutating func updateReported() {
    namesPushes = reportsEnds && reportsPushes || history.isKept || waits != nil
    reportsContents = reportsEnds || history.isKept || waits != nil || bounds != nil
    updateDelaysAhead()
  }

  /// Takes over the states of apps, for which nothing is pending yet.
  private mutating func restartApps(like start: borrowing SchedulerCore) {
    guard apps.count == start.apps.count else { return apps.copy(start.apps) }
    for app in apps.indices {
      // The memory of its sets of places is kept, where it is more than the state itself.
      var places = apps[app].places.takeOthers()
      apps.copyElement(at: app, of: start.apps)
      if !places.isEmpty { apps[app].places.keep(&places) }
    }
  }

  /// The time at which something is due, if no input comes before; nil if nothing is. After inputs
  /// ``dropEarlyTimers()`` must be called first.
  package var nextDue: Timestamp? {
    timers.nextDue == .max ? nil : Timestamp(nanoseconds: timers.nextDue)
  }

  /// Inputs taken so far.
  package var inputs: Int { counts.inputs }

  /// Those of them whose time lay before the present. Mutating for speed alone: for another call the
  /// compiler moves the whole struct through memory.
  package var lateInputs: Int { mutating get { counts.lateInputs } }

  /// Whether saves must come with start, end and value, since a query has a predicate.
  package var needsSampleDetails: Bool {
    apps.indices.contains { apps[$0].queries.havePredicates }
  }

  /// The number of an app on this device: new at its first appearance (rules, 1).
  ///
  /// - Precondition: The app comes from the scheduler's symbols.
  @inline(__always)
  mutating func number(of app: App) -> Int {
    // Those of a policy, which are most apps, have the same number everywhere. A processor predicts that this holds and need
    // not wait for a table.
    let guess = Int(app.index)
    if guess < apps.count, apps[guess].symbol == app { return guess }
    return tabledNumber(of: app)
  }

  /// ``number(of:)`` for an app whose number is not likely to be that of its symbol.
  @inline(__always)
  mutating func tabledNumber(of app: App) -> Int { appNumbers[app] ?? addApp(app) }

  @inline(never)
  private mutating func addApp(_ app: App) -> Int {
    let number = apps.count
    // Looking up the hash checks the symbol.
    var state = AppState(symbol: app, nameHash: symbols.apps.hash(of: app))
    state.refresh.begin(commonStatus)
    state.isWokenBySavesOnly = accelerations.contains(.directWakes)
    state.wakesUntilIgnored = policy.behaviour.ignoresEvery
    apps.append(state)
    appNumbers.append(app)
    timers.appendApp()
    updateBudget(number)
    updatePushOpening(number)
    return number
  }

  /// Makes room for a type that has no count yet.
  ///
  /// - Precondition: The type comes from the scheduler's symbols.
  @inline(never)
  mutating func reserveTypes(_ count: Int) {
    let known = symbols.types.count
    precondition(count <= known, "type \(count - 1) is not among the \(known) types of the symbols")
    coalescer.reserveTypes(known)
  }

  /// Updates the predicates of an app's subscription on a type, after its queries have changed.
  mutating func updateFilter(of app: Int, on type: SampleType) {
    guard let slot = subscription(of: app, on: type) else { return }
    let isFiltered = apps[app].queries.filters(type)
    let wasFiltered = coalescer.subscriptions[slot].isFiltered
    guard isFiltered || wasFiltered else { return }
    if isFiltered, wasFiltered {
      // A filtered subscription is always observed, so it need not be taken off its type meanwhile.
      coalescer.stopScan(slot)
      return coalescer.setFilter(slot, to: &apps[app].queries)
    }
    coalescer.materialize(slot)
    coalescer.setFiltered(slot, isFiltered)
    if isFiltered { coalescer.setFilter(slot, to: &apps[app].queries) }
    coalescer.attach(slot)
  }

  /// The names of stopped apps, with that of the device. Mutating for speed alone: for another call the compiler moves the
  /// whole struct through memory.
  mutating func stoppedNames(_ stopped: Range<Int>) -> [String] {
    let deviceName = device.map(symbols.devices.name(of:)) ?? ""
    return stopped.map { app in
      let name = symbols.apps.name(of: apps[app].symbol)
      return deviceName.isEmpty ? name : deviceName + "/" + name
    }
  }

  private mutating func updateAnswersAhead() {
    answersAhead =
      (!reportsEnds || reportsAnswersAhead) && accelerations.contains(.answersAhead)
  }

  /// Adds the last wake of an app, whose end is known, to the digest.
  @inline(__always)
  mutating func addHash(of app: Int, _ hasher: inout WakeHasher) {
    guard apps[app].wake.number > 0, hashesWakes else { return }
    hasher.add(
      apps, leader: app, names: cohortNames, start: hashStart,
      inLanes: accelerations.contains(.hashLanes))
  }
}
