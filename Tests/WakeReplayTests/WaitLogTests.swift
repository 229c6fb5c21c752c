import Foundation
import Testing
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@Suite("The wait log of a replay")
struct WaitLogTests {
  private static let devices = ["", "watch", "phone", "pad/2"]

  @Test(
    "is that of the worked cases, through a trace, with any number of threads",
    arguments: PackageFolder.cases)
  func cases(folder: String) throws {
    let given = try CaseFile.load(folder)
    let passage = try Passage()
    let trace = try passage.importing(folder + "/input.jsonl", .jsonLines, as: "trace")
    for threads in 1...2 {
      let lines = try replay(passage, trace, given.policy, threads: threads).lines
      let difference = WaitRun.difference(try JSONValue.parsingLines(lines), from: given.waits)
      #expect(difference == nil, "\(given.name), \(threads) threads: \(difference ?? "")")
    }
  }

  @Test("and its sums are those of the reference", arguments: RandomSeeds.orFirst(15))
  func random(seed: UInt64) throws {
    let random = RandomInputs(seed: seed, count: 1_000)
    let events = random.spread(over: Self.devices)
    let reference = ReferenceScheduler.waitLog(
      events: events, policy: random.policy, symbols: random.symbols)
    let lines = reference.map { $0.wait.line(device: $0.device, symbols: random.symbols) }
    let dropped = ReferenceScheduler.waitLog(
      events: events, policy: random.policy, symbols: random.symbols, isDropped: true)
    let sums = PlainSums(
      (reference + dropped).map(\.wait).filter { !$0.cameBack }, random.symbols)
    let passage = try Passage()
    let trace = try passage.importing(events, symbols: random.symbols)
    var first: String?
    for threads in 1...2 {
      let replayed = try replay(passage, trace, random.policy, threads: threads)
      if let first {
        #expect(replayed.lines == first, "seed \(seed): two threads give the same file")
      } else {
        first = replayed.lines
        let difference = WaitRun.difference(
          try JSONValue.parsingLines(replayed.lines), from: lines)
        #expect(difference == nil, "seed \(seed): \(difference ?? "")")
      }
      let waiting = try #require(replayed.result.waiting)
      #expect(PlainSums.Item(waiting.all) == sums.all, "seed \(seed)")
      #expect(waiting.items.map(\.name) == sums.items.keys.sorted(by: <), "seed \(seed)")
      for item in waiting.items {
        #expect(PlainSums.Item(item) == sums.items[item.name], "seed \(seed), \(item.name)")
      }
    }
  }

  @Test("leaves the result as it is without")
  func withAndWithout() throws {
    let random = RandomInputs(seed: 3, count: 1_000)
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    let with = try replay(passage, trace, random.policy, threads: 1).result
    let without = try passage.replay([trace], random.policy) { $0.wakeLog = nil }.result
    #expect(without.waiting == nil)
    #expect(with.summary == without.summary && with.apps == without.apps)
  }

  private func replay(
    _ passage: Passage, _ trace: String, _ policy: Policy, threads: Int
  ) throws -> (lines: String, result: ReplayResult) {
    let log = passage.folder.file("waits-\(threads).jsonl")
    let replayed = try passage.replay([trace], policy, threads: threads) {
      $0.wakeLog = nil
      $0.waitLog = log
    }
    return (try String(contentsOfFile: log, encoding: .utf8), replayed.result)
  }
}

extension ReplayResult.Waiting.Part {
  /// The app, the item and the type in one string that sorts like them.
  fileprivate var name: [ExactName] { [app, item, type].map { ExactName($0 ?? "") } }
}

extension [ExactName] {
  fileprivate static func < (left: Self, right: Self) -> Bool {
    left.lexicographicallyPrecedes(right)
  }
}

/// The figures of a part of `waiting`, added up plainly from a wait log.
private struct PlainSums: Equatable {
  struct Item: Equatable {
    var saves: Int64 = 0
    var wakes = 0
    var waitingAtEnd = 0
    var longest: Int64?
    var reasons: [String: [Int64]] = [:]
    var dropped: [String: [Int64]] = [:]
  }

  var all = Item()
  var items: [[ExactName]: Item] = [:]

  /// From the lines of waits that are over.
  init(_ waits: [ReferenceWait], _ symbols: Symbols) {
    for wait in waits {
      let line = wait.line(device: symbols.devices.intern(""), symbols: symbols)
      let kind = line["item"]?.string ?? ""
      let type = kind == "type" ? line["name"]?.string ?? "" : ""
      let key = [line["app"]?.string ?? "", kind, type].map { ExactName($0) }
      Self.add(line, wait.ending, to: &all)
      Self.add(line, wait.ending, to: &items[key, default: Item()])
    }
  }

  private static func add(_ line: JSONValue, _ ending: String?, to item: inout Item) {
    if let ending {
      let waited = (line["waits"]?.elements ?? []).reduce(0) { $0 + ($1["ns"]?.wholeNumber ?? 0) }
      let figures = [1, line["saves"]?.wholeNumber ?? 0, waited]
      let sums = item.dropped[ending] ?? [0, 0, 0]
      item.dropped[ending] = zip(sums, figures).map { $0 + $1 }
      return
    }
    item.saves += line["saves"]?.wholeNumber ?? 0
    if line["wake"] == .null { item.waitingAtEnd += 1 } else { item.wakes += 1 }
    var whole: Int64 = 0
    for stretch in line["waits"]?.elements ?? [] {
      let ns = stretch["ns"]?.wholeNumber ?? 0
      whole += ns
      let why = stretch["why"]?.elements.compactMap(\.string) ?? []
      for reason in why {
        item.reasons[reason, default: [0, 0, 0]][0] += ns
        if why.count == 1 { item.reasons[reason, default: [0, 0, 0]][1] += ns }
      }
    }
    if let last = line["waits"]?.elements.last?["why"]?.elements.first?.string {
      item.reasons[last, default: [0, 0, 0]][2] += whole
    }
    item.longest = max(item.longest ?? 0, whole)
  }
}

extension PlainSums.Item {
  fileprivate init(_ part: ReplayResult.Waiting.Part) {
    saves = Int64(part.saves)
    wakes = part.wakes
    waitingAtEnd = part.waitingAtEnd
    longest = part.waited.maximum
    reasons = part.reasons.mapValues { [$0.any, $0.alone, $0.last] }
    dropped = (part.dropped ?? [:]).mapValues { [Int64($0.waits), Int64($0.saves), $0.waited] }
  }
}
