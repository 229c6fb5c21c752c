import PageDrawing

extension MeasuredBuild {
  /// The JSON of github-action-benchmark's tool `customSmallerIsBetter`: median times, and the available counters.
  public var gitHubAction: String {
    var entries: [OrderedJSON] = []
    for benchmark in benchmarks {
      let times = benchmark.times.filter(\.isFinite)
      if let median = Statistics.median(of: times),
        let spread = Statistics.medianAbsoluteDeviation(of: times)
      {
        entries.append(
          .object([
            ("name", .string(benchmark.name)),
            ("unit", .string("ns/\(benchmark.unit)")),
            ("value", .number(median)),
            ("range", .string("± \(DecimalText.fixed(spread, decimals: 3))")),
            ("extra", .string(extra(samples: times.count))),
          ]))
      }
      for counter in benchmark.counters {
        guard let value = counter.value, value.isFinite else { continue }
        entries.append(
          .object([
            ("name", .string("\(benchmark.name) · \(counter.name.rawValue)")),
            ("unit", .string(counter.name.unit(per: benchmark.unit))),
            ("value", .number(value)),
          ]))
      }
    }
    return OrderedJSON.array(entries).text
  }

  private func extra(samples: Int) -> String {
    let revision = build.revision.map { " \($0)" } ?? ""
    return """
      median of \(samples) samples of \(clock?.words ?? "an unknown clock"), ± median absolute deviation
      \(build.label)\(revision), \(build.compiler) \(build.configuration)
      \(machine.processor ?? machine.architecture), \(machine.processors) processors
      """
  }
}

extension BenchmarkCounter.Name {
  /// The unit of a counter, for each operation where it is one: `allocations/event`.
  func unit(per operation: String) -> String {
    switch self {
    case .peakMemory: "bytes"
    case .bytesPerEvent: "bytes/event"
    case .allocatedBytes: "bytes/\(operation)"
    default: "\(words)/\(operation)"
    }
  }

  /// The name in words: `minor page faults`.
  var words: String {
    rawValue.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }
}
