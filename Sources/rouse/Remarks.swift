import CommandLineSupport
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

  /// What to say about a replay's result, a line each.
  func remarks(on result: ReplayResult) -> [String] {
    unmatched(result) + unanswered(result)
  }

  private func unmatched(_ result: ReplayResult) -> [String] {
    let idle = Set(result.apps.filter { $0.wakes == 0 }.map { ExactName($0.app) })
    let subscriptions = options.policy.subscriptions.filter { idle.contains(ExactName($0.app)) }
    let selection = options.selection
    let hasRange = selection.from != nil || selection.to != nil
    // What cannot be read, such as a damaged trace of which the replay keeps going, is told already.
    guard
      !subscriptions.isEmpty || !selection.types.isEmpty || !selection.devices.isEmpty
        || hasRange && result.summary.inputs == 0, let names = try? TraceNames(files)
    else { return [] }
    var remarks =
      names.unmatched(types: selection.types.sorted().map(\.string))
      + names.unmatched(devices: selection.devices.sorted().map(\.string))
      + names.unmatched(subscriptions)
    if result.summary.inputs == 0 { remarks += names.outside(selection.from, selection.to) }
    return remarks
  }

  private func unanswered(_ result: ReplayResult) -> [String] {
    let summary = result.summary
    if summary.saves > 0, result.apps.isEmpty {
      return [
        "no app has a subscription, so nothing is woken; 'rouse policy new' writes a policy with "
          + "\"subscriptions\""
      ]
    }
    guard summary.wakes > 0, summary.completed == 0, summary.ignoredCompletions == 0,
      options.policy.behaviour.completesAfter == nil
    else { return [] }
    return [
      "no wake was answered: the inputs have no completions, and the policy's "
        + "\"behaviour.completesAfter\" is null; 'rouse policy new' writes a policy that answers"
    ]
  }
}

/// The names in traces and the times of their first and last inputs, for messages.
struct TraceNames {
  private var types: Set<ExactName> = []
  private var devices: Set<ExactName> = []
  /// The apps that inputs name; nil if the events were not read.
  private var apps: Set<ExactName>?
  private var times: ClosedRange<Timestamp>?

  init(_ files: [TraceFile], depth: TraceInfo.Depth = .names) throws(TraceError) {
    for file in files {
      let info = try TraceInfo(of: file, depth: depth)
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

  /// Tells of types that no save or delete has.
  func unmatched(types names: [String]) -> [String] {
    names.filter { !types.contains(ExactName($0)) }.map {
      "no save or delete has the type '\($0.shown)'" + hint($0, among: types)
    }
  }

  /// Tells of devices that no input has.
  func unmatched(devices names: [String]) -> [String] {
    names.filter { !devices.contains(ExactName($0)) }.map {
      "no input has the device '\($0.shown)'" + hint($0, among: devices)
    }
  }

  /// Tells of subscriptions on types that no save or delete has, and by apps that no input names, where inputs name apps.
  func unmatched(_ subscriptions: [Policy.Subscription]) -> [String] {
    let unknown = subscriptions.filter { !types.contains(ExactName($0.type)) }.map {
      "the policy subscribes \($0.app.shown) to '\($0.type.shown)', which no save or delete has"
        + hint($0.type, among: types)
    }
    guard let apps, !apps.isEmpty else { return unknown }
    let strangers = Set(subscriptions.map { ExactName($0.app) }).subtracting(apps)
    return unknown
      + strangers.sorted().map {
        "no input names the policy's app '\($0.string.shown)'" + hint($0.string, among: apps)
      }
  }

  /// Tells when the inputs are, if none is from a time up to another one.
  func outside(_ from: Int64?, _ to: Int64?) -> [String] {
    guard let times else { return [] }
    let (first, end) = (from ?? .min, to ?? .max)
    guard
      first >= end || first > times.upperBound.nanoseconds || end <= times.lowerBound.nanoseconds
    else { return [] }
    return [
      "nothing is within --from and --to: the inputs are from \(times.lowerBound.iso8601) to "
        + times.upperBound.iso8601
    ]
  }

  private func hint(_ name: String, among names: Set<ExactName>) -> String {
    NearestNames.hint(to: name, among: names.map(\.string))
  }
}

extension NearestNames {
  /// What to say behind a name that is not among `names`: the nearest ones.
  static func hint(to name: String, among names: [String]) -> String {
    let near = of(name, among: Array(Set(names)))
    return near.isEmpty
      ? "" : "; the nearest: " + near.map { "'\($0.shown)'" }.joined(separator: ", ")
  }
}
