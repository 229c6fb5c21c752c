#if LibDeflate
  import CLibdeflate
#else
  import CChecksum
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
        unsafe foldedCRC32(buffer, after: previous)
      #endif
    }
  }

  #if !LibDeflate
    /// Folds what there is of bytes to few with the same CRC-32, where the processor can: zlib takes them one
    /// by one.
    ///
    /// - Parameter width: Bytes that are folded at a time; 0 if none are.
    static func foldedCRC32(
      _ bytes: UnsafeBufferPointer<UInt8>, after previous: UInt32,
      width: Int = checksum_widest_fold()
    ) -> UInt32 {
      guard width > 0, bytes.count >= Int(CHECKSUM_LEAST), let start = bytes.baseAddress
      else { return unsafe plainCRC32(bytes, after: previous) }
      let folded = bytes.count / Int(CHECKSUM_RESIDUE) * Int(CHECKSUM_RESIDUE)
      let checksum = unsafe withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: Int(CHECKSUM_RESIDUE)
      ) { residue in
        unsafe checksum_fold(~previous, start, folded, width, residue.baseAddress)
        // All bits set is a register of 0.
        return unsafe plainCRC32(UnsafeBufferPointer(residue), after: .max)
      }
      return unsafe plainCRC32(UnsafeBufferPointer(rebasing: bytes[folded...]), after: checksum)
    }

    /// zlib's.
    private static func plainCRC32(
      _ bytes: UnsafeBufferPointer<UInt8>, after previous: UInt32
    ) -> UInt32 {
      // It takes 32-bit lengths; every range here is bounded far below.
      unsafe UInt32(CZlib.crc32(UInt(previous), bytes.baseAddress, UInt32(bytes.count)))
    }
  #endif
}
