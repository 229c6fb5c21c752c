import Measurement
import PageDrawing

/// Texts that all formats for people share.
package enum ReportText {
  /// A change in percent: `+5.2 %` for 1.052.
  package static func change(_ ratio: Double) -> String {
    guard ratio.isFinite else { return "n/a" }
    let percent = (ratio - 1) * 100
    let text = DecimalText.fixed(percent.magnitude, decimals: percent.magnitude < 100 ? 1 : 0)
    if ["0.0", "0"].contains(text) { return "±0 %" }
    return (percent < 0 ? "−" : "+") + text + " %"
  }

  /// The time of an operation: `12.3 ns`.
  package static func time(_ nanoseconds: Double?) -> String {
    nanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? "–"
  }

  /// A counter's value: `1,234`, `0.25`, `12.3 MB`.
  package static func value(_ value: Double, of counter: BenchmarkCounter.Name) -> String {
    guard value.isFinite else { return "n/a" }
    let bytes: Set<BenchmarkCounter.Name> = [.peakMemory, .allocatedBytes]
    if bytes.contains(counter), let whole = Int64(exactly: value.rounded()), value >= 1 {
      return Quantity.bytes(whole)
    }
    return count(value)
  }

  /// A mean count: whole numbers with separators, small ones with significant digits.
  package static func count(_ value: Double) -> String {
    if value.magnitude >= 100, let whole = Int64(exactly: value.rounded()) {
      return Quantity.count(whole)
    }
    if value != 0, value.magnitude < 0.001 { return value < 0 ? "> −0.001" : "< 0.001" }
    let text = DecimalText.fixed(value, decimals: value.magnitude < 1 ? 3 : 2)
    guard text.contains(".") else { return text }
    let short = text.reversed().drop { $0 == "0" }
    return String((short.first == "." ? short.dropFirst() : short).reversed())
  }

  /// The spread: the median absolute deviation as a fraction of the median.
  package static func spread(_ values: [Double]) -> Double? {
    guard values.count > 1, let median = Statistics.median(of: values), median > 0,
      let deviation = Statistics.medianAbsoluteDeviation(of: values)
    else { return nil }
    return deviation / median
  }

  /// The facts about a machine.
  static func facts(of machine: MachineDescription) -> [(name: String, value: String)] {
    var facts = [("System", machine.system), ("Architecture", machine.architecture)]
    if let processor = machine.processor { facts.append(("Processor", processor)) }
    facts.append(("Processors", Quantity.count(machine.processors)))
    if let memory = machine.memoryBytes { facts.append(("Memory", Quantity.bytes(memory))) }
    if let virtualization = machine.virtualization {
      facts.append(("Virtual machine", virtualization))
    }
    if let load = machine.loadAverage {
      facts.append(("Load before", "\(DecimalText.fixed(load, decimals: 2)) (1 min mean)"))
    }
    if let clock = machine.clockNanoseconds {
      facts.append(("Reading the clock", Quantity.duration(nanoseconds: clock)))
    }
    return facts.map { (name: $0.0, value: $0.1) }
  }

  /// A build in a line: `main 3b4ef1a, Swift 6.3, release`.
  static func line(of build: BuildDescription) -> String {
    let revision = build.revision.map { $0 == build.label ? "" : " \($0.prefix(12))" } ?? ""
    return "\(build.label)\(revision), \(build.compiler), \(build.configuration)"
  }

  /// The clock of a comparison's times, in words.
  package static func clock(of comparison: BenchmarkComparison) -> String {
    comparison.clock?.words ?? "an unknown clock"
  }

  /// The rule of the verdicts, in sentences.
  static func explanation(of comparison: BenchmarkComparison) -> String {
    let rule = comparison.rule
    return """
      Judged by \(clock(of: comparison)). \
      A benchmark is reported as slower or faster if the exact signed-rank test on the median log ratios of its rounds, \
      corrected for the number of benchmarks by Holm's method, finds the change beyond the noise floor \
      of \(Quantity.percentage(rule.noiseFloor)); one comparison in \
      \(Quantity.count(Int((1 / max(rule.errorRate, 1e-9)).rounded()))) may be wrong about any of them. It is \
      reported as same if the whole interval lies within ±\(Quantity.percentage(rule.sameWithin)), and otherwise \
      as inconclusive.
      """
  }

  /// A confidence, never rounded up to 100 %: `99.98 %`.
  static func confidence(_ confidence: Double) -> String {
    let percent = DecimalText.fixed((confidence * 10_000).rounded(.down) / 100, decimals: 2)
    return percent + " %"
  }

  /// A probability: `0.013`, `< 0.0001`.
  static func probability(_ value: Double) -> String {
    value < 0.0001 ? "< 0.0001" : DecimalText.fixed(value, decimals: 4)
  }
}

extension Verdict {
  /// A sign that distinguishes verdicts without colours.
  var sign: String {
    switch self {
    case .slower: "▲"
    case .faster: "▼"
    case .same: "="
    case .inconclusive: "?"
    }
  }

  /// In the order of importance.
  static let byWeight: [Verdict] = [.slower, .faster, .inconclusive, .same]
}

/// Counters without a value, grouped by reason.
package struct MissingCounters {
  package var reason: String
  /// The names in words.
  package var counters: [String]
  var benchmarks: [String]

  /// The groups of a run, in the order of appearance.
  package static func of(_ run: BenchmarkRun) -> [MissingCounters] {
    var found: [MissingCounters] = []
    for result in run.results {
      for counter in result.counters where counter.value == nil {
        let reason = counter.reason ?? "no reason recorded"
        let words = counter.name.words
        let place =
          found.firstIndex { $0.reason == reason }
          ?? {
            found.append(MissingCounters(reason: reason, counters: [], benchmarks: []))
            return found.count - 1
          }()
        if !found[place].counters.contains(words) { found[place].counters.append(words) }
        if found[place].benchmarks.last != result.name {
          found[place].benchmarks.append(result.name)
        }
      }
    }
    return found
  }

  /// The benchmarks concerned: `all benchmarks`, or their names.
  func benchmarksText(of run: BenchmarkRun) -> String {
    if benchmarks.count == run.results.count { return "all benchmarks" }
    let shown = benchmarks.prefix(5).joined(separator: ", ")
    return benchmarks.count > 5 ? "\(shown) and \(benchmarks.count - 5) more" : shown
  }
}
