import Foundation
import Testing
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@Suite("The page of a report")
struct ReportTests {
  private static let devices = ["", "watch", "phone", "pad/2"]

  private func report(
    _ trace: String, _ policy: Policy, threads: Int = 1, devices: Set<ExactName> = []
  ) throws -> Report {
    var options = ReplayOptions()
    options.policy = policy
    options.threads = threads
    return try Report(
      Report.Heading(policy: "a policy", tool: "a test"), files: [try TraceFile(path: trace)],
      options: options, devices: devices)
  }

  @Test(
    "has packed the wake log, the wait log and what is pending", arguments: RandomSeeds.orFirst(15))
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    let waitLog = passage.folder.file("waits.jsonl")
    let replayed = try passage.replay([trace], random.policy) { $0.waitLog = waitLog }
    let report = try report(trace, random.policy, threads: Int(seed % 2) + 1)
    #expect(report.result.digest == replayed.result.digest, "seed \(seed)")
    let columns = try ReportColumns(page: String(decoding: report.html, as: UTF8.self))

    let wakes = try JSONValue.parsingLines(replayed.log).map { line in
      [
        line["device"]?.string ?? "", line["app"]?.string ?? "", text(line["t"]),
        text(line["saves"]), line["outcome"]?.string ?? "", text(line["end"]),
      ].joined(separator: " ")
    }
    #expect(columns.wakes == wakes.sorted(), "seed \(seed)")
    let lines = try String(contentsOfFile: waitLog, encoding: .utf8)
    let waits = try JSONValue.parsingLines(lines).map { line in
      let stretches = (line["waits"]?.elements ?? []).map { stretch in
        text(stretch["ns"]) + ":"
          + (stretch["why"]?.elements ?? []).compactMap(\.string).joined(separator: "+")
      }
      return [
        line["device"]?.string ?? "", text(line["wake"]), line["app"]?.string ?? "",
        line["item"]?.string ?? "", line["name"]?.string ?? "",
        line["saves"].map(text) ?? "0", text(line["since"]), stretches.joined(separator: ","),
      ].joined(separator: " ")
    }
    #expect(columns.waits == waits.sorted(), "seed \(seed)")
    for app in report.result.bounds?.apps ?? [] {
      #expect(columns.behind[ExactName(app.app)] ?? 0 == app.behind, "seed \(seed), \(app.app)")
    }
    for app in report.result.apps {
      #expect(
        columns.pending[ExactName(app.app)] ?? 0 == Int64(app.pendingAtEnd),
        "seed \(seed), \(app.app)")
    }
  }

  @Test("shows chosen devices in the timeline, and all in the tables")
  func chosen() throws {
    let random = RandomInputs(seed: 5, count: 1_000)
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    let all = try report(trace, random.policy)
    #expect(Set(all.devicesShown) == Set(Self.devices))
    let some = try report(trace, random.policy, devices: [ExactName("phone")])
    #expect(some.devicesShown == ["phone"])
    #expect(some.result.summary == all.result.summary && some.result.bounds == all.result.bounds)
    #expect(some.result.waiting == all.result.waiting)
  }

  private func text(_ value: JSONValue?) -> String {
    value?.wholeNumber.map { String($0) } ?? "-"
  }
}
