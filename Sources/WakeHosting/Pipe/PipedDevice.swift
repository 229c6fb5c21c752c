import CProbes
import WakeEvents
import WakeImport
import WakeJSON
import WakeReplay
import WakeScheduling
import WakeTrace

/// Runs one device at a time on a ``PipedScheduler``: passes inputs on as lines, and checks, counts and hashes the wakes
/// of the answers.
final class PipedDevice: DeviceUnderTest {
  private let host: PipedHost
  private let symbols: Symbols
  private let tellsWakes: Bool
  private let program: PipedProgram
  private var writer: JSONLinesWriter

  private var device = Device(index: 0)
  private var deviceName = ""
  private var hashStart: UInt64 = 0
  private(set) var present = Int64.min
  /// The present after each input, and the number of its event.
  private var moments: [(time: Int64, event: Int)] = []
  private var apps: [App: HostedApp] = [:]
  private var order: [App] = []
  private var pushes: Set<PushOfApp> = []
  private var counts = Summary()
  private var hashes = WakeHashes()
  /// The time of the last wake told.
  private var latestWake = Int64.min
  private var begun: [WakeFigures] = []
  private var over: [Wake] = []

  init(_ host: PipedHost, _ symbols: Symbols, tellsWakes: Bool) throws(TraceError) {
    self.host = host
    self.symbols = symbols
    self.tellsWakes = tellsWakes
    writer = JSONLinesWriter(symbols: symbols)
    program = try host.scheduler.takeProgram()
    // The text has no newline but between its members.
    let policy = host.policy.json(preset: "ios").split(separator: "\n").joined(separator: " ")
    try ask(Array(#"{"k":"policy","policy":\#(policy)}"#.utf8) + [ASCII.newline])
  }

  deinit { host.scheduler.giveBack(program) }

  func begin(_ device: Device, hash: UInt64) throws(TraceError) {
    self.device = device
    deviceName = symbols.devices.name(of: device)
    var start = WakeHash()
    start.combine(hash)
    hashStart = start.value
    present = .min
    latestWake = .min
    moments.removeAll(keepingCapacity: true)
    apps.removeAll()
    order.removeAll()
    pushes.removeAll()
    counts = Summary()
    for subscription in host.policy.subscriptions { see(symbols.apps.intern(subscription.app)) }
    let name =
      deviceName.isEmpty
      ? "" : #","device":"# + String(decoding: JSONWriter.bytes(of: deviceName), as: UTF8.self)
    try ask(Array(#"{"k":"begin"\#(name)}"#.utf8) + [ASCII.newline])
  }

  private func see(_ app: App) {
    guard apps[app] == nil else { return }
    apps[app] = HostedApp(place: order.count, nameHash: symbols.apps.hash(of: app))
    order.append(app)
  }

  func take(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers,
    orderliness: Orderliness?
  ) throws(TraceError) {
    // Rules, 11: an observation is no input.
    for row in rows where columns.kinds[row] != InputKind.observed.rawValue {
      let input = columns[row]
      let time = columns.times[row]
      counts.inputs += 1
      if time < present { counts.lateInputs += 1 }
      switch input {
      case .save: counts.saves += 1
      case .delete: counts.deletes += 1
      case .push(let app, let push): pushes.insert(PushOfApp(app: app, id: ExactName(push.id)))
      default: break
      }
      if let app = input.namedApp { see(app) }
      present = max(present, time)
      moments.append((present, numbers.number(ofRow: row)))
      var line: [UInt8] = []
      writer.append(
        Event(time: Timestamp(nanoseconds: time), device: device, input: input), to: &line)
      try ask(line)
    }
  }

  /// Nothing is known of what a program has planned.
  func advance(to time: Int64) {}
  var nextDue: Int64? { nil }
  var lateInputs: Int { counts.lateInputs }

  func finish() throws(TraceError) -> Summary {
    try ask(Array(#"{"k":"finish"}"#.utf8) + [ASCII.newline])
    try checkOpenWakes()
    counts.digest.value = hashes.take()
    return counts
  }

  /// Finds a wake told as open before the last input whose deadline has passed since.
  private func checkOpenWakes() throws(TraceError) {
    for app in order {
      guard let state = apps[app], state.awakeUntil == .max,
        isOverdue(since: state.wake.time, until: .max)
      else { continue }
      let (name, time) = (symbols.apps.name(of: app).shown, state.wake.time)
      throw error(
        PipedProgram.Failure(
          "a wake of app \(name) at \(Timestamp(nanoseconds: time).iso8601) \(Self.overdue)",
          time: time))
    }
  }

  /// Whether a wake was in flight at an input after its deadline (rule 6.3). Other wrong ends are for `rouse check` to find.
  private func isOverdue(since time: Int64, until end: Int64) -> Bool {
    let deadline = time + host.policy.completionTimeout
    // The moments ascend.
    var (low, high) = (0, moments.count)
    while low < high {
      let middle = (low + high) / 2
      if moments[middle].time <= deadline { low = middle + 1 } else { high = middle }
    }
    return low < moments.count && moments[low].time < end
  }

  private static let overdue = "was in flight at an input after its deadline (rule 6.3)"

  func forEachApp(_ body: (AppStanding) -> Void) {
    for app in order {
      if let state = apps[app] { body(state.standing(app, isAwake: state.awakeUntil == .max)) }
    }
  }

  func handOver(began: (WakeFigures) -> Void, ended: (borrowing Wake) -> Void) {
    for figures in begun { began(figures) }
    begun.removeAll(keepingCapacity: true)
    for wake in over { ended(wake) }
    over.removeAll(keepingCapacity: true)
  }

  func takeChanges() -> [ToldChange] { [] }

  // MARK: Answers

  /// Writes a line and takes the answer.
  private func ask(_ line: [UInt8]) throws(TraceError) {
    do throws(PipedProgram.Failure) {
      try program.ask(line) { part throws(PipedProgram.Failure) in try take(line: part) }
    } catch {
      throw self.error(error)
    }
  }

  private func take(line: [UInt8]) throws(PipedProgram.Failure) {
    let answer: PipedAnswer
    do throws(JSONError) {
      answer = try PipedAnswer(line)
    } catch {
      let text = String(decoding: line.prefix(60), as: UTF8.self).shown
      let problem = (error.path.map { "'\($0)': " } ?? "") + error.message
      throw PipedProgram.Failure(
        "an answer that is no line of a wake log: \(problem): \(text)\(line.count > 60 ? "…" : "")")
    }
    switch answer {
    case .wake(let wake): try take(wake)
    case .summary(let counts, let stopped): try take(counts, stopped)
    }
  }

  private var mostCounted: Int { counts.mostTold(apps: order.count) }

  private func take(_ told: PipedWake) throws(PipedProgram.Failure) {
    let name = "a wake of app \(told.app.shown) at \(Timestamp(nanoseconds: told.time).iso8601)"
    func check(_ isTrue: Bool, _ message: String) throws(PipedProgram.Failure) {
      if !isTrue { throw PipedProgram.Failure("\(name) \(message)", time: told.time) }
    }
    guard let app = symbols.apps.symbol(for: told.app), var state = apps[app] else {
      throw PipedProgram.Failure("\(name), which no input of the device named", time: told.time)
    }
    try check(told.time >= latestWake, "is told after a later one")
    try check(
      moments.first.map { told.time >= $0.time } == true && told.time <= present,
      "is not between the device's first input and its last")
    try check(state.awakeUntil <= told.time, "comes while the app is awake")
    let end = told.end ?? .max
    try check(
      (told.outcome == .open) == (told.end == nil), "has an outcome that does not go with its end")
    try check(end >= told.time && (end == .max || end <= present), "does not end by the last input")
    try check(!isOverdue(since: told.time, until: end), Self.overdue)
    try check((told.saves > 0) == (told.oldest != nil), "has saves that do not go with `oldest`")
    try check(told.saves <= mostCounted, "has \(told.saves) saves, after \(counts.inputs) inputs")
    try check(told.oldest ?? .min <= told.time, "has an `oldest` that is after it")
    try check(
      told.device.map { ExactName($0) == ExactName(deviceName) } != false,
      "is told as one of device \((told.device ?? "").shown)")
    try check(
      told.number.map { $0 == counts.wakes + 1 } != false,
      "is told as the device's wake \(told.number ?? 0), and is number \(counts.wakes + 1)")
    let push = told.push.map { PushOfApp(app: app, id: ExactName($0)) }
    try check(push.map { pushes.contains($0) } != false, "carries a push that did not come for it")
    var types: [SampleType] = []
    for type in told.types {
      let symbol = symbols.types.symbol(for: type)
      try check(symbol != nil, "carries type \(type.shown), which there is not")
      if let symbol { types.append(symbol) }
    }
    try check(Set(types).count == types.count, "carries a type twice")
    counts.wakes += 1
    latestWake = told.time
    state.wake = HashedWake(
      start: hashStart, number: counts.wakes, time: told.time, app: state.nameHash,
      types: types.reduce(0) { $0 &+ symbols.types.hash(of: $1) }, saves: told.saves,
      oldest: told.oldest ?? 0, push: told.push.map(NameHash.of) ?? 0,
      refresh: told.refresh ? 1 : 0, outcome: UInt64(told.outcome.rawValue), end: told.end ?? 0)
    state.awakeUntil = end
    state.wakes += 1
    state.carried += told.saves
    count(told, in: &state)
    apps[app] = state
    hashes.add(state.wake)
    keep(told, app, types)
    rouse_probe_wake(
      told.time, UInt64(app.index), UInt64(counts.wakes), UInt64(told.saves))
  }

  private func count(_ told: PipedWake, in state: inout HostedApp) {
    if !told.types.isEmpty { counts.wakesWithHealth += 1 }
    if told.push != nil { counts.wakesWithPush += 1 }
    if told.refresh { counts.wakesWithRefresh += 1 }
    switch told.outcome {
    case .completed:
      counts.completed += 1
      state.completed += 1
    case .expired:
      counts.expired += 1
      state.expired += 1
    case .aborted:
      counts.aborted += 1
      state.aborted += 1
    case .open: counts.open += 1
    }
  }

  /// Keeps a wake until it is handed over.
  private func keep(_ told: PipedWake, _ app: App, _ types: [SampleType]) {
    let cause =
      (types.isEmpty ? 0 : WakeFigures.health) | (told.push == nil ? 0 : WakeFigures.push)
      | (told.refresh ? WakeFigures.refresh : 0)
    begun.append(
      WakeFigures(
        count: 1, app: app, number: counts.wakes, time: told.time, saves: told.saves,
        waited: told.oldest.map { told.time - $0 } ?? 0, cause: cause))
    guard tellsWakes else { return }
    let names = symbols.types
    over.append(
      Wake(
        number: counts.wakes, time: Timestamp(nanoseconds: told.time), app: app,
        types: types.sorted { ExactName(names.name(of: $0)) < ExactName(names.name(of: $1)) },
        saves: told.saves, oldest: told.oldest.map(Timestamp.init(nanoseconds:)), push: told.push,
        refresh: told.refresh, outcome: told.outcome,
        end: told.end.map(Timestamp.init(nanoseconds:))))
  }

  /// Takes the counts that a scheduler alone knows.
  private func take(_ told: [String: Int], _ stopped: [String]) throws(PipedProgram.Failure) {
    let own: Set<String> = [
      "liveDeliveries", "ignoredCompletions", "rejectedRegistrations", "rejectedPushes",
      "pushesSuperseded", "pushesDiscarded", "pushesDeliveredLive", "pushesHeldAtEnd",
      "pendingAtEnd",
    ]
    for (key, count) in told.sorted(by: { $0.key < $1.key }) {
      guard let path = Summary.counts.first(where: { $0.key == key })?.path else {
        throw PipedProgram.Failure("a summary with \(key.shown), which is no count")
      }
      guard own.contains(key) else { continue }
      guard count <= mostCounted else {
        throw PipedProgram.Failure(
          "a summary with `\(key)` of \(count), after \(counts.inputs) inputs")
      }
      counts[keyPath: path] = count
    }
    for (place, name) in stopped.enumerated() {
      guard let app = symbols.apps.symbol(for: name), apps[app] != nil,
        !stopped[..<place].contains(where: { ExactName($0) == ExactName(name) })
      else {
        throw PipedProgram.Failure(
          "a summary with the stopped app \(name.shown), which is there twice or is none of the "
            + "device's")
      }
    }
    counts.stoppedApps = stopped.map { deviceName.isEmpty ? $0 : "\(deviceName)/\($0)" }
  }

  /// A push that came for an app.
  private struct PushOfApp: Hashable {
    var app: App
    var id: ExactName
  }

  /// Tells of a failure with the input that led to it: the last one, or the last one before the time of a wake.
  private func error(_ failure: PipedProgram.Failure) -> TraceError {
    let device = host.context.isEmpty ? deviceName : "'\(deviceName)' in \(host.context)"
    let moment = moments.last { $0.time <= failure.time ?? .max } ?? moments.last
    let place =
      moment.map { "at event \($0.event) (\(Timestamp(nanoseconds: $0.time).iso8601))" }
      ?? "before the first event"
    return TraceError(
      .faultyScheduler, host.name,
      "\(failure.message); \(place)" + (device.isEmpty ? "" : " of device \(device.shown)"))
  }
}
