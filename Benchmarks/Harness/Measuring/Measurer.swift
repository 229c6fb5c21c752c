import BenchmarkModel
import Measurement
import RegionHooks
import WakeScheduling

/// Measures benchmarks one after another.
struct Measurer {
  struct Settings {
    /// Seconds of samples for each benchmark.
    var seconds = 1.0
    /// The approximate duration of a sample, in nanoseconds.
    let sampleNanoseconds = 10_000_000.0
    /// Whether only exactly repeatable metrics are measured: one sample, no latencies.
    var isExact = false

    /// The least number of samples, and the greatest, which fills the seconds. Below 8, no interval of their median has a
    /// confidence of 99 %.
    var samples: ClosedRange<Int> {
      isExact ? 1...1 : 8...max(100, Int(seconds * 1e9 / sampleNanoseconds))
    }
  }

  let settings: Settings
  private let origin = MonotonicClock.now()
  private let hardware = HardwareCounters()

  init(_ settings: Settings) {
    self.settings = settings
    // As in comparisons. Counts of allocated bytes repeat too, as arrays grow by the sizes of the allocator's blocks.
    rouse_keep_freed_memory()
  }

  /// Sets up and measures a benchmark.
  func measure(_ benchmark: Benchmark) throws -> BenchmarkResult {
    // Free the memory of earlier benchmarks, then reset the peak.
    rouse_give_back_freed_memory()
    let withoutPeak = ResourceUsage.resetPeak()
    let subject = try Subject(benchmark)
    var result = BenchmarkResult(
      name: benchmark.name,
      tags: Benchmark.Tag.allCases.filter(benchmark.tags.contains).map(\.rawValue),
      unit: benchmark.unit, digest: "\(Digest(value: subject.expected))")
    let iterations =
      try settings.isExact ? 1 : subject.iterations(lasting: settings.sampleNanoseconds)
    if settings.isExact { _ = try subject.sample(iterations: 1, since: origin) }
    // Twice, as the first iteration allocates buffers that later ones reuse.
    _ = try subject.allocations()
    result.counters = try subject.allocations()
    let before = ResourceUsage.current()
    let deadline = MonotonicClock.now() + UInt64(settings.seconds * 1_000_000_000)
    _ = hardware.take()
    let wanted = settings.samples
    while result.samples.count < wanted.lowerBound
      || result.samples.count < wanted.upperBound && MonotonicClock.now() < deadline
    {
      result.samples.append(
        try subject.sample(iterations: iterations, since: origin, hardware: hardware))
    }
    let after = ResourceUsage.current()
    let operations = result.samples.reduce(0) { $0 + $1.operations }
    result.counters += [
      BenchmarkCounter(
        .minorPageFaults,
        Double(after.minorPageFaults - before.minorPageFaults) / Double(operations)),
      BenchmarkCounter(
        .majorPageFaults,
        Double(after.majorPageFaults - before.majorPageFaults) / Double(operations)),
      peak(after, withoutPeak),
    ]
    result.counters += hardware.take()
    result.counters += subject.prepared.counters
    result.wakes = subject.prepared.wakes?()
    if !settings.isExact { result.latencies = try subject.prepared.latencies?() }
    return result
  }

  private func peak(_ usage: ResourceUsage, _ reason: String?) -> BenchmarkCounter {
    guard reason == nil, let bytes = usage.peakResidentBytes else {
      return BenchmarkCounter(.peakMemory, unavailable: reason ?? "not available")
    }
    return BenchmarkCounter(.peakMemory, Double(bytes))
  }

  /// The curves of the results.
  static func curves(_ results: [BenchmarkResult]) -> [ScalingCurve] {
    var points: [String: [ScalingCurve.Point]] = [:]
    var variables: [String: String] = [:]
    for result in results {
      guard let place = Suites.named(result.name)?.place, let cost = result.medianNanoseconds
      else { continue }
      variables[place.curve] = place.variable
      points[place.curve, default: []].append(
        .init(
          benchmark: result.name, size: Double(place.size), nanosecondsPerOperation: cost))
    }
    return variables.sorted { $0.key < $1.key }.compactMap { curve, variable in
      ScalingCurve(name: curve, variable: variable, points: points[curve] ?? [])
    }
  }
}
