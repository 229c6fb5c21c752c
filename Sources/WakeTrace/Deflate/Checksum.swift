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
    /// The path's CRC-32, with that of zlib for the bytes that it leaves over.
    static func foldedCRC32(
      _ bytes: UnsafeBufferPointer<UInt8>, after previous: UInt32,
      path: ProcessorPath = .standard
    ) -> UInt32 {
      guard let start = bytes.baseAddress else { return previous }
      return unsafe kernels_crc(path.kernelsPath, previous, start, bytes.count) {
        unsafe CZlib.crc32($0, $1, $2)
      }
    }
  #endif
}
