import Foundation
import Testing
import WakeEvents
import WakeTestSupport
import WakeTrace

@testable import WakeReplay

@Suite("Merged sums of waits")
struct WaitMergingTests {
  private static let devices = ["", "watch", "phone", "pad/2"]

  /// The result of all devices together, and those of each.
  private func results(seed: UInt64) throws -> (whole: ReplayResult, parts: [ReplayResult]) {
    let random = RandomInputs(seed: seed, count: 1_000)
    let passage = try Passage()
    let trace = try passage.importing(random.spread(over: Self.devices), symbols: random.symbols)
    func replay(_ devices: Set<ExactName>) throws -> ReplayResult {
      try passage.replay([trace], random.policy) {
        $0.wakeLog = nil
        $0.waitLog = "/dev/null"
        $0.selection.devices = devices
      }.result
    }
    return (try replay([]), try Self.devices.map { try replay([ExactName($0)]) })
  }

  private func bytes(_ waiting: ReplayResult.Waiting?) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(try #require(waiting))
  }

  @Test("are those of one replay", arguments: RandomSeeds.orFirst(6))
  func sums(seed: UInt64) throws {
    let (whole, parts) = try results(seed: seed)
    let merged = try #require(ReplayResult.merged(parts)?.waiting)
    let expected = try #require(whole.waiting)
    #expect(expected.all.waited.count > 0 && !expected.all.reasons.isEmpty)
    #expect(merged.items.count == expected.items.count)
    let pairs = zip([merged.all] + merged.items, [expected.all] + expected.items)
    for (part, expected) in pairs { #expect(part == expected, "seed \(seed)") }
  }

  @Test("are the same bytes in any order", arguments: RandomSeeds.orFirst(6))
  func order(seed: UInt64) throws {
    let (_, parts) = try results(seed: seed)
    let expected = try bytes(ReplayResult.merged(parts)?.waiting)
    for shift in parts.indices {
      let rotated = Array(parts[shift...] + parts[..<shift])
      #expect(try bytes(ReplayResult.merged(rotated)?.waiting) == expected, "seed \(seed)")
      #expect(
        try bytes(ReplayResult.merged(rotated.reversed())?.waiting) == expected, "seed \(seed)")
    }
  }

  @Test("stay at the greatest number instead of overflowing")
  func overflow() throws {
    var result = try results(seed: 1).whole
    result.waiting?.all.reasons = ["budget": .init(any: .max - 1, alone: 1, last: .max)]
    let merged = ReplayResult.merged([result, result])?.waiting?.all.reasons["budget"]
    #expect(merged == .init(any: .max, alone: 2, last: .max))
  }

  @Test("are left out if a result does not have them")
  func partly() throws {
    let result = try results(seed: 1).whole
    var without = result
    without.waiting = nil
    #expect(ReplayResult.merged([result, without])?.waiting == nil)
    #expect(ReplayResult.merged([without, result])?.waiting == nil)
  }
}
