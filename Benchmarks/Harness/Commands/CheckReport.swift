import BenchmarkModel
import WakeEvents

/// The result of a check, as text and as JSON.
struct CheckReport: Encodable {
  var run: BenchmarkRun
  var check: BenchmarkCheck

  /// The keys of the run, and the findings besides: a reader of runs can read this too.
  func encode(to encoder: any Encoder) throws {
    try run.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(check.findings, forKey: .findings)
  }

  private enum CodingKeys: String, CodingKey {
    case findings
  }

  /// The metrics that could not be compared: a line for each reason, with the benchmarks.
  var unknown: [String] {
    var places: [String: [String]] = [:]
    var order: [(key: String, what: String, message: String)] = []
    for finding in check.findings where finding.outcome == .unknown {
      let key = "\(finding.what)\n\(finding.message)"
      if places[key] == nil { order.append((key, finding.what, finding.message)) }
      places[key, default: []].append(finding.benchmark)
    }
    return order.map { "\($0.what) of \(Self.names(places[$0.key] ?? [])): \($0.message)" }
  }

  private static func names(_ names: [String]) -> String {
    names.count <= 5
      ? names.joined(separator: ", ")
      : "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) more"
  }

  /// The metrics that are worse or better, and the number of findings of each kind. Unknown ones are listed on standard
  /// error.
  var text: String {
    let lines = check.findings.filter { [.better, .regression].contains($0.outcome) }.map {
      "\(Self.word($0.outcome)): \($0.benchmark): \($0.what): \($0.message)".shown + "\n"
    }
    let counts = [BenchmarkCheck.Outcome.fine, .better, .regression, .unknown].map { outcome in
      "\(check.findings.count { $0.outcome == outcome }) \(Self.word(outcome))"
    }
    return lines.joined() + counts.joined(separator: ", ") + "\n"
  }

  private static func word(_ outcome: BenchmarkCheck.Outcome) -> String {
    switch outcome {
    case .fine: "fine"
    case .better: "better"
    case .regression: "worse"
    case .unknown: "unknown"
    }
  }
}
