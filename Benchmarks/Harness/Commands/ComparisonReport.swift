import BenchmarkModel
import Measurement
import WakeEvents

/// A comparison as text.
enum ComparisonReport {
  static func text(_ comparison: BenchmarkComparison) -> String {
    var table = Table(["benchmark", "before", "after", "change", "interval", "verdict"])
    for result in comparison.results {
      table.append([
        result.name,
        RunReport.time(Statistics.median(of: result.pairs.map(\.before))),
        RunReport.time(Statistics.median(of: result.pairs.map(\.after))),
        ReportText.change(result.judgement.ratio),
        result.judgement.intervalText ?? "too few rounds",
        result.judgement.verdict.rawValue,
      ])
    }
    let rule = comparison.rule
    let rounds = comparison.results.map(\.judgement.rounds.count).max() ?? 0
    let skipped = comparison.skipped.map { $0.line + "\n" }.joined()
    let caveats = comparison.remarks.map { $0 + "\n" }.joined()
    let head = """
      \(RunReport.machine(comparison.machine))\
      before \(comparison.before.label.shown), after \(comparison.after.label.shown), seed \(comparison.seed), \
      \(ReportText.clock(of: comparison))

      """
    if comparison.results.isEmpty { return "\(head)\n\(skipped)" }
    return """
      \(head)
      \(Output.coloured(table.text))\(works(comparison))
      \(rounds) rounds; noise floor \(Quantity.percentage(rule.noiseFloor)), same within \
      \(Quantity.percentage(rule.sameWithin)), error rate \(Quantity.percentage(rule.errorRate)) \
      for all \(comparison.results.count) together
      \(caveats)\(skipped)
      """
  }

  /// What schedulers under test did, with a line before it; empty where none are compared.
  private static func works(_ comparison: BenchmarkComparison) -> String {
    var table = Table(["benchmark", "wakes", "digest"])
    for result in comparison.results {
      guard let work = result.work, let before = work.wakesBefore, let after = work.wakesAfter
      else { continue }
      table.append([
        result.name,
        before == after
          ? Quantity.count(before) : "\(Quantity.count(before)) → \(Quantity.count(after))",
        work.digestBefore == work.digestAfter
          ? work.digestBefore : "\(work.digestBefore) → \(work.digestAfter)",
      ])
    }
    return table.isEmpty ? "" : "\n" + table.text
  }
}

extension BenchmarkRun.Skip {
  /// A line of text: `SKIPPED: name: reason`.
  var line: String { "\(isFailure == true ? "FAILED" : "SKIPPED"): \(name): \(reason)".shown }
}
