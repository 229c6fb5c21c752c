import Measurement
import PageDrawing

extension BenchmarkRun {
  /// The run as Markdown (GitHub's dialect, with tables).
  public var markdown: String {
    var text = "# Benchmarks\n\n\(Markdown.escaped(tool)) · \(Markdown.escaped(startedAt)) · "
    text += "\(Markdown.escaped(ReportText.line(of: build)))\n\n"
    if results.isEmpty {
      text += "Nothing was measured.\n"
    } else {
      var table = Markdown.Table(
        ["Benchmark", "Time", "Spread", "Throughput", "Allocations", "Instructions", "Samples"])
      for result in results { table.append(Self.row(result)) }
      text += table.text
    }
    if !curves.isEmpty {
      text += "\n## How costs grow\n\n"
      var table = Markdown.Table(
        ["Cost an operation", "Sizes", "From", "To", "Exponent ± its error"])
      for curve in curves { table.append(Self.row(curve)) }
      text += table.text
    }
    let missing = MissingCounters.of(self)
    if !missing.isEmpty || !skipped.isEmpty {
      text += "\n## Not measured\n\n"
      for entry in missing {
        text += Markdown.item(
          entry.counters.joined(separator: ", "),
          "\(entry.reason) (\(entry.benchmarksText(of: self)))")
      }
      text += Markdown.items(skipped)
    }
    return text + Markdown.machine(machine)
  }

  private static func row(_ result: BenchmarkResult) -> [String] {
    [
      result.name,
      result.medianNanoseconds.map { "\(ReportText.time($0))/\(result.unit)" } ?? "–",
      ReportText.spread(result.samples.map(\.nanosecondsPerOperation))
        .map { "± \(Quantity.percentage($0))" } ?? "–",
      result.operationsPerSecond.map { Quantity.rate(perSecond: $0) } ?? "–",
      result.value(of: .allocations).map(ReportText.count) ?? "–",
      (result.value(of: .instructions) ?? result.value(of: .simulatedInstructions))
        .map(ReportText.count) ?? "–",
      Quantity.count(result.samples.count),
    ]
  }

  private static func row(_ curve: ScalingCurve) -> [String] {
    func end(_ point: ScalingCurve.Point?) -> String {
      point.map {
        "\(ReportText.time($0.nanosecondsPerOperation)) at \(ReportText.count($0.size))"
      } ?? "–"
    }
    return [
      "\(curve.name) by \(curve.variable)", Quantity.count(curve.points.count),
      end(curve.points.first), end(curve.points.last),
      curve.isPower ? curve.exponentText : "none: \(curve.missText)",
    ]
  }
}

extension ScalingCurve {
  /// The exponent with its error: `0.02 ± 0.01`.
  package var exponentText: String {
    DecimalText.fixed(exponent, decimals: 3).replacing("-", with: "−")
      + (standardError.map { " ± \(DecimalText.fixed($0, decimals: 3))" } ?? "")
  }

  /// The error of the best power law: `the best, 0.351, is off by a factor of 1.8`.
  package var missText: String {
    let factor = greatestDeviation
    let power = DecimalText.fixed(exponent, decimals: 3).replacing("-", with: "−")
    let text = factor.isFinite ? DecimalText.fixed(factor, decimals: 1) : "any size"
    return "the best, \(power), is off by a factor of \(text)"
  }
}

extension BenchmarkComparison {
  /// The comparison as Markdown (GitHub's dialect, with tables), regressions first.
  public var markdown: String {
    var text = "# Comparison of benchmarks\n\n"
    text += Markdown.item("Before", ReportText.line(of: before))
    text += Markdown.item("After", ReportText.line(of: after))
    text +=
      Markdown.item(
        "Measured", "\(startedAt) by \(tool), seed \(seed), \(ReportText.clock(of: self))") + "\n"
    if results.isEmpty {
      text += "Nothing was compared.\n"
    } else {
      text += "**\(verdictCounts)**\n\n"
      var table = Markdown.Table(
        ["Benchmark", "Before", "After", "Change", "Interval", "p", "Pairs", "Verdict"])
      for verdict in Verdict.byWeight {
        for result in results where result.judgement.verdict == verdict {
          table.append(Self.row(result))
        }
      }
      text += table.text + "\n\(ReportText.explanation(of: self))\n"
    }
    for caveat in remarks { text += "\n**\(Markdown.escaped(caveat))**\n" }
    if !skipped.isEmpty { text += "\n## Not compared\n\n" + Markdown.items(skipped) }
    return text + Markdown.machine(machine)
  }

  /// The number of each verdict: `1 slower, 0 faster, 2 inconclusive, 30 same`.
  var verdictCounts: String {
    Verdict.byWeight.map { verdict in
      "\(results.count { $0.judgement.verdict == verdict }) \(verdict.rawValue)"
    }.joined(separator: ", ")
  }

  private static func row(_ result: Result) -> [String] {
    let judgement = result.judgement
    return [
      result.name,
      ReportText.time(Statistics.median(of: result.pairs.map(\.before))),
      ReportText.time(Statistics.median(of: result.pairs.map(\.after))),
      result.pairs.isEmpty ? "–" : ReportText.change(judgement.ratio),
      judgement.intervalText ?? "–",
      ReportText.probability(judgement.pValue),
      Quantity.count(result.pairs.count),
      "\(judgement.verdict.sign) \(judgement.verdict.rawValue)",
    ]
  }
}

extension Judgement {
  /// The interval of the change: `+4.8 % … +5.6 %`; nil without one.
  package var intervalText: String? {
    guard let lower, let upper else { return nil }
    return "\(ReportText.change(lower)) … \(ReportText.change(upper))"
  }
}

/// Functions for Markdown.
enum Markdown {
  /// A table whose first column is aligned left and whose others are aligned right.
  struct Table {
    private(set) var text: String
    private let columns: Int

    init(_ head: [String]) {
      columns = head.count
      text = "| \(head.joined(separator: " | ")) |\n|:--|"
      text += String(repeating: "--:|", count: columns - 1) + "\n"
    }

    mutating func append(_ cells: [String]) {
      text += "| \(cells.map(Markdown.escaped).joined(separator: " | ")) |\n"
    }
  }

  static func item(_ head: String, _ rest: String) -> String {
    "- **\(escaped(head))**: \(escaped(rest))\n"
  }

  static func items(_ skips: [BenchmarkRun.Skip]) -> String {
    skips.map { item($0.name, $0.reason) }.joined()
  }

  static func machine(_ machine: MachineDescription) -> String {
    "\n## Machine\n\n"
      + ReportText.facts(of: machine).map { item($0.name, $0.value) }.joined()
  }

  /// Escapes text to one line without markup.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if let entity = HTML.entity(of: scalar) {
        escaped += entity
        continue
      }
      switch scalar {
      // A bar ends a table cell even in code, unless a backslash precedes it.
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#": escaped += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace:
        escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
