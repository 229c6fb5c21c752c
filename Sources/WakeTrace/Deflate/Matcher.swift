#if LibDeflate
  import CLibdeflate
#else
  import CZlib
#endif

/// Compresses with LZ77 matches, with one state of zlib or libdeflate.
///
/// A class, since it frees the state; zlib moreover keeps a pointer to it, so its address must not change.
@safe final class Matcher {
  private var scratch: [UInt8] = []

  #if LibDeflate
    /// Whether ``fragment(of:most:)`` ever returns one.
    static let makesFragments = false

    /// None at level 0.
    private let compressor: OpaquePointer?

    init(level: Int) throws(BlockError) {
      unsafe compressor = level > 0 ? libdeflate_alloc_compressor(Int32(level)) : nil
      guard unsafe level == 0 || compressor != nil else {
        throw BlockError(.inputOutput, "libdeflate could not be started")
      }
    }

    deinit {
      if let compressor = unsafe compressor { unsafe libdeflate_free_compressor(compressor) }
    }

    /// Always nil: libdeflate makes whole streams only.
    func fragment(of bytes: [UInt8], most: Int) throws(BlockError) -> ArraySlice<UInt8>? { nil }

    /// Sections as one stream; nil if it would not be shorter than `length` bytes.
    func stream(of sections: [Section], shorterThan length: Int) throws(BlockError) -> [UInt8]? {
      guard let compressor = unsafe compressor, length > 1 else { return nil }
      let bytes = sections.flatMap(\.bytes)
      if scratch.count < length { scratch = [UInt8](repeating: 0, count: length) }
      let written = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe scratch.withUnsafeMutableBufferPointer { output in
          unsafe libdeflate_deflate_compress(
            compressor, input.baseAddress, input.count, output.baseAddress, length - 1)
        }
      }
      return written > 0 ? Array(scratch[..<written]) : nil
    }
  #else
    static let makesFragments = true

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init(level: Int) throws(BlockError) {
      unsafe stream.initialize(to: z_stream())
      guard unsafe rouse_deflate_start(stream, Int32(level)) == Z_OK else {
        throw BlockError(.inputOutput, "zlib could not be started")
      }
    }

    deinit {
      unsafe deflateEnd(stream)
      unsafe stream.deallocate()
    }

    /// Bytes as an independent, byte-aligned fragment; nil if it would exceed `most` bytes.
    func fragment(of bytes: [UInt8], most: Int) throws(BlockError) -> ArraySlice<UInt8>? {
      let failed = BlockError(.tooLarge, "a block could not be compressed")
      guard unsafe deflateReset(stream) == Z_OK else { throw failed }
      let bound = Int(unsafe deflateBound(stream, UInt(bytes.count))) + 64
      if scratch.count < bound { scratch = [UInt8](repeating: 0, count: bound) }
      let (status, written) = unsafe bytes.withUnsafeBufferPointer { input in
        unsafe scratch.withUnsafeMutableBufferPointer { output in
          unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          unsafe stream.pointee.avail_in = UInt32(input.count)
          unsafe stream.pointee.next_out = output.baseAddress
          unsafe stream.pointee.avail_out = UInt32(output.count)
          let status = unsafe CZlib.deflate(stream, Z_SYNC_FLUSH)
          return unsafe (status, output.count - Int(stream.pointee.avail_out))
        }
      }
      guard status == Z_OK, unsafe stream.pointee.avail_in == 0, written < scratch.count else {
        throw failed
      }
      return written <= most ? scratch[..<written] : nil
    }

    /// Always nil: fragments by section are smaller.
    func stream(of sections: [Section], shorterThan length: Int) throws(BlockError) -> [UInt8]? {
      nil
    }
  #endif
}
