import Measurement

/// A run as people read it.
enum RunReport {
  static func text(_ run: BenchmarkRun) -> String {
    var table = Table([
      "benchmark", "time", "±", "throughput", "allocations", "bytes", "faults", "instructions",
    ])
    for result in run.results {
      table.append([
        result.name,
        "\(time(result.medianNanoseconds)) / \(result.unit)",
        spread(result),
        Quantity.rate(perSecond: result.operationsPerSecond ?? .nan),
        figure(result.value(of: .allocations)), figure(result.value(of: .allocatedBytes)),
        figure(result.value(of: .minorPageFaults)),
        figure(result.value(of: .instructions) ?? result.value(of: .simulatedInstructions)),
      ])
    }
    let latencies = latencies(run)
    let curves = run.curves.map(text)
    return machine(run.machine) + "\n" + table.text
      + (latencies.isEmpty ? "" : "\n" + latencies)
      + (curves.isEmpty ? "" : "\n" + curves.joined()) + notes(run)
  }

  /// One line of the machine.
  static func machine(_ machine: MachineDescription) -> String {
    let virtual = machine.virtualization == nil ? "" : ", virtual"
    let load = machine.loadAverage.map { ", load \($0)" } ?? ""
    return "\(machine.processor ?? machine.architecture), \(machine.processors) processors"
      + "\(virtual)\(load), \(machine.system)\n"
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
    let error = curve.standardError.map { " ± \(rounded($0, 3))" } ?? ""
    let points = curve.points.map {
      "\(Quantity.count(Int($0.size))): \(time($0.nanosecondsPerOperation))"
    }
    return "\(curve.name): the cost of an operation grows with \(curve.variable) to the power of "
      + "\(rounded(curve.exponent, 3))\(error)\n  \(points.joined(separator: ", "))\n"
  }

  private static func notes(_ run: BenchmarkRun) -> String {
    // A reason is told once, with all that it concerns.
    var names: [String: [String]] = [:]
    for counter in run.results.flatMap(\.counters) {
      guard let reason = counter.reason else { continue }
      if !(names[reason, default: []].contains(counter.name.rawValue)) {
        names[reason, default: []].append(counter.name.rawValue)
      }
    }
    let unavailable = names.sorted { $0.key < $1.key }.map {
      "not counted: \($0.value.joined(separator: ", ")): \($0.key)\n"
    }
    let skipped = run.skipped.map { "SKIPPED: \($0.name): \($0.reason)\n" }
    let all = unavailable + skipped
    return all.isEmpty ? "" : "\n" + all.joined()
  }

  /// A time with three digits: `1.25 ns`.
  static func time(_ nanoseconds: Double?) -> String {
    guard var value = nanoseconds, value.isFinite else { return "n/a" }
    for unit in ["ns", "µs", "ms"] {
      if value < 999.5 { return "\(digits(value)) \(unit)" }
      value /= 1_000
    }
    return "\(digits(value)) s"
  }

  /// Half of the middle half of the samples, as a share of the median.
  private static func spread(_ result: BenchmarkResult) -> String {
    let times = result.samples.map(\.nanosecondsPerOperation)
    guard let median = Statistics.median(of: times),
      let deviation = Statistics.medianAbsoluteDeviation(of: times)
    else { return "" }
    return Quantity.percentage(deviation / median)
  }

  private static func figure(_ value: Double?) -> String {
    guard let value else { return "-" }
    return value == 0 ? "0" : value < 0.0005 ? "<0.001" : digits(value)
  }

  /// Three significant digits, though not beyond thousandths.
  static func digits(_ value: Double) -> String {
    value < 10 ? rounded(value, value < 0.995 ? 3 : 2) : rounded(value, value < 99.95 ? 1 : 0)
  }

  /// So many decimals.
  static func rounded(_ value: Double, _ decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    let whole = Int((abs(value) * scale).rounded())
    guard decimals > 0 else { return "\(value < 0 ? "-" : "")\(whole)" }
    let digits = String(whole)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return
      "\(value < 0 && whole > 0 ? "-" : "")\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }
}
