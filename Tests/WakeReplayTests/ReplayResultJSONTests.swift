import Foundation
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("The JSON of a replay's result")
struct ReplayResultJSONTests {
  private static let oddNames = [
    "", "a/b", "quote \" and \\", "tab\tline\nreturn\r\u{8}\u{C}", "\u{1}\u{1F}", "é\u{301} 🏃",
  ]

  /// What a replay of random events gives.
  private func replayed(_ seed: UInt64) throws -> ReplayResult {
    let inputs = RandomInputs(seed: seed, count: 400)
    let folder = try ScratchFolder()
    let path = folder.file("made.wtrace")
    let output = try FileOutput(path: path)
    let assembler = try TraceAssembler(to: output, symbols: inputs.symbols, sorted: false)
    for event in inputs.events { try assembler.append(event) }
    _ = try assembler.finish()
    try output.commit()
    var options = ReplayOptions()
    options.policy = inputs.policy
    return try Replayer(files: [try TraceFile(path: path)], options: options).run()
  }

  private func check(_ result: ReplayResult, _ what: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(result), as: UTF8.self) + "\n"
    let lines = result.json.split(separator: "\n", omittingEmptySubsequences: false)
    let others = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, (line, other)) in zip(lines, others).enumerated() where line != other {
      Issue.record("\(what), line \(number + 1): \(line) where JSONEncoder has \(other)")
      return
    }
    #expect(lines.count == others.count, "\(what): as many lines as of JSONEncoder")
  }

  @Test("is what JSONEncoder writes", arguments: RandomSeeds.orFirst(6))
  func isAsEncoded(seed: UInt64) throws {
    try check(try replayed(seed), "seed \(seed)")
  }

  @Test("is what JSONEncoder writes where everything is there that may be")
  func isAsEncodedWithAll() throws {
    var result = try replayed(1)
    result.traces = Self.oddNames.map { .init(file: $0, bytes: .max) }
    result.apps = Self.oddNames.enumerated().map { place, name in
      ReplayResult.App(
        app: name, wakes: place, completed: 2, expired: 3, aborted: 4, open: 5, saves: 6,
        pendingAtEnd: 7, pushesHeldAtEnd: 8, stoppedOnDevices: -9)
    }
    result.notices = Self.oddNames
    result.summary.stoppedApps = Self.oddNames
    for (place, count) in Summary.counts.enumerated() {
      result.summary[keyPath: count.path] = 1_000 + place
    }
    result.loss = ReplayResult.Loss(
      damages: [
        .init(file: "one", offset: 12, message: "no \"trace\""), .init(file: "two", message: ""),
      ], damagedEvents: 1, bytesPassedOver: 2, lostEvents: .max, missingBlocks: 3)
    result.skipped = .init(blocks: 4, events: 5)
    let waited = result.staleness
    let parts = Self.oddNames.map { name in
      ReplayResult.Waiting.Part(
        app: name, item: "type", type: name, saves: 1, wakes: 2, waitingAtEnd: 3, waited: waited,
        reasons: ["locked": .init(any: 1, alone: 2, last: 3), "backoff": .init()],
        dropped: ["disabled": .init(waits: 1, saves: 2, waited: 3)])
    }
    result.waiting = .init(all: .init(waited: Distribution.merged([])), items: parts)
    let within = ReplayResult.Bounds.Within(seconds: 60, wakes: 3)
    result.bounds = .init(
      apps: ["a/b", "quote \" and \\", "é\u{301} 🏃"].map {
        .init(
          app: $0, wakes: 1, behind: 2, leastBehind: .max, fewestWakes: 4,
          fewestWakesWithin: [within], curve: [.init(wakes: 1, leastBehind: 2)])
      })
    result.pacing = .init(speed: 0.1, lateEvents: 2, furthestBehindNanoseconds: 3)
    result.performance?.repetitions = [
      1, 2.5, 1e-7, 123_456_789.125, 1e15, 1_234_567_890_123_456, 0x1p53, 1e16, 1e300, -0.0,
    ]
    for (place, name) in Self.oddNames.prefix(4).enumerated() { result.wakesByCause[name] = place }
    result.performance?.peakMemoryBytes = nil
    result.latency.maximumAtEvent = 12
    (result.basis.from, result.basis.to) = (.min, .max)
    (result.basis.types, result.basis.devices) = (Self.oddNames, [])
    result.basis.contents = Digest(value: 1)
    result.shard = ShardSet("1-3,7/8")
    #expect(result.shard != nil)
    (result.without, result.scheduler) = (Self.oddNames, "other")
    try check(result, "everything")
    result.performance = nil
    result.latency = Distribution.merged([])
    result.traces = []
    result.apps = []
    result.wakesByCause = [:]
    try check(result, "nothing")
  }
}
