import CZlib

/// Inflates a stream of any length with zlib, part by part: a gzip member (RFC 1952) with its checks, or raw deflate
/// (RFC 1951).
///
/// A class, since zlib keeps a pointer to its state.
@safe final class StreamInflater {
  enum Wrapper { case gzip, none }

  /// The bytes of the source that the last call of ``inflate(_:in:into:)`` took, also if it failed.
  private(set) var consumed = 0
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  init(_ wrapper: Wrapper) throws(BlockError) {
    unsafe stream.initialize(to: z_stream())
    guard unsafe rouse_inflate_stream_start(stream, wrapper == .gzip ? 1 : 0) == Z_OK else {
      throw BlockError(.inputOutput, "the inflater could not be started")
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Begins a new stream.
  func reset() { unsafe _ = inflateReset(stream) }

  /// Inflates bytes of `source` to the start of `output`, as many as fit.
  func inflate(
    _ source: [UInt8], in range: Range<Int>, into output: inout MutableSpan<UInt8>
  ) throws(BlockError) -> (consumed: Int, written: Int, hasEnded: Bool) {
    let status = unsafe source[range].withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
        return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      }
    }
    consumed = unsafe range.count - Int(stream.pointee.avail_in)
    // Z_BUF_ERROR: more input or room is needed.
    guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else {
      throw BlockError(.damaged, "compressed bytes are damaged")
    }
    let room = Int(UInt32(clamping: output.count))
    return unsafe (
      consumed, room - Int(stream.pointee.avail_out),
      status == Z_STREAM_END
    )
  }
}
