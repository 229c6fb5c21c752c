import BenchmarkModel
import CommandLineSupport
import Measurement

/// `rouse-bench profile`
enum ProfileCommand: Command {
  static let specification = Specification.bench(
    "profile", "Run a benchmark's measured region for a profiler.", operands: "NAME", count: 1...1,
    discussion: """
      The benchmark is set up and warmed up outside of the region. With --perf-control, perf sees the
      region alone; CTL and ACK are the FIFOs of perf record --delay=-1 --control=fifo:CTL,ACK. Tracers
      find its ends at the probes rouse:region_begin and rouse:region_end.
      """,
    options: [
      .init("--seconds", value: "N", "How long the region lasts (default 5)."),
      .init(
        "--perf-control", value: "CTL,ACK",
        "Let perf record --control=fifo:CTL,ACK see the region alone."),
    ])

  /// The region is left to look at the clock about so often.
  private static let sliceNanoseconds = 20_000_000.0

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let seconds = try arguments.seconds() ?? 5
    let name = arguments.operands[0]
    guard let benchmark = Suites.named(name) else {
      throw BenchmarkFailure("no benchmark is called '\(name)'; see rouse-bench list")
    }
    // Whoever waits for perf need not wait for the set-up to learn that it is not there.
    let perf = try arguments.value("--perf-control").map { paths throws(PerfControlError) in
      try PerfControl(paths: paths)
    }
    #if DEBUG
      Output.message("built without optimisation: the profile is of little worth")
    #endif
    let subject = try Subject(benchmark)
    let iterations = try subject.iterations(lasting: sliceNanoseconds)
    var samples: [BenchmarkResult.Sample] = []
    let origin = MonotonicClock.now()
    let deadline = origin &+ UInt64(min(seconds * 1_000_000_000, 1e18))
    try MeasuredRegion(name, perf: perf).measure {
      repeat {
        samples.append(try subject.sample(iterations: iterations, since: origin))
      } while MonotonicClock.now() < deadline
    }
    let times = samples.map(\.nanosecondsPerOperation)
    let median = Statistics.median(of: times).map { Quantity.duration(nanoseconds: $0) } ?? ""
    let operations = samples.reduce(0) { $0 + $1.operations }
    Output.print(
      "\(name): \(Quantity.count(operations)) operations, \(median)/\(benchmark.unit), in "
        + "\(Quantity.duration(nanoseconds: MonotonicClock.now() &- origin))\n")
    return .success
  }
}
