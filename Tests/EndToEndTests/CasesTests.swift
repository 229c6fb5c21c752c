import Foundation
import Testing
import WakeTestSupport

@Suite("The worked cases through trace files and the command")
struct CasesTests {
  @Test(
    "give their wakes, their waits, their bounds and their summary",
    arguments: PackageFolder.cases)
  func passes(folder: String) throws {
    let shop = try Workshop()
    let name = URL(filePath: folder).lastPathComponent
    func text(_ file: String) throws -> String {
      try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }
    let trace = try shop.importing(text("input.jsonl"), as: "trace")
    let expectedWakes = try JSONValue.parsingLines(text("wakes.jsonl"))
    let expectedWaits = try JSONValue.parsingLines(text("waits.jsonl"))
    let expectedBounds = try JSONValue.parsing(text("bounds.json"))
    let expectedSummary = try JSONValue.parsing(text("summary.json"))
    let policy = "\(folder)/policy.json"

    for options in [
      ["--threads", "1"], ["--threads", "2"], ["--speed", "1000000000x"], ["--repeat", "3"],
    ] {
      let what = "\(name) \(options.joined(separator: " "))"
      let result = try RouseCommand.run(
        [
          "replay", "trace.wtrace", "--policy", policy, "--wakes", "wakes.jsonl", "--waits",
          "waits.jsonl", "--bounds", "bounds.json", "--json",
        ] + options, folder: shop.path)
      #expect(result.status == .exited(0), "\(what): \(result.errors)")
      let json = try result.json()
      #expect(json["summary"] == expectedSummary, "\(what): \(json["summary"]?.text ?? "")")
      #expect(json["digest"] == expectedSummary["digest"], "\(what)")
      if options[0] == "--repeat" {
        #expect(json["performance"]?["repetitions"]?.elements.count == 3, "\(what)")
      }
      let log = String(decoding: try shop.read("wakes.jsonl"), as: UTF8.self)
      let wakes = try JSONValue.parsingLines(log)
      #expect(wakes.count == expectedWakes.count, "\(what): number of wakes")
      for (number, (wake, expected)) in zip(wakes, expectedWakes).enumerated()
      where wake != expected {
        Issue.record("\(what): wake \(number + 1) is \(wake.text), not \(expected.text)")
        break
      }
      let waits = String(decoding: try shop.read("waits.jsonl"), as: UTF8.self)
      let difference = WaitRun.difference(
        try JSONValue.parsingLines(waits), from: expectedWaits)
      #expect(difference == nil, "\(what): \(difference ?? "")")
      let bounds = String(decoding: try shop.read("bounds.json"), as: UTF8.self)
      #expect(try JSONValue.parsing(bounds) == expectedBounds, "\(what): \(bounds)")
      #expect(json["bounds"] == expectedBounds, "\(what)")
    }

    let exported = try shop.rouse("export", "trace.wtrace")
    #expect(exported.status == .exited(0), "\(name): \(exported.errors)")
    let again = try shop.importing(exported.output, as: "again")
    #expect(again == trace, "\(name): what is exported and imported again is the same trace")
  }
}
