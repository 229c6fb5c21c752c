import Foundation
import Testing
import WakeEvents
import WakeImport
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
    var policy = random.policy
    // What comes back may be carried again at once.
    if seed % 3 == 0 { policy.backoffMax = 0 }
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    let waitLog = passage.folder.file("waits.jsonl")
    let replayed = try passage.replay([trace], policy) { $0.waitLog = waitLog }
    let report = try report(trace, policy, threads: Int(seed % 2) + 1)
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
    #expect(columns.overlaps == 0, "seed \(seed)")
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

  /// A page of inputs given as JSON Lines.
  private func page(_ lines: String, _ policy: Policy = .iOS) throws -> String {
    let passage = try Passage()
    let path = passage.folder.file("in.jsonl")
    try Data(lines.utf8).write(to: URL(filePath: path))
    let trace = try passage.importing(path, .jsonLines, as: "in")
    return String(decoding: try report(trace, policy).html, as: UTF8.self)
  }

  @Test("counts only wakes with saves in the mean of a day")
  func meanOfDay() throws {
    var lines = #"{"t":0,"k":"enable","app":"a","type":"T","frequency":"immediate"}"# + "\n"
    lines += #"{"t":1,"k":"lock"}"# + "\n" + #"{"t":2,"k":"save","type":"T","source":"s"}"# + "\n"
    lines += #"{"t":3600000000002,"k":"unlock"}"# + "\n"
    lines += #"{"t":3600000000003,"k":"complete","app":"a"}"# + "\n"
    for push in 2..<5 {
      let time = push * 3_600_000_000_000
      lines += #"{"t":\#(time),"k":"push","app":"a","id":"\#(push)"}"# + "\n"
      lines += #"{"t":\#(time + 1),"k":"complete","app":"a"}"# + "\n"
    }
    let page = try page(lines)
    let isThere = page.contains(
      "<td>4</td><td>4</td><td>0</td><td>0</td><td>0</td><td>1</td><td>1 h</td><td>1 h</td>")
    #expect(isThere)
  }

  @Test("gives each reason's whole time as a share of all waiting, in the drawing as in the table")
  func overlappingReasons() throws {
    let page = try page(
      #"{"t":0,"k":"enable","app":"a","type":"T","frequency":"immediate"}"# + "\n"
        + #"{"t":1,"k":"lock"}"# + "\n" + #"{"t":2,"k":"network","good":false}"# + "\n"
        + #"{"t":3,"k":"forceQuit","app":"a"}"# + "\n"
        + #"{"t":4,"k":"save","type":"T","source":"s"}"# + "\n"
        + #"{"t":3600000000004,"k":"unlock"}"# + "\n")
    let bar = try #require(page.components(separatedBy: "<figure id=\"any\">").last)
      .components(separatedBy: "</figure>")[0]
    #expect(
      bar.contains("<title>forceQuit 100 %</title>") && bar.contains("<title>locked 100 %</title>"),
      "\(bar)")
    #expect(bar.contains("aria-label=\"forceQuit 100 %, locked 100 %"), "\(bar)")
  }

  @Test("says of a fleet that its curve spreads wakes over devices")
  func fleet() throws {
    func lines(_ devices: [String]) -> String {
      devices.map { device in
        #"{"t":0,"device":"\#(device)","k":"enable","app":"a","type":"T","frequency":"immediate"}"#
          + "\n" + #"{"t":1000000000,"device":"\#(device)","k":"save","type":"T","source":"s"}"#
          + "\n" + #"{"t":9000000000,"device":"\#(device)","k":"lock"}"# + "\n"
      }.joined()
    }
    // An app is behind while it is locked, as no wake comes.
    let locked = #"{"t":0,"device":"p","k":"lock"}"# + "\n"
    let (one, two) = (try page(locked + lines(["p"])), try page(locked + lines(["p", "q"])))
    #expect(one.contains("whatever the schedule") && !two.contains("whatever the schedule"))
    #expect(two.contains("them as is best") && two.contains("with as many on each device"))
    #expect(two.contains("with 1 wake that carried a type"))
    #expect(one.contains("<b>1</b> device<") && two.contains("<b>2</b> devices<"))
  }

  @Test("says why no timeline is shown")
  func nothingShown() throws {
    let random = RandomInputs(seed: 5, count: 100)
    let passage = try Passage()
    let trace = try passage.importing(random.events, symbols: random.symbols)
    let page = String(
      decoding: try report(trace, random.policy, devices: [ExactName("ipod")]).html, as: UTF8.self)
    #expect(page.contains("Of 1 device it shows none, as no device has a name that was chosen"))
  }

  private func text(_ value: JSONValue?) -> String {
    value?.wholeNumber.map { String($0) } ?? "-"
  }
}
