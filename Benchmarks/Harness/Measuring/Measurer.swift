import BenchmarkModel
import Measurement
import RegionHooks
import WakeScheduling

/// Measures benchmarks one after another.
struct Measurer {
  struct Settings {
    /// Seconds of samples for each benchmark.
    var seconds = 1.0
    /// Samples are about so long.
    var sampleNanoseconds = 10_000_000.0
    /// Below 8, no interval of their median has a confidence of 99 %.
    var samples = 8...100
    /// Only what repeats exactly: one sample, no latencies.
    var isExact = false
  }

  let settings: Settings
  private let origin = MonotonicClock.now()
  private let hardware = HardwareCounters()

  init(_ settings: Settings) {
    self.settings = settings
    // As in comparisons; and counts of allocated bytes repeat, as arrays grow by what pieces hold.
    rouse_keep_freed_memory()
  }

  /// Sets up and measures a benchmark.
  func measure(_ benchmark: Benchmark) throws -> BenchmarkResult {
    // The memory of earlier benchmarks is given back first, and then a peak of this one's own begins.
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
    // Twice, as the first may still make room that later ones find made.
    _ = try subject.allocations()
    result.counters = try subject.allocations()
    let before = ResourceUsage.current()
    let deadline = MonotonicClock.now() + UInt64(settings.seconds * 1_000_000_000)
    _ = hardware.take()
    let wanted = settings.isExact ? 1...1 : settings.samples
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
    if !settings.isExact { result.latencies = try subject.prepared.latencies?() }
    return result
  }

  private func peak(_ usage: ResourceUsage, _ reason: String?) -> BenchmarkCounter {
    guard reason == nil, let bytes = usage.peakResidentBytes else {
      return BenchmarkCounter(.peakMemory, unavailable: reason ?? "the system does not tell")
    }
    return BenchmarkCounter(.peakMemory, Double(bytes))
  }

  /// The curves that the results give.
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
