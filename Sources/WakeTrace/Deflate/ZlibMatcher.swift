#if !LibDeflate
  import CZlib

  /// The LZ77 compressor: zlib.
  typealias Matcher = ZlibMatcher

  /// Compresses fragments of deflate streams with one zlib state.
  ///
  /// A class, since zlib keeps a pointer to its state, whose address must not change.
  @safe
  final class ZlibMatcher {
    /// Whether ``fragment(of:most:)`` ever returns one.
    static let makesFragments = true

    private let stream: UnsafeMutablePointer<z_stream>
    /// zlib's output buffer.
    private var scratch: [UInt8] = []

    /// Starts zlib at a level from 0 to 9.
    init(level: Int) throws(BlockError) {
      unsafe stream = .allocate(capacity: 1)
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
  }
#endif
