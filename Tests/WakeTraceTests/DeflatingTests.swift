import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Deflated sections")
struct DeflatingTests {
  /// Bytes that suit the different ways of deflating.
  private static let shapes: [(name: String, bytes: @Sendable (inout SplitMix64) -> [UInt8])] = [
    (
      "independent",
      { random in (0..<20_000).map { _ in UInt8(min(random.below(200), random.below(200))) } }
    ),
    ("of two sorts", { random in (0..<5_001).map { _ in UInt8(random.below(2)) } }),
    ("all alike", { _ in Array(repeating: 9, count: 65_536) }),
    ("of every value alike", { _ in (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 167) } }),
    ("random", { random in (0..<70_000).map { _ in UInt8(random.below(256)) } }),
    (
      "in runs of every length",
      { random in
        (0..<300).flatMap { Array(repeating: UInt8(random.below(6)), count: $0) }
      }
    ),
    (
      "in short runs",
      { random in
        (0..<4_000).flatMap { _ in
          Array(repeating: UInt8(random.below(90)), count: 1 + random.below(9))
        }
      }
    ),
    (
      "so uneven that codes would be too long",
      { random in
        (0..<20).flatMap {
          Array(
            repeating: UInt8($0),
            count: [
              1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1_597, 2_584, 4_181,
              6_765,
            ][$0])
        }
        .enumerated().sorted { ($0.offset &* 7_919) % 100_003 < ($1.offset &* 7_919) % 100_003 }
        .map(\.element)
      }
    ),
    (
      "that repeat",
      { random in
        let pattern = (0..<50).map { _ in UInt8(random.below(256)) }
        return (0..<20_000).map { pattern[$0 % 50] }
      }
    ),
    ("few", { random in (0..<700).map { _ in UInt8(random.below(3)) } }),
    ("none", { _ in [] }),
  ]

  private static func deflate(
    _ sections: [WakeTrace.Section], level: Int
  ) throws -> (deflated: [UInt8], inflated: [UInt8]) {
    let deflater = try Deflater(level: level)
    var deflated: [UInt8] = [1, 2, 3]
    try deflater.deflate(sections, to: &deflated)
    var inflated: [UInt8] = []
    let length = Payload.length(of: sections)
    try Inflater().inflate(deflated, in: 3..<deflated.count, length: length, into: &inflated)
    return (Array(deflated.dropFirst(3)), Array(inflated.prefix(length)))
  }

  @Test("inflate to what they were, at every level and of every kind", arguments: [0, 1, 2, 6, 9])
  func roundTrip(level: Int) throws {
    var random = SplitMix64(seed: UInt64(level))
    var all: [WakeTrace.Section] = []
    for (name, bytes) in Self.shapes {
      let bytes = bytes(&random)
      for kind in [Section.Kind.plain, .symbols, .mantissas] {
        let section = Section(kind: kind, bytes: bytes)
        let (deflated, inflated) = try Self.deflate([section], level: level)
        #expect(inflated == bytes, "level \(level), \(kind), \(name)")
        let stored = bytes.count + 5 * (bytes.count / 65_535 + 1) + 2
        #expect(deflated.count <= stored, "level \(level), \(kind), \(name)")
        all.append(section)
      }
    }
    let together = try Self.deflate(all, level: level)
    #expect(together.inflated == all.flatMap(\.bytes), "level \(level), all of them")
  }

  @Test("are stored at level 0, as they are")
  func levelZero() throws {
    let bytes = [UInt8](repeating: 7, count: 10_000)
    let (deflated, _) = try Self.deflate([Section(kind: .symbols, bytes: bytes)], level: 0)
    #expect(Array(deflated[5..<10_005]) == bytes)
    #expect(deflated.count == 10_007)
  }

  @Test("are stored where that is as short", arguments: [1, 6])
  func stored(level: Int) throws {
    var random = SplitMix64(seed: 1)
    let bytes = (0..<60_000).map { _ in UInt8(random.below(256)) }
    for kind in [Section.Kind.plain, .symbols, .mantissas] {
      let (deflated, _) = try Self.deflate([Section(kind: kind, bytes: bytes)], level: level)
      #expect(deflated.count == 60_007, "level \(level), \(kind)")
    }
  }

  @Test("are matched at level 1 where they repeat, however few different places there are")
  func matched() throws {
    var random = SplitMix64(seed: 2)
    for period in [2, 3, 5, 8, 40, 300] {
      let pattern = (0..<period).map { _ in UInt8(random.below(256)) }
      let bytes = (0..<20_000).map { pattern[$0 % period] }
      let (deflated, _) = try Self.deflate([Section(kind: .symbols, bytes: bytes)], level: 1)
      #expect(deflated.count < 1_200, "a period of \(period)")
    }
  }

  @Test("Fragments are as long as was planned, and near the entropy of independent bytes")
  func fragments() throws {
    var random = SplitMix64(seed: 4)
    for (name, bytes) in Self.shapes {
      let bytes = bytes(&random)
      var runs = ByteRuns()
      for shortest in [3, 5, 8] {
        runs.take(bytes, shortest: shortest)
        let fragment = RunFragment(runs)
        var output: [UInt8] = [0xEE]
        fragment.append(runs, to: &output)
        #expect(output.count == 1 + fragment.length, "\(name), runs from \(shortest) on")
        if name == "independent" {
          let entropy = ByteCounts(bytes).entropyBits / 8
          #expect(Double(fragment.length) < 1.02 * entropy + 200, "runs from \(shortest) on")
        }
        output += [0x03, 0x00]
        var inflated: [UInt8] = []
        try Inflater().inflate(output, in: 1..<output.count, length: bytes.count, into: &inflated)
        #expect(Array(inflated.prefix(bytes.count)) == bytes, "\(name), runs from \(shortest) on")
      }
    }
  }

  @Test("Huffman codes are complete and no longer than they may be")
  func codeLengths() {
    var random = SplitMix64(seed: 6)
    for round in 0..<300 {
      let symbols = 1 + random.below(290)
      let steepness = UInt64(random.below(60))
      let counts =
        (0..<symbols).map { _ in
          random.chance(30)
            ? 0 : 1 + Int((random.next() >> 30) >> UInt64(random.below(Int(steepness) + 1)))
        } + [1, 0]
      for longest in [9, 14] {
        let lengths = HuffmanLengths.of(counts, longest: longest)
        let used = lengths.reduce(0) { $0 + ($1 > 0 ? 1 << (longest - Int($1)) : 0) }
        #expect(used == 1 << longest, "round \(round), up to \(longest)")
        #expect(lengths.allSatisfy { $0 <= longest }, "round \(round), up to \(longest)")
        for (count, length) in zip(counts, lengths) where count > 0 {
          #expect(length > 0, "round \(round), up to \(longest)")
        }
      }
    }
  }
}
