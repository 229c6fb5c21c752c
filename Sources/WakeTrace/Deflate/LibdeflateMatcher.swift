#if LibDeflate
  import CLibdeflate

  /// The LZ77 compressor: libdeflate.
  typealias Matcher = LibdeflateMatcher

  /// Compresses whole deflate streams with libdeflate.
  ///
  /// A class, since it frees libdeflate's state.
  @safe
  final class LibdeflateMatcher {
    /// Whether ``fragment(of:most:)`` ever returns one.
    static let makesFragments = false

    /// None at level 0.
    private let compressor: OpaquePointer?
    private var scratch: [UInt8] = []

    /// Starts libdeflate at a level from 0 to 9.
    init(level: Int) throws(BlockError) {
      guard level > 0 else {
        unsafe compressor = nil
        return
      }
      unsafe compressor = libdeflate_alloc_compressor(Int32(level))
      guard unsafe compressor != nil else {
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
  }
#endif
