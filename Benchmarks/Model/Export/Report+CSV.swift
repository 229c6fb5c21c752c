import PageDrawing

extension BenchmarkRun {
  /// A line for each benchmark (RFC 4180), times in nanoseconds an operation; empty where nothing was measured.
  public var csv: String {
    let counters = CSV.names(of: results.flatMap(\.counters))
    var text = CSV.line(
      ["benchmark", "unit", "samples", "median", "median_processor", "wakes", "digest"] + counters)
    for result in results {
      text += CSV.line(
        [
          result.name, result.unit, "\(result.samples.count)", CSV.number(result.medianNanoseconds),
          CSV.number(result.medianProcessorNanoseconds), result.wakes.map { "\($0)" } ?? "",
          result.digest,
        ] + counters.map { CSV.number(result.value(of: .init(rawValue: $0))) })
    }
    return text
  }
}

extension BenchmarkComparison {
  /// A line for each benchmark (RFC 4180), times in nanoseconds an operation.
  public var csv: String {
    var text = CSV.line([
      "benchmark", "unit", "pairs", "rounds", "median_before", "median_after", "ratio", "lower",
      "upper", "p", "verdict", "wakes_before", "wakes_after", "digest_before", "digest_after",
    ])
    for result in results {
      let (judgement, work) = (result.judgement, result.work)
      text += CSV.line([
        result.name, result.unit, "\(result.pairs.count)", "\(judgement.rounds.count)",
        CSV.number(result.medians?.before), CSV.number(result.medians?.after),
        CSV.number(judgement.ratio), CSV.number(judgement.lower), CSV.number(judgement.upper),
        CSV.number(judgement.pValue), judgement.verdict.rawValue,
        work?.wakesBefore.map { "\($0)" } ?? "", work?.wakesAfter.map { "\($0)" } ?? "",
        work?.digestBefore ?? "", work?.digestAfter ?? "",
      ])
    }
    return text
  }
}

/// Comma-separated values as RFC 4180 has them.
private enum CSV {
  /// The names of counters, each once, in the order of appearance.
  static func names(of counters: [BenchmarkCounter]) -> [String] {
    var seen: Set<String> = []
    return counters.map(\.name.rawValue).filter { seen.insert($0).inserted }
  }

  static func number(_ value: Double?) -> String {
    value.flatMap { $0.isFinite ? DecimalText.shortest($0) : nil } ?? ""
  }

  static func line(_ fields: [String]) -> String {
    fields.map { field in
      guard field.contains(where: { ",\"\n\r\r\n".contains($0) }) else { return field }
      return "\"\(field.replacing("\"", with: "\"\""))\""
    }.joined(separator: ",") + "\r\n"
  }
}
