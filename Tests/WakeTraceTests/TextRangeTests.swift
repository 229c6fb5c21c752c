import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Bytes of names")
struct TextRangeTests {
  private typealias Cache = NameCache<NameOf.Source>

  /// Whether a cache that holds a name finds the bytes of a range, if their hashes are equal.
  private func areSame(_ name: [UInt8], _ reader: ByteReader, _ range: Range<Int>) -> Bool {
    var cache = Cache()
    cache.insert(name.span, hash: 7, Source(index: 1))
    return cache.symbol(of: reader.bytes.span.extracting(range), hash: 7) != nil
  }

  private func hash(_ reader: ByteReader, _ range: Range<Int>) -> UInt64 {
    Cache.hash(reader.bytes.span.extracting(range))
  }

  @Test("are the same, and hashed alike, wherever they stand, and as soon as one differs are not")
  func comparison() {
    var random = SplitMix64(seed: 1)
    for length in 0...33 {
      let name = (0..<length).map { _ in UInt8(random.below(256)) }
      // Words are loaded from beyond a name, where neighbours differ.
      let bytes: [UInt8] = [1, 2, 3] + name + [4] + name + [5, 6]
      let reader = ByteReader(bytes, subject: "name")
      let (one, other) = (3..<3 + length, 4 + length..<4 + 2 * length)
      #expect(hash(reader, one) == hash(reader, other), "\(length) bytes")
      #expect(areSame(name, reader, one) && areSame(name, reader, other), "\(length) bytes")
      #expect(!areSame(name + [0], reader, one), "\(length) bytes and one more")
      #expect(hash(reader, one) != hash(reader, 3..<4 + length), "\(length) bytes and one more")
      for place in name.indices {
        var changed = name
        changed[place] ^= 1 << random.below(8)
        #expect(!areSame(changed, reader, one), "byte \(place) of \(length)")
        let changedHash = hash(ByteReader(changed, subject: "name"), changed.indices)
        #expect(changedHash != hash(reader, one), "byte \(place) of \(length)")
      }
    }
  }
}
