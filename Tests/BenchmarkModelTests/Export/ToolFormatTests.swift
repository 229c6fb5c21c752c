import BenchmarkModel
import Foundation
import Testing

@Suite("Formats of other tools")
struct ToolFormatTests {
  @Test("Go's benchmark text, whole")
  func goBenchmark() {
    #expect(
      MeasuredBuild(ExportFixtures.run).goBenchmark == """
        goos: linux
        goarch: amd64
        pkg: rouse
        cpu: Some CPU
        tool: rouse-bench 0.1.0
        started: 2026-01-02T03:04:05Z
        build: main
        commit: 0123456789abcdef
        compiler: Swift 6.3 release
        Unit allocs/op assume=exact
        BenchmarkCoalescer/quiet_10-2	10	10 ns/op	10.5 cpu-ns/op	0.5 allocs/op
        BenchmarkCoalescer/quiet_10-2	10	12 ns/op	12.5 cpu-ns/op	0.5 allocs/op
        BenchmarkCoalescer/quiet_10-2	10	11 ns/op	11.5 cpu-ns/op	0.5 allocs/op
        BenchmarkCodec-2	10	2.5 ns/op	3 cpu-ns/op

        """)
  }

  @Test("Go's text holds to the format's own rules, whatever the names")
  func goRules() throws {
    let read = try StrictGoReader(MeasuredBuild(ExportFixtures.hostileRun).goBenchmark)
    let samples = ExportFixtures.hostileRun.results[0].samples
    #expect(read.results.map { $0.values["ns/op"] } == samples.map(\.nanosecondsPerOperation))
    #expect(Set(read.results.map(\.name)).count == 1)
    #expect(read.results.allSatisfy { $0.iterations == 10 && $0.configuration["goos"] == "linux" })
    #expect(read.results.first?.configuration["cpu"]?.hasPrefix("a \"b\" 'c'") == true)
    let plain = try StrictGoReader(MeasuredBuild(ExportFixtures.run).goBenchmark)
    #expect(plain.units == ["allocs/op": ["assume": "exact"]])
    #expect(plain.results.first?.values == ["ns/op": 10, "cpu-ns/op": 10.5, "allocs/op": 0.5])
    let both = try StrictGoReader(ExportFixtures.comparison([("x", 2)], rounds: 1).goBenchmark)
    #expect(both.results.map { $0.configuration["side"] }.prefix(5).last == "after")
  }

  @Test(
    "the reader of Go's text refuses what breaks its rules",
    arguments: [
      "Benchmarkx 1 2 ns/op\n", "BenchmarkX 1 2\n", "BenchmarkX 0 2 ns/op\n",
      "BenchmarkX 1 two ns/op\n", "BenchmarkX 1 2 ns/op 3 ns/op\n", "Key: value\n", "key:value\n",
      "a key: value\n", "Unit ns/op\n", "Unit ns/op assume=much\n", "BenchmarkX 1 2 ns/op",
    ])
  func goReader(text: String) {
    #expect(throws: StrictGoReader.Breach.self) { try StrictGoReader(text) }
  }

  @Test("Go's text of a comparison tells both builds apart")
  func goComparison() {
    let text = ExportFixtures.comparison([("x", 2)], rounds: 1).goBenchmark
    let sides = text.components(separatedBy: "side: after\n")
    #expect(sides.count == 2)
    #expect(sides.first?.hasPrefix("side: before\ngoos: linux\n") == true)
    for side in sides {
      let lines = side.split(separator: "\n").filter { $0.hasPrefix("BenchmarkX-2\t1\t") }
      #expect(lines.count == 4, "\(side)")
    }
  }

  @Test("Google Benchmark's JSON")
  func google() throws {
    let text = MeasuredBuild(ExportFixtures.run).googleBenchmark
    #expect(
      text.hasPrefix(
        """
        {
          "context" : {
            "date" : "2026-01-02T03:04:05Z",
            "executable" : "rouse-bench 0.1.0",
            "num_cpus" : 2,

        """))
    let object = try Self.object(text) as? [String: Any]
    let entries = try #require(object?["benchmarks"] as? [[String: Any]])
    #expect(
      entries.map { $0["name"] as? String } == [
        "coalescer/quiet 10", "coalescer/quiet 10", "coalescer/quiet 10",
        "coalescer/quiet 10_mean", "coalescer/quiet 10_median", "coalescer/quiet 10_stddev",
        "codec",
      ])
    #expect(entries.map { $0["real_time"] as? Double } == [10, 12, 11, 11, 11, 1, 2.5])
    #expect(entries.map { $0["cpu_time"] as? Double } == [10.5, 12.5, 11.5, 11.5, 11.5, 1, 3])
    #expect(entries.allSatisfy { $0["time_unit"] as? String == "ns" })
    #expect(
      entries.map { $0["run_type"] as? String } == [
        "iteration", "iteration", "iteration", "aggregate", "aggregate", "aggregate", "iteration",
      ])
    #expect(entries.first?["counter:allocations"] as? Double == 0.5)
    // Not known is not 0, and not there.
    #expect(entries.first?["counter:instructions"] == nil)
  }

  @Test("github-action-benchmark's JSON, whole")
  func gitHub() {
    #expect(
      MeasuredBuild(ExportFixtures.run).gitHubAction == """
        [
          {
            "name" : "coalescer/quiet 10",
            "unit" : "ns/event",
            "value" : 11,
            "range" : "± 1.000",
            "extra" : "median of 3 samples of elapsed time, ± median absolute deviation\\nmain 0123456789abcdef, \
        Swift 6.3 release\\nSome CPU, 2 processors"
          },
          {
            "name" : "coalescer/quiet 10 · allocations",
            "unit" : "allocations/event",
            "value" : 0.5
          },
          {
            "name" : "codec",
            "unit" : "ns/event",
            "value" : 2.5,
            "range" : "± 0.000",
            "extra" : "median of 1 samples of elapsed time, ± median absolute deviation\\nmain 0123456789abcdef, \
        Swift 6.3 release\\nSome CPU, 2 processors"
          }
        ]

        """)
  }

  @Test("JSON formats keep hostile names whole")
  func hostileJSON() throws {
    let build = MeasuredBuild(ExportFixtures.hostileRun)
    let google = try Self.object(build.googleBenchmark) as? [String: Any]
    let entries = google?["benchmarks"] as? [[String: Any]]
    #expect(entries?.first?["name"] as? String == ExportFixtures.hostileName)
    #expect(entries?.first?["counter:\(ExportFixtures.hostileName)"] as? Double == 7)
    let gitHub = try Self.object(build.gitHubAction) as? [[String: Any]]
    #expect(gitHub?.first?["name"] as? String == ExportFixtures.hostileName)
  }

  @Test("An empty run is an empty list in each format")
  func empty() throws {
    let build = MeasuredBuild(ExportFixtures.run([]))
    let google = try Self.object(build.googleBenchmark) as? [String: Any]
    #expect((google?["benchmarks"] as? [Any])?.isEmpty == true)
    #expect(build.gitHubAction == "[\n\n]\n")
    #expect(!build.goBenchmark.contains("Benchmark"))
  }

  @Test("One side of a comparison is a build like that of a run")
  func side() throws {
    let comparison = ExportFixtures.comparison([("x", 2)], rounds: 1)
    let object = try Self.object(MeasuredBuild(comparison, .after).googleBenchmark)
    let entries = try #require((object as? [String: Any])?["benchmarks"] as? [[String: Any]])
    let times = entries.prefix(4).compactMap { $0["real_time"] as? Double }
    let expected = comparison.results.first?.pairs.map(\.after) ?? []
    #expect(times.count == 4 && expected.count == 4)
    for (time, expected) in zip(times, expected) { #expect(abs(time - expected) < 1e-9) }
  }

  @Test("the times of a comparison are those of its clock")
  func clocks() throws {
    var comparison = ExportFixtures.comparison([("x", 2)], rounds: 1)
    for (clock, unit) in [(.wall, "ns/op"), (.processor, "cpu-ns/op")]
      as [(BenchmarkComparison.Clock, String)]
    {
      comparison.clock = clock
      let read = try StrictGoReader(comparison.goBenchmark)
      #expect(read.results.allSatisfy { Set($0.values.keys) == [unit] })
      let build = MeasuredBuild(comparison, .after)
      let google = try Self.object(build.googleBenchmark) as? [String: Any]
      let context = google?["context"] as? [String: Any]
      #expect(context?["clock"] as? String == clock.words)
      #expect(context?["cpu_scaling_enabled"] == nil, "not measured")
      #expect(build.gitHubAction.contains("samples of \(clock.words), ±"))
    }
  }

  private static func object(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }
}
