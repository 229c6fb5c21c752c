#if LibDeflate
  import CLibdeflate
#else
  import CKernels
  import CZlib
  import Kernels
#endif

package enum Checksum {
  package static func crc32(_ bytes: [UInt8], in range: Range<Int>) -> UInt32 {
    crc32(bytes[range], after: 0)
  }

  /// Continues a CRC-32 over further bytes.
  static func crc32(_ bytes: ArraySlice<UInt8>, after previous: UInt32) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe crc32($0, after: previous) }
  }

  /// Continues a CRC-32 over the first `count` bytes of a span.
  static func crc32(
    _ bytes: borrowing MutableSpan<UInt8>, count: Int, after previous: UInt32
  ) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer {
      unsafe crc32(UnsafeBufferPointer(rebasing: $0[..<count]), after: previous)
    }
  }

  private static func crc32(
    _ buffer: UnsafeBufferPointer<UInt8>, after previous: UInt32
  ) -> UInt32 {
    #if LibDeflate
      unsafe libdeflate_crc32(previous, buffer.baseAddress, buffer.count)
    #else
      unsafe foldedCRC32(buffer, after: previous)
    #endif
  }

  #if !LibDeflate
    /// Folds most bytes to 16 with the same CRC-32, if the processor can: zlib takes them one by one.
    static func foldedCRC32(
      _ bytes: UnsafeBufferPointer<UInt8>, after previous: UInt32,
      path: ProcessorPath = .standard
    ) -> UInt32 {
      let residueLength = Int(KERNELS_CRC_RESIDUE)
      return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: residueLength) {
        residue in
        guard let start = bytes.baseAddress else { return previous }
        let folded = unsafe kernels_fold_crc(
          path.kernelsPath, ~previous, start, bytes.count, residue.baseAddress)
        guard folded > 0 else { return unsafe plainCRC32(bytes, after: previous) }
        // The complement of a register of 0.
        let checksum = unsafe plainCRC32(UnsafeBufferPointer(residue), after: .max)
        return unsafe plainCRC32(UnsafeBufferPointer(rebasing: bytes[folded...]), after: checksum)
      }
    }

    private static func plainCRC32(
      _ bytes: UnsafeBufferPointer<UInt8>, after previous: UInt32
    ) -> UInt32 {
      // It takes 32-bit lengths; every range here is bounded far below.
      unsafe UInt32(CZlib.crc32(UInt(previous), bytes.baseAddress, UInt32(bytes.count)))
    }
  #endif
}
