import Glibc
import WakeEvents
import WakeHosting
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

/// Inputs to check a scheduler with, beside those that Rouse has.
enum CheckedInputs {
  /// The most events of a trace: the runs of a check keep them all.
  private static let mostEvents = 2_000_000

  /// Reads a trace, or a folder with `input.jsonl` and `policy.json`, as the worked cases are kept.
  ///
  /// - Parameter policy: The policy of traces; nil takes `NAME.policy.json` beside `NAME.wtrace`, else that of iOS.
  static func read(_ path: String, policy: Policy?) throws -> RulesCheck.Given {
    try StartFolder.enter()
    if SystemCalls.status(of: path)?.sort == S_IFDIR { return try readFolder(path) }
    let export = try TraceExport([TraceFile(path: path)])
    guard export.eventCount <= mostEvents else {
      throw TraceError(
        .invalidOption, path,
        "has \(export.eventCount) events, and a check takes at most \(mostEvents): give it a part "
          + "('rouse split'), or compare wake logs of 'rouse replay'")
    }
    var events: [Event] = []
    events.reserveCapacity(export.eventCount)
    try export.forEachEvent { events.append($0) }
    return RulesCheck.Given(
      origin: "'\(path)'", events: events, policy: try policy ?? policyBeside(path),
      symbols: export.symbols)
  }

  private static func readFolder(_ path: String) throws -> RulesCheck.Given {
    let symbols = Symbols()
    let inputs = path + "/input.jsonl"
    var reader = JSONLinesReader(file: inputs, symbols: symbols)
    var rest = try InputFile(path: inputs).readAll(limit: 1 << 30)[...]
    var events: [Event] = []
    try reader.read { span in
      let count = min(span.count, rest.count)
      for place in 0..<count { span[place] = rest[rest.startIndex + place] }
      rest = rest.dropFirst(count)
      return count
    } onEvent: { event, _ in
      events.append(event)
    }
    return RulesCheck.Given(
      origin: "'\(path)'", events: events,
      policy: try NamedPolicy(argument: path + "/policy.json").policy, symbols: symbols)
  }

  private static func policyBeside(_ path: String) throws -> Policy {
    let name = path.hasSuffix(".wtrace") ? String(path.dropLast(7)) : path
    let file = name + ".policy.json"
    return SystemCalls.status(of: file) != nil ? try NamedPolicy(argument: file).policy : .iOS
  }
}
