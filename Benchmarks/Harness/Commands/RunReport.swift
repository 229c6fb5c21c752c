import BenchmarkModel
import Measurement
import WakeEvents

/// A run as text.
enum RunReport {
  static func text(_ run: BenchmarkRun) -> String {
    var table = Table([
      "benchmark", "time", "±", "throughput", "allocations", "bytes", "peak memory", "faults",
      "instructions",
    ])
    for result in run.results {
      table.append([
        result.name,
        "\(time(result.medianNanoseconds)) / \(result.unit)",
        spread(result),
        Quantity.rate(perSecond: result.operationsPerSecond ?? .nan),
        figure(result.value(of: .allocations)), figure(result.value(of: .allocatedBytes)),
        result.value(of: .peakMemory).map { ReportText.value($0, of: .peakMemory) } ?? "-",
        figure(result.value(of: .minorPageFaults)),
        figure(result.value(of: .instructions) ?? result.value(of: .simulatedInstructions)),
      ])
    }
    let latencies = latencies(run)
    let curves = run.curves.map(text)
    let works = works(run)
    guard !run.results.isEmpty else { return machine(run.machine) + notes(run) }
    return machine(run.machine) + "\n" + table.text
      + "time: elapsed, where check and compare take processor time; ±: the median absolute deviation of the "
      + "samples\n"
      + (works.isEmpty ? "" : "\n" + works)
      + (latencies.isEmpty ? "" : "\n" + latencies)
      + (curves.isEmpty ? "" : "\n" + curves.joined()) + notes(run)
  }

  /// The machine in one line.
  static func machine(_ machine: MachineDescription) -> String {
    let load = machine.loadAverage.map { ", load \($0)" } ?? ""
    return "\(machine.summary)\(load), \(machine.system)".shown + "\n"
  }

  /// What a scheduler under test did.
  private static func works(_ run: BenchmarkRun) -> String {
    var table = Table(["benchmark", "wakes", "digest"])
    for result in run.results {
      guard let wakes = result.wakes else { continue }
      table.append([result.name, Quantity.count(wakes), result.digest])
    }
    return table.isEmpty ? "" : table.text
  }

  private static func latencies(_ run: BenchmarkRun) -> String {
    var table = Table(["latency of events", "p50", "p90", "p99", "p99.9", "p99.99", "max"])
    var hasAny = false
    for result in run.results {
      guard let latencies = result.latencies else { continue }
      hasAny = true
      table.append(
        [result.name]
          + [50, 90, 99, 99.9, 99.99, 100].map {
            time(Double(latencies.value(atPercentile: $0)))
          })
    }
    return hasAny ? table.text : ""
  }

  private static func text(_ curve: ScalingCurve) -> String {
    let points = curve.points.map {
      "\(ReportText.count($0.size)): \(time($0.nanosecondsPerOperation))"
    }
    let error = curve.standardError == nil ? "" : " (its standard error)"
    let power =
      curve.isPower
      ? "to the power \(curve.exponentText)\(error)" : "by no power law: \(curve.missText)"
    return "\(curve.name): the cost of an operation grows with \(curve.variable) \(power)".shown
      + "\n"
      + "  \(points.joined(separator: ", "))\n"
  }

  private static func notes(_ run: BenchmarkRun) -> String {
    let unavailable = MissingCounters.of(run).map {
      "not counted: \($0.counters.joined(separator: ", ")): \($0.reason)".shown + "\n"
    }
    let skipped = run.skipped.map { $0.line + "\n" }
    let all = unavailable + skipped
    return all.isEmpty ? "" : "\n" + all.joined()
  }

  /// The time of an operation: `1.25 ns`.
  static func time(_ nanoseconds: Double?) -> String { ReportText.time(nanoseconds) }

  /// The median absolute deviation, as a fraction of the median.
  private static func spread(_ result: BenchmarkResult) -> String {
    ReportText.spread(result.samples.map(\.nanosecondsPerOperation)).map(Quantity.percentage) ?? ""
  }

  private static func figure(_ value: Double?) -> String { value.map(ReportText.count) ?? "-" }
}
