import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

/// Page Rules, 11: with observations or without, everything is the same.
@Suite("Observations change nothing")
struct ObservationTests {
  private static let devices = ["", "watch", "phone"]

  /// The inputs of a seed over several devices, and the same with observations among them.
  private struct Twins {
    let random: RandomInputs
    let passage: Passage
    let plain: String
    let observed: String

    init(_ random: RandomInputs) throws {
      self.random = random
      passage = try Passage()
      let events = random.spread(over: ObservationTests.devices)
      plain = try passage.importing(events, symbols: random.symbols, as: "plain")
      observed = try passage.importing(
        random.withObservations(events), symbols: random.symbols, as: "observed")
    }
  }

  @Test(
    "wakes, waits, bounds and summary, with one thread and two",
    arguments: RandomSeeds.orFirst(15))
  func replays(seed: UInt64) throws {
    let twins = try Twins(RandomInputs(seed: seed, count: 700))
    let passage = twins.passage
    func replay(_ trace: String, threads: Int, skipping: Bool) throws -> [String] {
      let waits = passage.folder.file("waits")
      let replayed = try passage.replay([trace], twins.random.policy, threads: threads) {
        $0.waitLog = waits
        $0.bounds = .init()
        $0.skipsQuiet = skipping
      }
      let result = replayed.result
      return [
        replayed.log, try String(contentsOfFile: waits, encoding: .utf8),
        JSONValue.summaryObject(result.summary).text, "\(result.devices)",
        "\(String(describing: result.bounds))",
      ]
    }
    let plain = try replay(twins.plain, threads: 1, skipping: false)
    for (threads, skipping) in [(1, false), (2, true)] {
      let observed = try replay(twins.observed, threads: threads, skipping: skipping)
      for (one, other) in zip(plain, observed) { #expect(one == other, "seed \(seed)") }
    }
  }

  @Test("selections of devices and times", arguments: RandomSeeds.orFirst(5))
  func selections(seed: UInt64) throws {
    let twins = try Twins(RandomInputs(seed: seed, count: 500))
    let times = twins.random.events.map(\.time.nanoseconds).sorted()
    var logs: [String] = []
    for trace in [twins.plain, twins.observed] {
      logs.append(
        try twins.passage.replay([trace], twins.random.policy) {
          $0.selection.devices = [ExactName("watch"), ExactName("observed only")]
          $0.selection.from = times[times.count / 4]
          $0.selection.to = times[times.count * 3 / 4]
        }.log)
    }
    #expect(logs[0] == logs[1], "seed \(seed)")
  }

  @Test("one by one and in columns", arguments: RandomSeeds.orFirst(10))
  func schedulers(seed: UInt64) {
    let random = RandomInputs(seed: seed, count: 700)
    func summary(_ events: [Event], inColumns: Bool) -> Summary {
      var scheduler = Scheduler(policy: random.policy, symbols: random.symbols)
      if inColumns {
        var columns = InputColumns()
        for event in events { columns.append(event.input, at: event.time) }
        scheduler.take(columns, rows: 0..<columns.count) { _, _ in }
      } else {
        for event in events { scheduler.take(event.input, at: event.time) { _, _ in } }
      }
      return scheduler.finish { _, _ in }
    }
    let plain = summary(random.events, inColumns: false)
    let observed = random.eventsWithObservations
    #expect(observed.count > random.events.count)
    for inColumns in [false, true] {
      #expect(summary(observed, inColumns: inColumns) == plain, "seed \(seed)")
    }
  }

  @Test("are kept by export and import, also of joined traces", arguments: RandomSeeds.orFirst(8))
  func kept(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 400)
    let passage = try Passage()
    let events = random.withObservations(random.spread(over: Self.devices))
    let halves = [
      Array(events.prefix(events.count / 2)), Array(events.suffix((events.count + 1) / 2)),
    ]
    let wholes = try [events].map { try passage.importing($0, symbols: random.symbols) }
    let parts = try halves.enumerated().map {
      try passage.importing($0.element, symbols: random.symbols, as: "part-\($0.offset)")
    }
    for (paths, what) in [(wholes, "one trace"), (parts, "two traces")] {
      let found = try export(paths, random.symbols, passage)
      for device in Set(events.map(\.device)) {
        let expected = events.filter { $0.device == device }
        let lines = found.filter { $0.device == device }
        if what == "one trace" {
          #expect(lines == expected, "seed \(seed), \(what)")
        } else {
          // Streams are merged by time, so that only what each holds keeps its order.
          #expect(Set(lines) == Set(expected) && lines.count == expected.count, "seed \(seed)")
        }
      }
    }
    // By device, all in one stream.
    let regrouped = passage.folder.file("regrouped.wtrace")
    let output = try FileOutput(path: regrouped)
    let result = try TraceRegrouper(to: output).regroup(try parts.map { try TraceFile(path: $0) })
    try output.commit()
    #expect(result.written.events == events.count)
    let plain = try halves.enumerated().map { number, half in
      try passage.importing(
        half.filter { $0.input.kind != .observed }, symbols: random.symbols, as: "plain-\(number)")
    }
    let log = try passage.replay(plain, random.policy).log
    for paths in [parts, [regrouped]] {
      #expect(try passage.replay(paths, random.policy).log == log, "seed \(seed)")
    }
    let merged = try export(parts, random.symbols, passage)
    #expect(try export([regrouped], random.symbols, passage) == merged, "seed \(seed)")
    // Recompressed.
    let repacked = passage.folder.file("repacked.wtrace")
    let other = try FileOutput(path: repacked)
    _ = try TraceRepacker(to: other, level: 9).repack(try TraceFile(path: wholes[0]))
    try other.commit()
    #expect(
      try export([repacked], random.symbols, passage)
        == export(wholes, random.symbols, passage), "seed \(seed)")
    #expect(TraceVerification(of: try TraceFile(path: repacked)).isWhole)
  }

  private func export(
    _ paths: [String], _ symbols: Symbols, _ passage: Passage
  ) throws -> [Event] {
    let file = passage.folder.file("export.jsonl")
    let output = try FileOutput(path: file)
    try TraceExport(try paths.map { try TraceFile(path: $0) }).run(to: output)
    try output.commit()
    return try EventReader.events(
      ofLines: try String(contentsOfFile: file, encoding: .utf8), symbols: symbols)
  }
}
