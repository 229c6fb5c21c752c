import BenchmarkModel
import Testing

@Suite("Reports for people")
struct ReportTests {
  @Test("Markdown of a run, whole")
  func markdownRun() {
    #expect(
      ExportFixtures.run.markdown == """
        # Benchmarks

        rouse-bench 0.1.0 · 2026-01-02T03:04:05Z · main 0123456789ab, Swift 6.3, release

        | Benchmark | Time | Spread | Throughput | Allocations | Instructions | Samples |
        |:--|--:|--:|--:|--:|--:|--:|
        | coalescer/quiet 10 | 11 ns/event | ± 9.09 % | 90.9 million/s | 0.5 | – | 3 |
        | codec | 2.5 ns/event | – | 400 million/s | – | – | 1 |

        ## Not measured

        - **instructions**: this machine has no counters (coalescer/quiet 10)

        ## Machine

        - **System**: Linux 6.1.0
        - **Architecture**: x86\\_64
        - **Processor**: Some CPU
        - **Processors**: 2
        - **Memory**: 8 GB
        - **Load before**: 0.25 (1 min mean)

        """)
  }

  @Test("Markdown of a comparison tells what became worse first")
  func markdownComparison() {
    let comparison = ExportFixtures.comparison([("even", 1), ("worse", 1.2), ("better", 0.8)])
    let lines = comparison.markdown.split(separator: "\n")
    #expect(lines.contains("**1 slower, 1 faster, 0 inconclusive, 1 same**"))
    let rows = lines.filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.map { $0.split(separator: " ")[1] } == ["worse", "better", "even"])
    #expect(rows.first?.contains("| +20.0 % |") == true, "\(rows.first ?? "")")
    #expect(rows.first?.hasSuffix("| 48 | ▲ slower |") == true, "\(rows.first ?? "")")
  }

  @Test("Markdown keeps hostile names in one cell of one line")
  func hostileMarkdown() {
    let markdown = ExportFixtures.hostileRun.markdown
    #expect(!markdown.contains("<"))
    let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("| a ") }
    // The benchmark's, of seven cells, and the curve's, of five.
    let bars = rows.map { $0.replacing("\\|", with: "").count { $0 == "|" } }
    #expect(bars == [8, 6])
  }

  @Test("HTML has every section, one script, and nothing from elsewhere")
  func sections() {
    let report = HTMLReport(
      run: ExportFixtures.hostileRun,
      comparison: ExportFixtures.comparison([("even", 1), (ExportFixtures.hostileName, 1.2)]))
    let text = report.text
    for section in ["summary", "benchmarks", "growth", "not-measured", "machine"] {
      #expect(text.contains("<section id=\"\(section)\">"), "\(section)")
    }
    #expect(text.matches(of: /<script/).count == 1)
    #expect(text.matches(of: /<\/script/).count == 1)
    #expect(text.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(!text.contains("alert(1)</"))
    #expect(text.matches(of: /https?:|\ssrc=|url\(|@import/).isEmpty)
    #expect(!text.contains("\u{1}"))
    // Distribution, pairs and bar of both, latency of the one that was measured, and a curve.
    #expect(text.matches(of: #/<svg /#).count == 8)
    #expect(text.matches(of: /<\/svg>/).count == 8)
    #expect(text.contains("class=\"pill slower\""))
  }

  @Test("HTML of what is hardly there")
  func little() {
    for report in [
      HTMLReport(), HTMLReport(run: ExportFixtures.run([])),
      HTMLReport(comparison: ExportFixtures.comparison([])),
    ] {
      #expect(report.text.contains("Nothing was measured."))
      #expect(report.text.hasSuffix("</html>\n"))
    }
    let one = HTMLReport(run: ExportFixtures.run([ExportFixtures.result("x", nanoseconds: [10])]))
    #expect(one.text.contains("one sample"))
    #expect(one.text.matches(of: #/<circle /#).count == 1)
    let none = HTMLReport(run: ExportFixtures.run([ExportFixtures.result("x", nanoseconds: [])]))
    #expect(none.text.contains("no samples"))
    let noPairs = HTMLReport(comparison: ExportFixtures.comparison([("x", 1)], rounds: 0))
    #expect(noPairs.text.contains("<p class=\"figures\">no pairs</p>"))
    let few = HTMLReport(comparison: ExportFixtures.comparison([("x", 1)], rounds: 2))
    #expect(few.text.contains("too few rounds for an interval; 8 pairs in 2 rounds"))
  }

  @Test("HTML of extreme values draws no place that is no number", arguments: [0, 1, 1 << 62])
  func extremes(nanoseconds: UInt64) {
    var run = ExportFixtures.run([
      ExportFixtures.result("x", nanoseconds: [nanoseconds, 1 << 40, 3, nanoseconds, 9]),
      ExportFixtures.result("y", nanoseconds: [nanoseconds, nanoseconds]),
      ExportFixtures.result("z", nanoseconds: [5], operations: 0),
    ])
    run.curves = [
      ScalingCurve(
        name: "c", variable: "n",
        points: [1, 1e300].map {
          .init(benchmark: "x", size: $0, nanosecondsPerOperation: Double(nanoseconds))
        })
    ].compactMap { $0 }
    var comparison = ExportFixtures.comparison([("x", Double(nanoseconds))])
    comparison.rule.noiseFloor = -3
    comparison.results[0].judgement.lower = 1e300
    comparison.results[0].judgement.upper = 1e-300
    comparison.results[0].judgement.ratio = .leastNonzeroMagnitude
    let text = HTMLReport(run: run, comparison: comparison).text
    #expect(text.matches(of: /="[^"]*(nan|inf)[^"]*"/).isEmpty)
    #expect(!text.contains("height=\"-") && !text.contains("width=\"-"))
  }
}
