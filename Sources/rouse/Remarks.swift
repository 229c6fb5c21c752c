import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

/// What a user of a replay should know about its filters and policy: what matches nothing, and what nobody answers.
struct Remarks {
  private let options: ReplayOptions
  private let files: [TraceFile]

  init(_ options: ReplayOptions, _ files: [TraceFile]) {
    self.options = options
    self.files = files
  }

  /// Tells what there is to say about a replay's result.
  func tell(_ result: ReplayResult) {
    for remark in messages(result) { Console.message(remark) }
  }

  func messages(_ result: ReplayResult) -> [String] {
    // What is missing in all shards need not be looked for by each of them, nor that in none.
    (result.shard == nil ? unmatched(result) : []) + leftOut() + unanswered(result)
  }

  /// Tells that the replay begins without what inputs before `--from` may have changed.
  private func leftOut() -> [String] {
    guard let from = options.selection.from, TraceNames.mayHaveOthers(files, before: from) else {
      return []
    }
    return [
      "--from leaves out all inputs before it, enables, launches and locks too: every app starts "
        + "as the policy says"
    ]
  }

  private func unmatched(_ result: ReplayResult) -> [String] {
    let (selection, subscriptions) = (options.selection, options.policy.subscriptions)
    let isEmpty = result.summary.inputs == 0
    let hasRange = selection.from != nil || selection.to != nil
    // Which apps inputs name is in the events; these are read only if there is one beside those of the policy.
    let apps = Set(subscriptions.map { ExactName($0.app) })
    let readsApps =
      !apps.isEmpty && !result.apps.allSatisfy { apps.contains(ExactName($0.app)) }
    let named = !selection.types.isEmpty || !selection.devices.isEmpty
    let types = Set(subscriptions.map { ExactName($0.type) }).union(options.policy.ownCaps)
    // What cannot be read, such as a damaged trace of which the replay keeps going, is told already.
    guard named || isEmpty || readsApps || !TraceNames.headers(of: files, have: types),
      let names = try? TraceNames(files, depth: readsApps ? .events : .names)
    else { return [] }
    if names.areOfObservationsAlone {
      return [
        "the traces hold only observations, which a replay ignores: it needs the inputs of their "
          + "devices, too; 'rouse query --observed' prints observations"
      ]
    }
    return names.unmatched(types: selection.types.sorted().map(\.string))
      + names.unmatched(devices: selection.devices.sorted().map(\.string))
      + names.unmatched(options.policy)
      + (isEmpty && hasRange ? names.outside(selection.from, selection.to, isEmpty: true) : [])
  }

  private func unanswered(_ result: ReplayResult) -> [String] {
    let summary = result.summary
    var remarks: [String] = []
    // Apps of other shards may have some.
    if summary.inputs > 0, result.hadSubscriptions == false, result.shard == nil {
      // Pushes and refreshes wake without subscriptions.
      let effect = summary.wakes == 0 ? "nothing is woken" : "no save wakes an app"
      // Registrations are those of inputs and those of the policy, on each device.
      remarks.append(
        summary.rejectedRegistrations == 0
          ? "no app has a subscription, so \(effect); 'rouse policy new' writes a policy with "
            + "\"subscriptions\""
          : "no app has a subscription, as every registration was rejected: it takes the "
            + "background-delivery entitlement, and a type that is no correlation; so \(effect)")
    }
    guard summary.wakes > 0, summary.completed == 0, summary.ignoredCompletions == 0,
      let cause = options.policy.unanswered?.cause
    else { return remarks }
    return remarks + [
      "no wake was answered: the inputs have no completions, and in the policy \(cause); "
        + "'rouse policy new' writes a policy that answers"
    ]
  }
}

extension StreamOrder {
  /// What is not in its place, in words; nil if all is.
  static func inWords(missing: Int, misplaced: Int) -> String? {
    var parts: [String] = []
    if missing > 0 { parts.append("\(Quantity.counted(missing, "block")) missing") }
    if misplaced > 0 {
      parts.append("\(Quantity.counted(misplaced, "block")) repeated or out of order")
    }
    return parts.isEmpty ? nil : "the input has " + parts.joined(separator: " and ")
  }
}

extension Console {
  /// Tells what of traces is not in its place, as their events are missing or counted twice.
  static func tellOrder(of files: [TraceFile]) {
    // Damage is told of by who reads the traces.
    guard let order = try? StreamOrder(of: files),
      let text = StreamOrder.inWords(missing: order.missing, misplaced: order.misplaced)
    else { return }
    // 'rouse verify' looks at each file by itself.
    message(text + (files.count == 1 ? "; 'rouse verify' tells where" : ""))
  }
}

/// The names in traces and the times of their first and last inputs, for messages.
struct TraceNames {
  private var types: Set<ExactName> = []
  private var devices: Set<ExactName> = []
  /// The apps that inputs name; nil if the events were not read.
  private var apps: Set<ExactName>?
  private var times: ClosedRange<Timestamp>?
  private var events = 0
  private var observations = 0

  init(_ files: [TraceFile], depth: TraceInfo.Depth = .names) throws(TraceError) {
    for file in files {
      let info = try TraceInfo(of: file, depth: depth)
      events += info.events
      observations += info.observations
      types.formUnion(info.types.compactMap { $0.name.map { ExactName($0) } })
      devices.formUnion(info.devices.compactMap { $0.name.map { ExactName($0) } })
      if let counts = info.counts {
        apps = (apps ?? []).union(counts.apps.map { ExactName($0) })
      }
      if let earliest = info.earliest, let latest = info.latest {
        let (first, last) = (times?.lowerBound ?? earliest, times?.upperBound ?? latest)
        times = min(first, earliest)...max(last, latest)
      }
    }
  }

  /// Whether there are events, and all of them are observations.
  var areOfObservationsAlone: Bool { events > 0 && events == observations }

  /// Whether saves or deletes have all these types, by the headers of blocks, which are read fast, up to where all
  /// are found.
  static func headers(of files: [TraceFile], have types: Set<ExactName>) -> Bool {
    var hashes = Set(types.map { NameHash.of($0.string) })
    for file in files where !hashes.isEmpty {
      var scan = BlockScan(file)
      do {
        while !hashes.isEmpty, let block = try scan.next() {
          hashes.subtract(block.header.types.map(\.typeHash))
        }
      } catch {
        return false
      }
    }
    return hashes.isEmpty
  }

  /// Whether blocks that begin before a time have inputs that are neither saves nor deletes, by their headers.
  static func mayHaveOthers(_ files: [TraceFile], before time: Int64) -> Bool {
    for file in files {
      var scan = BlockScan(file)
      // What cannot be read was told.
      while let block = try? scan.next() {
        let isOfSamples = block.hasObservationsOnly || block.header.flags.contains(.samplesOnly)
        if block.header.earliest < time, !isOfSamples { return true }
      }
    }
    return false
  }

  /// Tells of types that no save or delete has.
  func unmatched(types names: [String]) -> [String] {
    Self.told(
      names.filter { !types.contains(ExactName($0)) }, others: "types that no save or delete has"
    ) { "no save or delete has the type '\($0.shown)'" + hint($0, among: types) }
  }

  /// Tells of devices that no wake of logs has, nor an input.
  static func unmatched(
    devices names: [String], inLogs devices: Set<ExactName>, inputs: TraceNames?
  ) -> [String] {
    let known = devices.union(inputs?.devices ?? [])
    let what = inputs == nil ? "wake" : "wake or input"
    return told(
      names.filter { !known.contains(ExactName($0)) }, others: "devices that no \(what) has"
    ) {
      "no \(what) has the device '\($0.shown)'"
        + NearestNames.hint(to: $0, among: known.map(\.string))
    }
  }

  /// Tells of devices that no input has.
  func unmatched(devices names: [String]) -> [String] {
    Self.told(
      names.filter { !devices.contains(ExactName($0)) }, others: "devices that no input has"
    ) { "no input has the device '\($0.shown)'" + hint($0, among: devices) }
  }

  /// Tells of subscriptions on types that no save or delete has, and by apps that no input names, where inputs name apps.
  /// The same of caps other than those of presets.
  func unmatched(_ policy: Policy) -> [String] {
    let subscriptions = policy.subscriptions
    let subscribed = Set(subscriptions.map { ExactName($0.type) })
    var unknown = Self.told(
      subscriptions.filter { !types.contains(ExactName($0.type)) },
      others: "subscriptions on types that no save or delete has"
    ) {
      "the policy subscribes \($0.app.shown) to '\($0.type.shown)', which no save or delete has"
        + hint($0.type, among: types)
    }
    unknown += Self.told(
      policy.ownCaps.subtracting(types).subtracting(subscribed).sorted(),
      others: "types that the policy caps and no save or delete has"
    ) {
      "the policy caps '\($0.string.shown)', which no save or delete has"
        + hint($0.string, among: types)
    }
    guard let apps, !apps.isEmpty else { return unknown }
    let strangers = Set(subscriptions.map { ExactName($0.app) }).subtracting(apps)
    return unknown
      + Self.told(strangers.sorted(), others: "apps of the policy that no input names") {
        "no input names the policy's app '\($0.string.shown)'" + hint($0.string, among: apps)
      }
  }

  /// Tells when the inputs are, if none is from a time up to another one, or known to be there.
  func outside(_ from: Int64?, _ to: Int64?, isEmpty: Bool = false) -> [String] {
    guard let times, from != nil || to != nil else { return [] }
    let (first, end) = (from ?? .min, to ?? .max)
    guard
      isEmpty || first >= end || first > times.upperBound.nanoseconds
        || end <= times.lowerBound.nanoseconds
    else { return [] }
    return [
      "nothing is within --from and --to: the inputs are from \(times.lowerBound.iso8601) to "
        + times.upperBound.iso8601
    ]
  }

  /// What is told of each of some names; of many, of the first of them, and how many others there are. Each is compared with
  /// all names that there are, and nobody reads thousands of lines.
  private static func told<Name>(
    _ names: [Name], others: String, _ tell: (Name) -> String
  ) -> [String] {
    guard names.count > mostTold + 1 else { return names.map(tell) }
    return names.prefix(mostTold).map(tell)
      + ["there are \(names.count - mostTold) more \(others)"]
  }

  private static let mostTold = 20

  private func hint(_ name: String, among names: Set<ExactName>) -> String {
    NearestNames.hint(to: name, among: names.map(\.string))
  }
}

extension NearestNames {
  /// What to say behind a name that is not among `names`: the nearest ones, or else the first.
  static func hint(to name: String, among names: [String]) -> String {
    let names = Set(names).filter { !$0.isEmpty }.sorted()
    let near = of(name, among: names)
    let told = (near.isEmpty ? Array(names.prefix(3)) : near).map { "'\($0.shown)'" }
    guard !told.isEmpty else { return "" }
    return (near.isEmpty ? "; there are: " : "; the nearest: ") + told.joined(separator: ", ")
      + (near.isEmpty && names.count > told.count ? " …" : "")
  }
}
