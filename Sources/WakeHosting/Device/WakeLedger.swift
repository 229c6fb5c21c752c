import WakeEvents
import WakeReplay
import WakeScheduling

/// What no scheduler may do, whatever its rules.
struct Misdeed: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

/// The wakes that a scheduler tells of on a device: checked, counted and hashed.
///
/// A value apart from ``HostedDevice``, so that Swift checks exclusive access to all of it once a call back.
@safe
struct WakeLedger: ~Copyable {
  let symbols: Symbols
  let policy: Policy
  /// Whether Rouse answers for modelled apps.
  let givesAnswers: Bool
  /// Whether the scheduler may tell of answers as a wake begins.
  let mayAnswer: Bool
  /// Whether wakes that have ended are kept for ``DeviceUnderTest/handOver(began:ended:)``.
  let keepsWakes: Bool
  /// Whether ``changes`` are kept.
  let keepsChanges: Bool

  var deviceName = ""
  /// What the hashes of its wakes start with.
  var hashStart: UInt64 = 0
  /// By ``App/index``.
  var apps = unsafe UnsafeMutableBufferPointer<HostedApp>(start: nil, count: 0)
  /// The apps of the device by their numbers.
  private(set) var order: [App] = []
  /// The pushes by their numbers, from 1.
  var pushes: [(app: App, id: String)] = []
  var counts = Summary()
  var hashes = WakeHashes()
  /// See ``DeviceUnderTest/present``; also the least time of what is told next.
  var present = Int64.min
  /// The greatest time of what may be told in the call under way.
  var latestTold = Int64.min
  private var allowance = WakeAllowance()
  /// Answers to give, or, if the scheduler gives them and wakes are kept, answers that it has told ahead.
  var answers = ModelledAnswers()
  /// Whether a wake has begun that Rouse answers, so that the scheduler is to return.
  var mustReturn = false
  /// Wakes in flight of which no end is known, and the time of the first of them, for the check that they end.
  var awake = 0
  var earliestWake = Int64.max
  private var toldTypes: ToldTypes
  /// The hashes of the names of the apps of a wake.
  private var names: [UInt64] = []
  var group = WokenGroup()
  /// What wakes in flight carry by app, if wakes are kept.
  var carriedTypes: [Int: [SampleType]] = [:]
  var carriedPushes: [Int: String] = [:]
  var begun: [WakeFigures] = []
  var over: [Wake] = []
  /// Beginnings and ends of wakes in their order.
  var changes: [ToldChange] = []

  init(
    symbols: Symbols, policy: Policy, givesAnswers: Bool, mayAnswer: Bool, keepsWakes: Bool,
    keepsChanges: Bool
  ) {
    self.symbols = symbols
    toldTypes = ToldTypes(symbols)
    self.policy = policy
    self.givesAnswers = givesAnswers
    self.mayAnswer = mayAnswer
    self.keepsWakes = keepsWakes
    self.keepsChanges = keepsChanges
  }

  deinit { unsafe apps.deallocate() }

  mutating func reset() {
    group.removeAll()
    for app in order { unsafe apps[Int(app.index)] = HostedApp() }
    order.removeAll(keepingCapacity: true)
    pushes.removeAll(keepingCapacity: true)
    counts = Summary()
    (present, latestTold) = (.min, .min)
    answers.removeAll()
    mustReturn = false
    (awake, earliestWake) = (0, .max)
    carriedTypes.removeAll(keepingCapacity: true)
    carriedPushes.removeAll(keepingCapacity: true)
    changes.removeAll(keepingCapacity: true)
  }

  /// Numbers an app that appears on the device (rules, 1).
  mutating func see(_ app: App) {
    let place = Int(app.index)
    if unsafe place >= apps.count { growApps(to: place + 1) }
    guard unsafe apps[place].place < 0 else { return }
    unsafe apps[place].place = order.count
    unsafe apps[place].nameHash = symbols.apps.hash(of: app)
    order.append(app)
  }

  private mutating func growApps(to count: Int) {
    let more = unsafe UnsafeMutableBufferPointer<HostedApp>.allocate(
      capacity: max(count, 2 * apps.count, 16))
    unsafe more.initialize(repeating: HostedApp())
    for place in unsafe apps.indices { unsafe more[place] = unsafe apps[place] }
    unsafe apps.deallocate()
    unsafe apps = unsafe more
  }

  /// Grows as wakes begin and end.
  var happened: Int { counts.wakes &+ counts.completed &+ counts.expired &+ counts.aborted }

  func name(_ app: App) -> String { "app \(symbols.apps.name(of: app).shown)" }

  /// Wakes begin.
  mutating func begin(_ told: ToldWake) throws(Misdeed) {
    let (time, count) = (told.time, unsafe told.apps.count)
    try pass(to: time, "a wake")
    guard count <= order.count,
      allowance.take(count, apps: order.count, at: time, types: symbols.types.count)
    else {
      throw Misdeed("wakes without end: more than any rules allow before the next input")
    }
    let push = unsafe try pushHash(told.push, told.apps)
    try check(told)
    passAnswers(to: time)
    let types = unsafe try toldTypes.hash(of: told.types)
    let isKept = keepsWakes || keepsChanges
    if let answer = told.answer {
      try check(answer, of: told)
      if !isKept, answer > time, group.wake.end <= time, unsafe group.has(told.apps) {
        group.wake = hashedWake(told, types: types, push: push)
        beginGroup()
        return tally(told, hasPush: push != 0)
      }
    }
    dissolveGroup()
    let wake = hashedWake(told, types: types, push: push)
    unsafe try begin(wake, told.apps, until: told.answer ?? .max)
    if !isKept, count > 1, let answer = told.answer, answer > time {
      unsafe group.form(told.apps, names: names, wake)
    }
    tally(told, hasPush: push != 0)
    guard isKept else { return }
    if keepsWakes { keepContents(of: told) }
    if keepsChanges { keepChanges(told) }
  }

  /// Lets wakes begin for so many rows.
  mutating func allowWakes(forRows rows: Int) {
    allowance.grant(forRows: rows, apps: order.count, at: present)
  }

  @inline(__always)
  private func check(_ told: ToldWake) throws(Misdeed) {
    guard told.saves <= 1 << 32 || told.saves <= mostCounted else {
      throw Misdeed("a wake with \(told.saves) saves")
    }
    guard told.saves == 0 || told.oldest <= told.time && told.oldest >= Self.earliest else {
      throw Misdeed(
        "a wake whose oldest save is of \(Timestamp(nanoseconds: told.oldest).iso8601), after the wake "
          + "or out of range")
    }
  }

  /// The least of `Timestamp.validRange`, which would be looked up each time.
  @inline(__always)
  private static var earliest: Int64 { -4_000_000_000_000_000_000 }

  /// No count is higher; the rows of a call under way are not counted yet.
  var mostCounted: UInt64 { UInt64(counts.mostTold(apps: order.count)) + (1 << 32) }

  private func check(_ answer: Int64, of told: ToldWake) throws(Misdeed) {
    guard mayAnswer else {
      throw Misdeed("a wake with an answer, without the flag ROUSE_SCHEDULER_ANSWERS")
    }
    guard answer >= told.time else { throw Misdeed("a wake with an answer before it begins") }
  }

  /// The next wake as it is hashed, without its app.
  @inline(__always)
  private func hashedWake(_ told: ToldWake, types: UInt64, push: UInt64) -> HashedWake {
    HashedWake(
      start: hashStart, number: counts.wakes + 1, time: told.time, types: types,
      saves: Int(told.saves), oldest: told.saves > 0 ? told.oldest : 0, push: push,
      refresh: told.refresh ? 1 : 0,
      outcome: UInt64((told.answer == nil ? WakeOutcome.open : .completed).rawValue),
      end: told.answer ?? 0)
  }

  /// Begins the wake of each app.
  private mutating func begin(
    _ wake: HashedWake, _ symbols: UnsafeBufferPointer<UInt32>, until awakeUntil: Int64
  ) throws(Misdeed) {
    let isEndKnown = awakeUntil != .max
    var wake = wake
    names.removeAll(keepingCapacity: true)
    for place in symbols.indices {
      let symbol = unsafe symbols[place]
      let app = Int(symbol)
      guard unsafe app < apps.count, unsafe apps[app].place >= 0 else {
        throw Misdeed("a wake of app number \(symbol), which no input of the device named")
      }
      guard unsafe apps[app].awakeUntil <= wake.time else {
        throw Misdeed("a wake of \(name(App(index: symbol))), which is awake")
      }
      unsafe wake.app = apps[app].nameHash
      unsafe apps[app].awakeUntil = awakeUntil
      unsafe apps[app].wake = wake
      unsafe apps[app].wakes &+= 1
      unsafe apps[app].carried &+= wake.saves
      if isEndKnown {
        unsafe apps[app].completed &+= 1
        names.append(wake.app)
      }
      wake.number &+= 1
    }
    guard !isEndKnown else {
      wake.number &-= symbols.count
      hashes.add(&wake, names)
      counts.completed += symbols.count
      if keepsWakes || keepsChanges {
        for place in symbols.indices {
          expectEnd(of: unsafe Int(symbols[place]), at: awakeUntil)
        }
      }
      return
    }
    awake += symbols.count
    earliestWake = min(earliestWake, wake.time)
    guard givesAnswers else { return }
    for place in symbols.indices { answer(unsafe Int(symbols[place])) }
  }

  /// Counts wakes that have begun.
  private mutating func tally(_ told: ToldWake, hasPush: Bool) {
    let count = unsafe told.apps.count
    let hasTypes = unsafe !told.types.isEmpty
    if hasTypes { counts.wakesWithHealth += count }
    if hasPush { counts.wakesWithPush += count }
    if told.refresh { counts.wakesWithRefresh += count }
    let cause =
      (hasTypes ? WakeFigures.health : 0) | (hasPush ? WakeFigures.push : 0)
      | (told.refresh ? WakeFigures.refresh : 0)
    begun.append(
      WakeFigures(
        count: count, app: App(index: unsafe told.apps[0]), number: counts.wakes + 1,
        time: told.time, saves: Int(told.saves),
        waited: told.saves > 0 ? told.time - told.oldest : 0,
        cause: cause))
    counts.wakes += count
  }

  /// The hash of the id of a wake's push, 0 without one.
  private func pushHash(
    _ push: Int, _ apps: UnsafeBufferPointer<UInt32>
  ) throws(Misdeed) -> UInt64 {
    guard push > 0 else { return 0 }
    guard push <= pushes.count, apps.count == 1 else {
      throw Misdeed("a wake with push number \(push), which there is not, or of several apps")
    }
    guard unsafe pushes[push - 1].app.index == apps[0] else {
      throw Misdeed(
        "a wake with push number \(push), which is one of \(name(pushes[push - 1].app))")
    }
    return NameHash.of(pushes[push - 1].id)
  }

  /// Moves the present to the time of what is told.
  mutating func pass(to time: Int64, _ what: String) throws(Misdeed) {
    guard latestTold > .min else {
      throw Misdeed("\(what) outside of take, input and advance")
    }
    guard time >= present else {
      throw Misdeed(
        "\(what) at \(Timestamp(nanoseconds: time).iso8601), which is before the present, "
          + Timestamp(nanoseconds: present).iso8601)
    }
    guard time <= latestTold else {
      throw Misdeed(
        "\(what) at \(Timestamp(nanoseconds: time).iso8601), which is after "
          + "\(Timestamp(nanoseconds: latestTold).iso8601), the time that it was given")
    }
    guard time >= Self.earliest else {
      throw Misdeed("\(what) at \(time) ns, which is before the earliest time, \(Self.earliest) ns")
    }
    // Nothing is told of a time before what was told last.
    present = time
  }

  /// Plans the answer of a modelled app to the wake that has begun (rule 6.4).
  private mutating func answer(_ app: Int) {
    let behaviour = policy.behaviour
    guard let after = behaviour.completesAfter,
      unsafe behaviour.ignoresEvery == 0 || apps[app].wakes % behaviour.ignoresEvery != 0
    else { return }
    let cold = unsafe apps[app].activity == .terminated ? behaviour.coldStart : 0
    expectEnd(of: app, at: unsafe apps[app].wake.time + after + cold)
    mustReturn = true
  }

  private mutating func expectEnd(of app: Int, at time: Int64) {
    answers.add(
      ModelledAnswers.Answer(
        time: time, place: unsafe apps[app].place, app: app,
        wake: unsafe apps[app].wake.number))
  }
}
