#if !LibDeflate
  import CZlib

  /// Inflates raw deflate streams with one zlib state.
  ///
  /// A class, since zlib keeps a pointer to its state, whose address must not change.
  @safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>

    init() {
      unsafe stream = .allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
    }

    deinit {
      unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }

    /// Inflates the stream in `source[range]` to exactly `length` bytes; never writes beyond them.
    func inflate(
      _ source: [UInt8], in range: Range<Int>, length: Int, into output: inout [UInt8]
    ) throws(BlockError) {
      guard unsafe rouse_inflate_start(stream) == Z_OK else {
        throw BlockError(.inputOutput, "zlib could not be started")
      }
      // The array never shrinks, so a warm reader neither allocates nor clears.
      if output.count < length + IntegerColumn.padding {
        output = [UInt8](repeating: 0, count: length + length / 8 + IntegerColumn.padding)
      }
      let (status, written, consumed) = unsafe source[range].withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(length)
          let status = unsafe CZlib.inflate(stream, Z_FINISH)
          return unsafe (
            status, length - Int(stream.pointee.avail_out),
            input.count - Int(stream.pointee.avail_in)
          )
        }
      }
      guard status == Z_STREAM_END else {
        throw BlockError(
          .damaged,
          status == Z_BUF_ERROR && written == length
            ? "block inflates to more bytes than its header says"
            : "block's compressed bytes are damaged")
      }
      guard written == length, consumed == range.count else {
        throw BlockError(.damaged, "block's compressed bytes contradict the lengths in its header")
      }
    }
  }
#endif
