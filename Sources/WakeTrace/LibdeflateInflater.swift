#if LibDeflate
  import CLibdeflate

  /// Inflates raw deflate streams, one after another, with libdeflate.
  ///
  /// A class, as it frees libdeflate's state.
  @safe final class Inflater {
    /// None if there is no memory for it.
    private let decompressor: OpaquePointer?

    init() {
      unsafe decompressor = libdeflate_alloc_decompressor()
    }

    deinit {
      if let decompressor = unsafe decompressor {
        unsafe libdeflate_free_decompressor(decompressor)
      }
    }

    /// Inflates the deflate stream that fills `source[range]` into exactly `length` bytes.
    ///
    /// Never writes beyond `length`, whatever the stream says.
    func inflate(
      _ source: [UInt8], in range: Range<Int>, length: Int, into output: inout [UInt8]
    ) throws(BlockError) {
      guard let decompressor = unsafe decompressor else {
        throw BlockError(.inputOutput, "libdeflate could not be started")
      }
      // Arrays keep their size, so that a warm reader neither allocates nor clears.
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
            ? "block inflates to more than it says" : "block's compressed bytes are damaged")
      }
      guard written == length, consumed == range.count else {
        throw BlockError(.damaged, "block's compressed bytes do not have the length it says")
      }
    }
  }
#endif
