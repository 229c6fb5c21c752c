import CZlib

/// Deflates blocks' payloads as raw deflate streams, section by section, with one zlib state.
///
/// Each section becomes a fragment of its own that refers to no other and ends on a byte, so that the
/// way that suits it can be tried out; the fragments one after another, and an empty last one, are a
/// valid deflate stream.
///
/// A class, as zlib keeps a pointer to its state, whose address must not change.
@safe
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let level: Int32

  /// Starts zlib at a level: 0 stores everything, 1 is fast, 9 is small.
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

  /// Sections shorter than this are not worth a fragment of their own.
  private static let shortSection = 512

  /// Deflates the sections as one stream.
  func deflate(_ sections: [Section]) throws(BlockError) -> [UInt8] {
    var output: [UInt8] = []
    var joined: [UInt8] = []
    for section in sections {
      if section.kind == .plain || section.bytes.count < Self.shortSection {
        joined += section.bytes
        continue
      }
      if !joined.isEmpty { output += try fragment(joined, .plain) }
      joined.removeAll(keepingCapacity: true)
      output += try fragment(section.bytes, section.kind)
    }
    if !joined.isEmpty { output += try fragment(joined, .plain) }
    output += [0x03, 0x00]
    return output
  }

  /// The shortest fragment for a section of a kind.
  private func fragment(
    _ bytes: [UInt8], _ kind: Section.Kind
  ) throws(BlockError) -> [UInt8] {
    if level == 0 { return Self.storedFragment(bytes) }
    let huffmanEstimate = kind == .plain ? .infinity : Self.entropyBytes(bytes)
    if kind == .mantissas, huffmanEstimate > 0.95 * Double(bytes.count) {
      return Self.storedFragment(bytes)
    }
    let matched = try deflateFragment(bytes, strategy: Z_DEFAULT_STRATEGY)
    var best = matched
    if huffmanEstimate < Double(matched.count) {
      // Where symbols are independent, matches that zlib finds by chance cost more than they save.
      let coded = try deflateFragment(bytes, strategy: Z_HUFFMAN_ONLY)
      if coded.count < matched.count { best = coded }
    }
    return Double(best.count) > 0.97 * Double(bytes.count) ? Self.storedFragment(bytes) : best
  }

  private func deflateFragment(
    _ bytes: [UInt8], strategy: Int32
  ) throws(BlockError) -> [UInt8] {
    let failed = BlockError(.tooLarge, "a block could not be compressed")
    guard unsafe deflateReset(stream) == Z_OK,
      unsafe deflateParams(stream, level, strategy) == Z_OK
    else { throw failed }
    let bound = Int(unsafe deflateBound(stream, UInt(bytes.count))) + 64
    var output = [UInt8](repeating: 0, count: bound)
    let (status, written) = unsafe bytes.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let status = unsafe CZlib.deflate(stream, Z_SYNC_FLUSH)
        return unsafe (status, output.count - Int(stream.pointee.avail_out))
      }
    }
    guard status == Z_OK, unsafe stream.pointee.avail_in == 0, written < bound else { throw failed }
    output.removeLast(bound - written)
    return output
  }

  /// Stored blocks (RFC 1951, 3.2.4), none of them the last.
  private static func storedFragment(_ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let part = bytes[start..<min(bytes.count, start + 65_535)]
      writer.append(0 as UInt8)
      writer.append(UInt16(part.count))
      writer.append(~UInt16(part.count))
      writer.append(bytes: part)
    }
    return writer.bytes
  }

  /// The bytes that an ideal code for independent symbols would take.
  private static func entropyBytes(_ bytes: [UInt8]) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    for byte in bytes { counts[Int(byte)] += 1 }
    return Entropy.bits(counts) / 8
  }
}
