#if LibDeflate
  import CLibdeflate

  /// Inflates raw deflate streams with libdeflate.
  ///
  /// A class, since it frees libdeflate's state.
  @safe final class Inflater {
    /// Nil if memory ran out.
    private let decompressor: OpaquePointer?

    init() {
      unsafe decompressor = libdeflate_alloc_decompressor()
    }

    deinit {
      if let decompressor = unsafe decompressor {
        unsafe libdeflate_free_decompressor(decompressor)
      }
    }

    /// Inflates the stream in `source[range]` to exactly `length` bytes; never writes beyond them.
    func inflate(
      _ source: [UInt8], in range: Range<Int>, length: Int, into output: inout [UInt8]
    ) throws(BlockError) {
      guard let decompressor = unsafe decompressor else {
        throw BlockError(.inputOutput, "libdeflate could not be started")
      }
      // The array never shrinks, so a warm reader neither allocates nor clears.
      if output.count < length + IntegerColumn.padding {
        output = [UInt8](repeating: 0, count: length + length / 8 + IntegerColumn.padding)
      }
      var (consumed, written) = (0, 0)
      let result = unsafe source[range].withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe libdeflate_deflate_decompress_ex(
            decompressor, input.baseAddress, input.count, output.baseAddress, length, &consumed,
            &written)
        }
      }
      guard result == LIBDEFLATE_SUCCESS else {
        throw BlockError(
          .damaged,
          result == LIBDEFLATE_INSUFFICIENT_SPACE
            ? "block inflates to more bytes than its header says"
            : "block's compressed bytes are damaged")
      }
      guard written == length, consumed == range.count else {
        throw BlockError(.damaged, "block's compressed bytes contradict the lengths in its header")
      }
    }
  }
#endif
