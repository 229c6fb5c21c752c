import BenchmarkModel
import Testing

@Suite("Runs and comparisons as CSV")
struct CSVTests {
  @Test("a run has a line a benchmark, with empty fields where nothing was measured")
  func run() {
    var run = ExportFixtures.run
    run.results[1].wakes = 7
    run.results[1].name = "say \"so\", twice"
    #expect(
      run.csv.split(separator: "\r\n").map(String.init) == [
        "benchmark,unit,samples,median,median_processor,wakes,digest,allocations,instructions",
        "coalescer/quiet 10,event,3,11,11.5,,00000000000000aa,0.5,",
        "\"say \"\"so\"\", twice\",event,1,2.5,3,7,00000000000000aa,,",
      ])
    #expect(run.csv.hasSuffix("\r\n"))
  }

  @Test("a comparison has its verdicts, and what both did")
  func comparison() throws {
    var comparison = ExportFixtures.comparison([("part", ratio: 1.5)])
    comparison.results[0].work = .init(
      digestBefore: "aa", digestAfter: "bb", wakesBefore: 3, wakesAfter: 4)
    let lines = comparison.csv.split(separator: "\r\n")
    try #require(lines.count == 2)
    let fields = zip(lines[0].split(separator: ","), lines[1].split(separator: ",")).map {
      (String($0), String($1))
    }
    let values = Dictionary(fields) { $1 }
    #expect(values["benchmark"] == "part" && values["verdict"] == "slower")
    #expect(values["pairs"] == "48" && values["rounds"] == "12")
    #expect(values["wakes_before"] == "3" && values["wakes_after"] == "4")
    #expect(values["digest_before"] == "aa" && values["digest_after"] == "bb")
    let ratio = try #require(values["ratio"].flatMap { Double($0) })
    #expect(abs(ratio - 1.5) < 0.01)
  }
}
