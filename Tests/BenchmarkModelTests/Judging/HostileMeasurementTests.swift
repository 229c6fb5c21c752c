import BenchmarkModel
import Foundation
import Testing
import WakeTestSupport

/// Files of measurements that are damaged, or were made to harm.
@Suite("Hostile measurements")
struct HostileMeasurementTests {
  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static var run: BenchmarkRun {
    var run = ExportFixtures.hostileRun
    run.results[0].name = "a"
    return run
  }

  /// What is objected to in a run with something replaced in its JSON.
  private func objection(_ text: String, _ other: String) throws -> String? {
    let json = try Self.json(Self.run)
    let changed = json.replacing(text, with: other, maxReplacements: 1)
    try #require(changed != json, "there is no \(text) in \(json)")
    return try JSONDecoder().decode(BenchmarkRun.self, from: Data(changed.utf8)).objection
  }

  @Test("figures that cannot be are objected to with their field")
  func objections() throws {
    #expect(Self.run.objection == nil)
    #expect(ExportFixtures.run.objection == nil)
    #expect(ExportFixtures.comparison([("x", 1.1)]).objection == nil)
    let cases: [(String, String, String)] = [
      ("\"operations\" : 10", "\"operations\" : 0", "results[0].samples[0].operations: 0 is no"),
      (
        "\"operations\" : 10", "\"operations\" : 9223372036854775807",
        "results[0].samples[0].operations: 9223372036854775807 is not a count"
      ),
      (
        "\"nanoseconds\" : 100", "\"nanoseconds\" : 18446744073709551615",
        "results[0].samples[0].nanoseconds: 18446744073709551615 is not a time"
      ),
      (
        "\"value\" : 7", "\"value\" : -7",
        "results[0].counters[1].value: -7.0 is not a valid amount"
      ),
      (
        "\"count\" : 1,\n            \"upTo\" : 4", "\"count\" : 9223372036854775807, \"upTo\" : 4",
        "results[0].latencies.buckets[1].count: 9223372036854775807 is not from 1"
      ),
      (
        "\"upTo\" : 4\n", "\"upTo\" : -4\n",
        "results[0].latencies.buckets[1].upTo: -4 is not above those before"
      ),
      ("\"count\" : 1000,", "\"count\" : 1001,", "buckets: they hold 1000 of 1001 operations"),
      (
        "\"size\" : 10\n", "\"size\" : -1e300\n", "curves[0].points[1].size: -1e+300 is not a ratio"
      ),
      ("\"processors\" : 2", "\"processors\" : -2", "machine.processors: -2 is not a count"),
    ]
    for (text, other, expected) in cases {
      let found = try objection(text, other)
      #expect(found?.contains(expected) == true, "\(other): \(found ?? "no objection")")
    }
    var comparison = ExportFixtures.comparison([("x", 1.1)])
    comparison.results[0].pairs[3].after = 0
    #expect(comparison.objection?.hasPrefix("results[0].pairs[3].after: 0.0 is not a time") == true)
    var bars = BenchmarkBars(Self.run, withTimes: false)
    bars.benchmarks["a"]?.counters["allocations"] = .infinity
    #expect(bars.objection == "benchmarks.a.counters.allocations: inf is not a valid threshold")
  }

  /// Numbers at the ends of what types and sense allow.
  private static let extremes = [
    "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
    "9007199254740993", "1e308", "-1e308", "5e-324", "1e18", "1e-300", "4611686018427387904",
    "0.5", "null", "2147483648",
  ]

  /// What stands between numbers, and the numbers, in turn.
  private static func pieces(of text: String) -> [String] {
    var pieces = [""]
    var isNumber = false
    var isText = false
    var last: Character = " "
    for character in text {
      if character == "\"", last != "\\" { isText.toggle() }
      last = character
      let belongs = !isText && (character.isNumber || isNumber && ".e-+".contains(character))
      if belongs != isNumber {
        pieces.append("")
        isNumber = belongs
      }
      pieces[pieces.count - 1].append(character)
    }
    return pieces
  }

  @Test("whatever stands for a number, each format is told or the file is refused")
  func fuzz() throws {
    let runs = Int(ProcessInfo.processInfo.environment["ROUSE_FUZZ"] ?? "") ?? 60
    var random = SplitMix64(seed: 2026)
    var run = Self.run
    // Few buckets, so that other figures are met as well.
    run.results[0].latencies = ExportFixtures.latencies(upTo: 20)
    let texts = try [Self.json(run), Self.json(ExportFixtures.comparison([("x", 1.1)], rounds: 7))]
      .map(Self.pieces(of:))
    var told = 0
    for number in 0..<runs {
      let isRun = number % 2 == 0
      var pieces = texts[number % 2]
      for _ in 0...(random.next() % 3) {
        // Every second piece is a number.
        let place = 2 * Int(random.next() % UInt64(pieces.count / 2)) + 1
        pieces[place] = Self.extremes[Int(random.next() % UInt64(Self.extremes.count))]
      }
      let text = pieces.joined()
      let data = Data(text.utf8)
      if isRun, let run = try? JSONDecoder().decode(BenchmarkRun.self, from: data),
        run.objection == nil
      {
        tell(run)
        told += 1
      } else if !isRun,
        let comparison = try? JSONDecoder().decode(BenchmarkComparison.self, from: data),
        comparison.objection == nil
      {
        tell(comparison)
        told += 1
      }
    }
    #expect(told > runs / 10, "hardly any was told: \(told) of \(runs)")
  }

  private func tell(_ run: BenchmarkRun) {
    let build = MeasuredBuild(run)
    #expect(!build.goBenchmark.isEmpty && !build.googleBenchmark.isEmpty)
    #expect(!build.gitHubAction.isEmpty && !run.markdown.isEmpty)
    #expect(!HTMLReport(run: run, comparison: nil).text.isEmpty)
    for result in run.results {
      guard let latencies = result.latencies else { continue }
      #expect(!latencies.percentileDistribution.isEmpty)
      #expect(latencies.value(atPercentile: 99.9) <= latencies.maximum)
    }
    let bars = BenchmarkBars(run, withTimes: true)
    #expect(!BenchmarkCheck(run, against: bars, countsInstructions: true).findings.isEmpty)
  }

  private func tell(_ comparison: BenchmarkComparison) {
    #expect(!comparison.goBenchmark.isEmpty && !comparison.markdown.isEmpty)
    #expect(!HTMLReport(run: nil, comparison: comparison).text.isEmpty)
  }
}
