import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("Bytes of names")
struct TextRangeTests {
  private func areSame(_ name: [UInt8], _ reader: ByteReader, _ range: Range<Int>) -> Bool {
    reader.has(name.span, at: range)
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
      #expect(reader.hash(one) == reader.hash(other), "\(length) bytes")
      #expect(areSame(name, reader, one) && areSame(name, reader, other), "\(length) bytes")
      #expect(!areSame(name + [0], reader, one), "\(length) bytes and one more")
      #expect(reader.hash(one) != reader.hash(3..<4 + length), "\(length) bytes and one more")
      for place in name.indices {
        var changed = name
        changed[place] ^= 1 << random.below(8)
        #expect(!areSame(changed, reader, one), "byte \(place) of \(length)")
        let hash = ByteReader(changed, subject: "name").hash(changed.indices)
        #expect(hash != reader.hash(one), "byte \(place) of \(length)")
      }
    }
  }
}
