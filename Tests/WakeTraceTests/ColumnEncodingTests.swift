import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Integer columns")
struct ColumnEncodingTests {
  /// Values that make an encoder choose each of its ways.
  private static let shapes: [(name: String, values: @Sendable (inout SplitMix64) -> [Int64])] = [
    ("one value", { _ in Array(repeating: 7, count: 1_000) }),
    ("one value that is not near 0", { _ in Array(repeating: .max, count: 1_000) }),
    ("few near 0", { random in (0..<999).map { _ in Int64(random.below(5)) - 2 } }),
    (
      "around the end of those near 0",
      { random in (0..<5_000).map { _ in 500 + Int64(random.below(24)) } }
    ),
    (
      "around the other end",
      { random in (0..<5_000).map { _ in -524 + Int64(random.below(24)) } }
    ),
    (
      "frequent far from 0",
      { random in
        (0..<9_000).map { _ in Int64(random.below(40)) * 1_000_003 - 20_000_000 }
      }
    ),
    (
      "more frequent ones than symbols",
      { random in
        (0..<40_000).map { _ in Int64(random.below(600)) * 7_919 }
      }
    ),
    (
      "rare and frequent ones that share hashes",
      { random in
        (0..<65_536).map { _ in
          random.chance(50) ? Int64(random.below(100)) << 40 : Int64(random.below(1 << 30))
        }
      }
    ),
    (
      "all sizes and signs",
      { random in
        (0..<20_000).map { _ in
          Int64(bitPattern: random.next()) >> Int64(7 + random.below(57))
        }
      }
    ),
    (
      "beyond 57 bits",
      { random in
        (0..<3_000).map { _ in Int64(bitPattern: random.next()) >> Int64(random.below(64)) }
      }
    ),
    (
      "beyond 57 bits and frequent",
      { random in
        (0..<3_000).map { _ in
          random.chance(50) ? Int64(random.below(9)) << 60 : Int64(random.below(2_000)) - 1_000
        }
      }
    ),
    (
      "extremes",
      { random in
        (0..<300).map { _ in random.pick([.min, .max, 0, -1, 1, .min + 1, 1 << 57, -1 << 57]) }
      }
    ),
    ("a single one", { _ in [-12_345_678_901] }),
  ]

  private static func decode(_ sections: [Section], count: Int) throws -> [Int64] {
    let bytes = sections.flatMap(\.bytes)
    var reader = ByteReader(bytes, subject: "column")
    let payload = bytes + [UInt8](repeating: 0xAA, count: IntegerColumn.padding)
    var column = IntegerColumnReader()
    let values = try IntegerColumn.decode(
      &reader, with: &column, payload: payload, count: count)
    try reader.expectEnd()
    return values
  }

  @Test("give back what was written, also by an encoder that wrote others before")
  func roundTrip() throws {
    var encoder = IntegerColumn.Encoder()
    for seed in UInt64(0)..<2 {
      var random = SplitMix64(seed: seed)
      for (name, values) in Self.shapes {
        let values = values(&random)
        let sections = encoder.encode(values)
        let read = try Self.decode(sections, count: values.count)
        #expect(read == values, "seed \(seed), \(name)")
        var fresh = IntegerColumn.Encoder()
        #expect(
          fresh.encode(values).map(\.bytes) == sections.map(\.bytes),
          "seed \(seed), \(name): a fresh encoder writes other bytes")
      }
    }
  }

  @Test("give back what was written in groups")
  func groups() throws {
    var encoder = IntegerColumn.Encoder()
    for seed in UInt64(0)..<2 {
      var random = SplitMix64(seed: seed)
      for (name, values) in Self.shapes {
        let values = values(&random)
        let read = try Self.decode(encoder.encode(values, groups: true), count: values.count)
        #expect(read == values, "seed \(seed), \(name)")
      }
      // Of both signs and all sizes that groups may have, odd in number.
      for bits in [6, 12, 20, 28, 29] {
        let values = (0..<9_001).map { _ in
          (Int64(random.below(1 << bits)) >> Int64(random.below(bits))) * random.pick([1, -1])
        }
        let sections = encoder.encode(values, groups: true)
        #expect(try Self.decode(sections, count: values.count) == values, "\(bits) bits")
      }
    }
  }

  @Test("have two symbols in a byte where that takes hardly more bits, and only there")
  func grouping() {
    var encoder = IntegerColumn.Encoder()
    var random = SplitMix64(seed: 11)
    let wide = (0..<20_000).map { _ in Int64(random.below(1 << 17) >> random.below(17)) }
    let grouped = encoder.encode(wide, groups: true)
    #expect(grouped[0].bytes[0] == 2)
    #expect(grouped[1].bytes.count == 10_000)
    #expect(encoder.encode(wide)[0].bytes[0] == 1, "groups were not asked for")
    // Frequent values far from each other would need mantissas.
    let few = (0..<20_000).map { _ in Int64(random.below(20)) * 1_000_003 }
    #expect(encoder.encode(few, groups: true)[0].bytes[0] == 1)
    #expect(encoder.encode(few, groups: true)[2].bytes.isEmpty)
  }

  @Test("have the ranks of keys, and few of them as they have the numbers")
  func ranks() throws {
    for keys in [1, 2, 15, 16, 17, 256, 257, 3_000] {
      var random = SplitMix64(seed: UInt64(keys))
      let places = (0..<9_000).map { _ in
        UInt16(min(random.below(keys), random.below(keys)))
      }
      var counts = [Int](repeating: 0, count: keys)
      for place in places { counts[Int(place)] += 1 }
      let order = counts.indices.filter { counts[$0] > 0 }.sorted {
        counts[$0] != counts[$1] ? counts[$0] > counts[$1] : $0 < $1
      }
      var ranks = [UInt32](repeating: 0, count: keys)
      for (rank, place) in order.enumerated() { ranks[place] = UInt32(rank) }
      var encoder = IntegerColumn.Encoder()
      let sections = encoder.encode(
        places: places, ranks: ranks, counts: order.map { UInt32(counts[$0]) })
      let values = places.map { Int64(ranks[Int($0)]) }
      #expect(try Self.decode(sections, count: values.count) == values, "\(keys) keys")
      // More of them may be grouped.
      if keys <= 16 {
        #expect(
          encoder.encode(values).map(\.bytes) == sections.map(\.bytes),
          "\(keys) keys: as numbers they have other bytes")
      }
    }
  }

  @Test("give frequent values symbols of their own, without mantissas")
  func frequentValues() {
    var encoder = IntegerColumn.Encoder()
    var random = SplitMix64(seed: 3)
    let values = (0..<10_000).map { _ in Int64(random.below(20)) * 1_000_000_007 }
    let sections = encoder.encode(values)
    #expect(sections[2].bytes.isEmpty)
    #expect(sections[1].bytes.count == values.count)
  }

  @Test("Divisors divide what they divide, and give the quotient")
  func exactDivisor() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<3_000 {
      let value = max(1, random.next() >> UInt64(1 + random.below(63)))
      let divisor = ExactDivisor(value)
      let number = random.next() >> UInt64(random.below(64))
      #expect(divisor.divides(number) == number.isMultiple(of: value), "\(number) by \(value)")
      let factor = (Int64.max / Int64(value)) >> Int64(random.below(63))
      for quotient in [factor, -factor, 0] {
        let multiple = Int64(value) * quotient
        #expect(divisor.divides(multiple.magnitude), "\(multiple) by \(value)")
        #expect(divisor.quotient(multiple) == quotient, "\(multiple) by \(value)")
      }
    }
    #expect(ExactDivisor(0).divides(0))
    #expect(!ExactDivisor(0).divides(1))
    #expect(ExactDivisor(0).common(with: 12).value == 12)
    #expect(ExactDivisor(18).common(with: 12).value == 6)
  }
}
