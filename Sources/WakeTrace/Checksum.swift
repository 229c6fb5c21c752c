import CZlib

/// The check of gzip and of block headers.
enum Checksum {
  /// CRC-32 as gzip defines it.
  static func crc32(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
    unsafe bytes[range].withUnsafeBufferPointer { buffer in
      // zlib's crc32 takes 32-bit lengths; every range here is bounded far below.
      unsafe UInt32(CZlib.crc32(0, buffer.baseAddress, UInt32(buffer.count)))
    }
  }
}
