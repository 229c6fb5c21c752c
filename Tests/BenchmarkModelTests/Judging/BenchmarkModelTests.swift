import BenchmarkModel
import Foundation
import Measurement
import Testing

@Suite("Benchmark runs and bars")
struct BenchmarkModelTests {
  private func run(
    allocations: Double? = 2, instructions: Double = 100, time: UInt64 = 1_000,
    digest: String = "00000000000000ff", compiler: String = "Swift 6.3"
  ) -> BenchmarkRun {
    var run = BenchmarkRun(
      tool: "rouse-bench 0", startedAt: "2026-01-01T00:00:00Z",
      machine: MachineDescription(system: "Linux", architecture: "x86_64", processors: 2),
      build: BuildDescription(label: "this", configuration: "release", compiler: compiler))
    var result = BenchmarkResult(name: "a/b", tags: ["micro"], unit: "event", digest: digest)
    for number in 0..<20 {
      result.samples.append(
        .init(
          at: UInt64(number), operations: 10, nanoseconds: 2 * time,
          processorNanoseconds: time + UInt64(number % 3)))
    }
    result.counters = [
      allocations.map { BenchmarkCounter(.allocations, $0) }
        ?? BenchmarkCounter(.allocations, unavailable: "not here"),
      BenchmarkCounter(.simulatedInstructions, instructions),
      BenchmarkCounter(.cycles, unavailable: "no counters"),
    ]
    run.results = [result]
    return run
  }

  @Test("a run is the same after its JSON, and a missing counter is null")
  func coding() throws {
    let original = run()
    let data = try JSONEncoder().encode(original)
    #expect(try JSONDecoder().decode(BenchmarkRun.self, from: data) == original)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"schemaVersion\":1"))
    #expect(text.contains("\"value\":null"), "\(text)")
    #expect(original.results[0].value(of: .cycles) == nil)
  }

  @Test("figures of a result come from its samples")
  func figures() {
    let result = run().results[0]
    #expect(result.medianNanoseconds == 200)
    #expect(result.medianProcessorNanoseconds == 100.1)
    #expect(result.operationsPerSecond == 5_000_000)
    #expect(BenchmarkResult(name: "", tags: [], unit: "", digest: "").medianNanoseconds == nil)
  }

  @Test("latencies keep the percentiles of their histogram")
  func latencies() throws {
    var histogram = Histogram()
    for value in 1...100_000 { histogram.record(Int64(value)) }
    let made = BenchmarkResult.Latencies(histogram)
    let latencies = try #require(made)
    for percentile in [0, 1, 50, 90, 99, 99.9, 99.999, 100] {
      #expect(
        latencies.value(atPercentile: percentile) == histogram.value(atPercentile: percentile),
        "\(percentile)")
    }
    let none = BenchmarkResult.Latencies(Histogram())
    #expect(none == nil)
  }

  @Test("a curve has the exponent that made it")
  func curve() throws {
    let points = [10.0, 100, 1_000].map {
      ScalingCurve.Point(
        benchmark: "\($0)", size: $0, nanosecondsPerOperation: 3 * $0.squareRoot())
    }
    let made = ScalingCurve(name: "c", variable: "events", points: points.reversed())
    let curve = try #require(made)
    #expect(abs(curve.exponent - 0.5) < 1e-12)
    #expect((curve.standardError ?? 1) < 1e-7)
    #expect(curve.points.map(\.size) == [10, 100, 1_000])
    #expect(curve.isPower && abs(curve.greatestDeviation - 1) < 1e-9)
    #expect(ScalingCurve(name: "c", variable: "events", points: [points[0]]) == nil)
  }

  @Test("what grows by no power is not told as one")
  func noPower() throws {
    // Flat, and then steep.
    let points = zip([1.0, 10, 100, 1_000], [10.0, 10, 10, 100]).map {
      ScalingCurve.Point(benchmark: "b", size: $0, nanosecondsPerOperation: $1)
    }
    let made = ScalingCurve(name: "c", variable: "events", points: points)
    let curve = try #require(made)
    // By hand: the slope is 0.3, the means of the logarithms 1.5 and 1.25: at 100 the power says 10 ^ 1.4.
    #expect(abs(curve.greatestDeviation - 2.5119) < 0.001, "\(curve.greatestDeviation)")
    #expect(!curve.isPower)
    var run = run()
    run.curves = [curve]
    let words = "the best, 0.300, is off by a factor of 2.5"
    #expect(run.markdown.contains("none: \(words)"), "\(run.markdown)")
    let page = HTMLReport(run: run, comparison: nil).text
    #expect(page.contains(words) && page.contains("no power of"))
    #expect(!page.contains("<sup>0.3"))
  }

  private func outcomes(
    _ run: BenchmarkRun, _ bars: BenchmarkBars, instructions: Bool = true
  ) -> [String: BenchmarkCheck.Outcome] {
    let check = BenchmarkCheck(run, against: bars, countsInstructions: instructions)
    return Dictionary(
      check.findings.map { ($0.what, $0.outcome) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("a run is fine against the bars it sets itself")
  func sameRun() {
    let bars = BenchmarkBars(run(), withTimes: true)
    #expect(
      outcomes(run(), bars) == [
        "digest": .fine, "allocations": .fine, "simulatedInstructions": .fine, "time": .fine,
      ])
    let order = BenchmarkCheck(run(), against: bars, countsInstructions: true).findings.map(\.what)
    #expect(order == ["digest", "allocations", "simulatedInstructions", "time"], "exact first")
  }

  @Test("each kind of figure can be worse, better or unknown")
  func findings() {
    let bars = BenchmarkBars(run(), withTimes: true)
    #expect(outcomes(run(digest: "1"), bars)["digest"] == .regression)
    #expect(outcomes(run(allocations: 2.01), bars)["allocations"] == .fine)
    #expect(outcomes(run(allocations: 2.1), bars)["allocations"] == .regression)
    #expect(outcomes(run(allocations: 1), bars)["allocations"] == .better)
    #expect(outcomes(run(allocations: nil), bars)["allocations"] == .unknown)
    #expect(outcomes(run(instructions: 100.9), bars)["simulatedInstructions"] == .fine)
    #expect(outcomes(run(instructions: 102), bars)["simulatedInstructions"] == .regression)
    #expect(
      outcomes(run(instructions: 102), bars, instructions: false)["simulatedInstructions"] == nil)
    #expect(
      outcomes(run(compiler: "Swift 7"), bars)["simulatedInstructions"] == .unknown,
      "another compiler makes other code")
    #expect(outcomes(run(time: 1_100), bars)["time"] == .fine)
    #expect(outcomes(run(time: 2_000), bars)["time"] == .regression)
    #expect(outcomes(run(time: 500), bars)["time"] == .better)
  }

  @Test("instructions of another build cannot be told, and what it does not change can")
  func otherBuild() {
    let ofBars = run(allocations: 2, instructions: 50)
    func outcomes(_ change: (inout BenchmarkBars) -> Void) -> [BenchmarkCheck.Outcome?] {
      var result = run(instructions: 100)
      result.results[0].counters.append(BenchmarkCounter(.bytesPerEvent, 3))
      result.build.compression = "zlib 1"
      var bars = BenchmarkBars(ofBars, withTimes: false)
      bars.benchmarks["a/b"]?.counters["bytesPerEvent"] = 3
      bars.compression = "zlib 1"
      change(&bars)
      let found = self.outcomes(result, bars)
      return ["simulatedInstructions", "allocations", "bytesPerEvent"].map { found[$0] }
    }
    #expect(outcomes { _ in } == [.regression, .fine, .fine])
    #expect(outcomes { $0.architecture = "aarch64" } == [.unknown, .fine, .fine])
    #expect(outcomes { $0.configuration = "debug" } == [.unknown, .unknown, .fine])
    #expect(outcomes { $0.compression = "zlib 2" } == [.unknown, .fine, .unknown])
    // Files from before this was told.
    #expect(outcomes { $0.architecture = nil } == [.unknown, .fine, .fine])
    #expect(outcomes { $0.configuration = nil } == [.unknown, .fine, .fine])
  }

  @Test("bars are the same after their JSON")
  func codingBars() throws {
    var bars = BenchmarkBars(run(), withTimes: true)
    bars.compression = "zlib 1"
    let data = try JSONEncoder().encode(bars)
    #expect(try JSONDecoder().decode(BenchmarkBars.self, from: data) == bars)
  }

  @Test("a single allocation is worse than none")
  func noneStaysNone() {
    let bars = BenchmarkBars(run(allocations: 0), withTimes: false)
    #expect(outcomes(run(allocations: 1e-9), bars)["allocations"] == .regression)
  }

  @Test("what has no bar, and what was left out, is unknown")
  func unknown() {
    // A bar that holds nothing is none.
    let empty = BenchmarkBars(
      compiler: "Swift 6.3", tolerances: [:], benchmarks: ["a/b": .init()])
    #expect(outcomes(run(), empty, instructions: false) == ["result": .unknown])
    let none = BenchmarkBars(compiler: "Swift 6.3", tolerances: [:], benchmarks: [:])
    #expect(outcomes(run(), none) == ["result": .unknown])
    var skipped = run()
    skipped.results = []
    skipped.skipped = [.init(name: "a/b", reason: "no data")]
    #expect(outcomes(skipped, BenchmarkBars(run(), withTimes: false)) == ["result": .unknown])
  }

  @Test("times of another machine are not compared, and all else is")
  func otherMachine() {
    var slow = run(allocations: 3, time: 10_000)
    let bars = BenchmarkBars(run(), withTimes: true)
    func outcomes(_ run: BenchmarkRun) -> [String: BenchmarkCheck.Outcome] {
      let check = BenchmarkCheck(run, against: bars, countsInstructions: true)
      return Dictionary(uniqueKeysWithValues: check.findings.map { ($0.what, $0.outcome) })
    }
    #expect(outcomes(slow)["time"] == .regression)
    slow.machine.processor = "another"
    #expect(outcomes(slow)["time"] == .unknown)
    #expect(outcomes(slow)["allocations"] == .regression)
    #expect(outcomes(slow)["simulatedInstructions"] == .fine)
  }

  @Test("times of a baseline with too few samples cannot be told")
  func fewSamples() {
    var short = run()
    short.results[0].samples.removeLast(short.results[0].samples.count - 7)
    #expect(outcomes(run(), BenchmarkBars(short, withTimes: true))["time"] == .unknown)
    #expect(outcomes(run(), BenchmarkBars(short, withTimes: false))["time"] == nil)
  }

  @Test("instructions that are wanted and were not counted cannot be told")
  func uncounted() {
    let bars = BenchmarkBars(run(), withTimes: false)
    #expect(bars.machine == nil)
    var uncounted = run()
    uncounted.results[0].counters[1] = BenchmarkCounter(
      .simulatedInstructions, unavailable: "no valgrind")
    let check = BenchmarkCheck(uncounted, against: bars, countsInstructions: true)
    let finding = check.findings.first { $0.what == "simulatedInstructions" }
    #expect(finding?.outcome == .unknown && finding?.message == "no valgrind")
    var without = bars
    without.benchmarks["a/b"]?.counters["simulatedInstructions"] = nil
    #expect(BenchmarkCheck(run(), against: without, countsInstructions: true).hasUnknown)
    #expect(!BenchmarkCheck(run(), against: without, countsInstructions: false).hasUnknown)
  }

  @Test("a comparison tells its clock, and one that was stored before it was told can be read")
  func clock() throws {
    var comparison = ExportFixtures.comparison([("x", 1.1)])
    comparison.clock = .wall
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(comparison), as: UTF8.self)
    #expect(json.contains("\"clock\":\"wall\""), "\(json)")
    let old = json.replacing("\"clock\":\"wall\",", with: "")
    let read = try JSONDecoder().decode(BenchmarkComparison.self, from: Data(old.utf8))
    #expect(read.clock == nil)
    #expect(comparison.markdown.contains("elapsed time"))
    #expect(read.markdown.contains("an unknown clock"))
  }
}
