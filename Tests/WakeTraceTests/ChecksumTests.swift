import Kernels
import Testing
import WakeTestSupport

@testable import WakeTrace

@Suite("Checksums")
struct ChecksumTests {
  private static let bytes: [UInt8] = {
    var random = SplitMix64(seed: 32)
    return (0..<70_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  /// CRC-32 bit by bit, as RFC 1952 tells it.
  private static func next(_ checksum: UInt32, _ byte: UInt8) -> UInt32 {
    var register = ~checksum ^ UInt32(byte)
    for _ in 0..<8 { register = register & 1 > 0 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
    return ~register
  }

  @Test("are those of RFC 1952, of bytes of any length that begin anywhere")
  func lengths() {
    for start in 0..<16 {
      var expected: UInt32 = 0
      for length in 0...300 {
        let found = Checksum.crc32(Self.bytes, in: start..<start + length)
        #expect(found == expected, "\(length) bytes from \(start)")
        expected = Self.next(expected, Self.bytes[start + length])
      }
    }
  }

  @Test("go on behind those of other bytes, wherever these end")
  func parts() {
    let bytes = Self.bytes[..<400]
    let whole = bytes.reduce(0, Self.next)
    for end in bytes.indices {
      let first = Checksum.crc32(bytes[..<end], after: 0)
      #expect(Checksum.crc32(bytes[end...], after: first) == whole, "parts of \(end) and the rest")
    }
  }

  @Test("are right for as many bytes as a block has")
  func long() {
    #expect(
      Checksum.crc32(Self.bytes, in: Self.bytes.indices) == Self.bytes.reduce(0, Self.next))
    let equal = [UInt8](repeating: 0xFF, count: 5_000)
    #expect(Checksum.crc32(equal, in: equal.indices) == equal.reduce(0, Self.next))
    #expect(Checksum.crc32(Array("123456789".utf8), in: 0..<9) == 0xCBF4_3926)
  }

  #if !LibDeflate
    @Test("are the same on each processor path", arguments: ProcessorPath.available)
    func paths(path: ProcessorPath) {
      for length in [0, 63, 64, 65, 127, 128, 129, 300, 1_024, 8_035, 8_036, 65_535] {
        let bytes = Array(Self.bytes[3..<3 + length])
        let found = unsafe bytes.withUnsafeBufferPointer {
          unsafe Checksum.foldedCRC32($0, after: 7, path: path)
        }
        #expect(found == bytes.reduce(7, Self.next), "\(length) bytes")
      }
    }
  #endif
}
