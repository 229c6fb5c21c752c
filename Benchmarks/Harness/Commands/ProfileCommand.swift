import BenchmarkModel
import CommandLineSupport
import Measurement

/// `rouse-bench profile`
enum ProfileCommand: Command {
  static let specification = Specification.bench(
    "profile", "Run a benchmark's measured region for a profiler.", operands: "NAME", count: 1...1,
    discussion: """
      The benchmark is set up and warmed up outside of the region. With --perf-control, perf records the
      region only; CTL and ACK are the FIFOs of perf record --delay=-1 --control=fifo:CTL,ACK. The probes
      rouse:region_begin and rouse:region_end mark the region for tracers. A scheduler of --scheduler runs
      in this process.
      """,
    options: [
      .init("--seconds", value: "N", "The duration of the region (default 5)."),
      .init(
        "--perf-control", value: "CTL,ACK",
        "Restrict perf record --control=fifo:CTL,ACK to the region."),
    ] + SchedulerChoice.options.filter { $0.name != "--timeout" })

  /// The interval in which the region is left to read the clock, in nanoseconds.
  private static let sliceNanoseconds = 20_000_000.0

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let seconds = try arguments.seconds() ?? 5
    let name = arguments.operands[0]
    guard let benchmark = Suites.named(name) else {
      throw BenchmarkFailure("no benchmark is named '\(name)'; see rouse-bench list")
    }
    // Fail before the set-up if perf is not available.
    let perf = try arguments.value("--perf-control").map { paths throws(PerfControlError) in
      try PerfControl(paths: paths)
    }
    #if DEBUG
      Output.message("built without optimisation: the profile is not representative")
    #endif
    if arguments.has("--scheduler") { try Output.keepFromLibraries() }
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
