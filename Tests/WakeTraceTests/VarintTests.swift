import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("Numbers of one to ten bytes")
struct VarintTests {
  /// What a reader reads from bytes that end where they end, and whether it read all.
  private func read(_ bytes: [UInt8], behind: [UInt8] = []) throws -> (value: UInt64, rest: Int) {
    var reader = ByteReader(
      [0xFF] + bytes + behind, in: 1..<1 + bytes.count + behind.count, subject: "test")
    return (try reader.readVarint(), reader.remaining)
  }

  @Test("are read as written, whatever stands behind them")
  func comeBack() throws {
    var random = SplitMix64(seed: 5)
    for bits in 0...64 {
      for turn in 0..<20 {
        let mask = bits == 64 ? UInt64.max : (1 << UInt64(bits)) - 1
        let value = turn == 0 ? mask : random.next() & mask
        var writer = ByteWriter()
        writer.appendVarint(value)
        for length in [0, 1, 7, 8, 12] {
          let behind = (0..<length).map { _ in UInt8(random.below(256)) }
          let (found, rest) = try read(writer.bytes, behind: behind)
          #expect(found == value && rest == length, "\(value), \(length) bytes behind it")
        }
      }
    }
  }

  @Test("may be longer than they need be, up to ten bytes")
  func paddings() throws {
    for length in 1...9 {
      let bytes = [0x85] + [UInt8](repeating: 0x80, count: length - 1) + [0]
      for behind in [[], [UInt8](repeating: 0xFF, count: 8)] {
        let (value, rest) = try read(bytes, behind: behind)
        #expect(value == 5 && rest == behind.count, "\(length) bytes more")
      }
    }
  }

  @Test("are refused if they end early or are beyond 64 bits")
  func refused() throws {
    for length in 1...9 {
      let bytes = [UInt8](repeating: 0x80, count: length)
      #expect(throws: BlockError.self, "\(length) bytes") { try read(bytes) }
    }
    let eleven = [UInt8](repeating: 0x80, count: 10) + [1]
    let beyond = [UInt8](repeating: 0xFF, count: 9) + [2]
    for bytes in [eleven, beyond] {
      #expect(throws: BlockError.self) { try read(bytes) }
      #expect(throws: BlockError.self) { try read(bytes, behind: [0, 0, 0]) }
    }
  }
}
