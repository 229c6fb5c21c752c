import CZlib

/// Inflates the members of a trace by zlib alone: the reference for the speed of a replay.
///
/// Each gzip member is inflated in one call, with zlib's own checks.
@safe final class PlainInflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private var output: [UInt8]

  /// Makes an inflater whose members have at most `capacity` bytes.
  init(capacity: Int) throws {
    output = [UInt8](repeating: 0, count: capacity)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // 16 plus the window's bits selects the gzip wrapper.
    let status = unsafe inflateInit2_(
      stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw LimitsError("zlib could not be initialised") }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Inflates each member; returns the number of inflated bytes.
  func inflate(_ bytes: [UInt8], members: [Range<Int>]) throws -> Int {
    var inflated = 0
    for member in members {
      let (status, count) = unsafe bytes[member].withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          unsafe inflateReset(stream)
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          let status = unsafe CZlib.inflate(stream, Z_FINISH)
          return unsafe (status, output.count - Int(stream.pointee.avail_out))
        }
      }
      guard status == Z_STREAM_END else {
        throw LimitsError("zlib cannot inflate the member at byte \(member.lowerBound)")
      }
      inflated += count
    }
    return inflated
  }
}
