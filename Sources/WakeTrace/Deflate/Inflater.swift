#if LibDeflate
  import CLibdeflate
#else
  import CZlib
#endif

/// Inflates raw deflate streams with one state of zlib or libdeflate.
///
/// A class, since it frees the state; zlib moreover keeps a pointer to it, so its address must not change.
@safe package final class Inflater {
  /// Inflates the stream in `source[range]` to exactly `length` bytes; never writes beyond them.
  package func inflate(
    _ source: [UInt8], in range: Range<Int>, length: Int, into output: inout [UInt8]
  ) throws(BlockError) {
    // The array never shrinks, so a warm reader neither allocates nor clears.
    if output.count < length + IntegerColumn.padding {
      output = [UInt8](repeating: 0, count: length + length / 8 + IntegerColumn.padding)
    }
    let result = unsafe source[range].withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe inflate(input, to: UnsafeMutableBufferPointer(rebasing: output[..<length]))
      }
    }
    guard let result else { throw BlockError(.inputOutput, "the inflater could not be started") }
    guard result.isWhole else {
      throw BlockError(
        .damaged,
        result.isTooLong
          ? "block inflates to more bytes than its header says"
          : "block's compressed bytes are damaged")
    }
    guard result.written == length, result.consumed == range.count else {
      throw BlockError(.damaged, "block's compressed bytes contradict the lengths in its header")
    }
  }

  private typealias Result = (isWhole: Bool, isTooLong: Bool, written: Int, consumed: Int)

  #if LibDeflate
    private let decompressor = unsafe libdeflate_alloc_decompressor()

    package init() {}

    deinit {
      if let decompressor = unsafe decompressor {
        unsafe libdeflate_free_decompressor(decompressor)
      }
    }

    /// Nil if memory ran out.
    private func inflate(
      _ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Result? {
      guard let decompressor = unsafe decompressor else { return nil }
      var (consumed, written) = (0, 0)
      let status = unsafe libdeflate_deflate_decompress_ex(
        decompressor, input.baseAddress, input.count, output.baseAddress, output.count, &consumed,
        &written)
      return (
        status == LIBDEFLATE_SUCCESS, status == LIBDEFLATE_INSUFFICIENT_SPACE, written, consumed
      )
    }
  #else
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    package init() {
      unsafe stream.initialize(to: z_stream())
    }

    deinit {
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }

    /// Nil if memory ran out.
    private func inflate(
      _ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Result? {
      guard unsafe rouse_inflate_start(stream) == Z_OK else { return nil }
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(input.count)
      unsafe stream.pointee.next_out = output.baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      let status = unsafe CZlib.inflate(stream, Z_FINISH)
      let written = unsafe output.count - Int(stream.pointee.avail_out)
      return unsafe (
        status == Z_STREAM_END, status == Z_BUF_ERROR && written == output.count, written,
        input.count - Int(stream.pointee.avail_in)
      )
    }
  #endif
}
