#if LibDeflate
  import CLibdeflate
#else
  import CZlib
#endif

/// The check of gzip and of block headers.
enum Checksum {
  /// CRC-32 as gzip defines it.
  static func crc32(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
    crc32(bytes[range], after: 0)
  }

  /// The CRC-32 of bytes that go on behind others, of which it is the CRC-32 so far.
  static func crc32(_ bytes: ArraySlice<UInt8>, after previous: UInt32) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      #if LibDeflate
        unsafe libdeflate_crc32(previous, buffer.baseAddress, buffer.count)
      #else
        // zlib's crc32 takes 32-bit lengths; every range here is bounded far below.
        unsafe UInt32(CZlib.crc32(UInt(previous), buffer.baseAddress, UInt32(buffer.count)))
      #endif
    }
  }
}
