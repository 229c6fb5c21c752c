import CZlib

/// Deflates blocks' payloads as raw deflate streams, with one zlib state.
///
/// A class, as zlib keeps a pointer to its state, whose address must not change.
@safe final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let level: Int32

  /// Starts zlib at a level: 0 stores, 1 is fast, 9 is small.
  init(level: Int) throws(BlockError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    self.level = Int32(level)
    guard unsafe rouse_deflate_start(stream, self.level) == Z_OK else {
      throw BlockError(.inputOutput, "zlib could not be started")
    }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Deflates `payload`: up to `storedFrom` at the level, from there on stored, as deflate gains
  /// nothing on what stands there.
  func deflate(_ payload: [UInt8], storedFrom: Int) throws(BlockError) -> [UInt8] {
    guard unsafe deflateReset(stream) == Z_OK else {
      throw BlockError(.inputOutput, "zlib could not be started")
    }
    let bound = Int(unsafe deflateBound(stream, UInt(payload.count))) + 1_024
    var output = [UInt8](repeating: 0, count: bound)
    var isWritten = true
    let written = unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe stream.pointee.next_out = output.baseAddress
      unsafe stream.pointee.avail_out = UInt32(output.count)
      unsafe payload.withUnsafeBufferPointer { input in
        let base = unsafe UnsafeMutablePointer(mutating: input.baseAddress)
        if storedFrom > 0 {
          unsafe deflateParams(stream, level, Z_DEFAULT_STRATEGY)
          unsafe stream.pointee.next_in = base
          unsafe stream.pointee.avail_in = UInt32(storedFrom)
          if storedFrom < payload.count {
            isWritten = unsafe CZlib.deflate(stream, Z_BLOCK) == Z_OK
          }
        }
        if storedFrom < payload.count {
          unsafe deflateParams(stream, 0, Z_DEFAULT_STRATEGY)
          unsafe stream.pointee.next_in = base?.advanced(by: storedFrom)
          unsafe stream.pointee.avail_in = UInt32(payload.count - storedFrom)
        }
        let status = unsafe CZlib.deflate(stream, Z_FINISH)
        isWritten = isWritten && status == Z_STREAM_END
      }
      return unsafe output.count - Int(stream.pointee.avail_out)
    }
    guard isWritten else { throw BlockError(.tooLarge, "a block could not be compressed") }
    output.removeLast(output.count - written)
    return output
  }
}
