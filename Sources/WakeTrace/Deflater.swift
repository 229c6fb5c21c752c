import CZlib

/// Deflates blocks' payloads as raw deflate streams, section by section, with one zlib state.
///
/// Each section becomes a fragment of its own that refers to no other and ends on a byte, made in the
/// way that suits it: stored, as a ``RunFragment``, or with zlib's matches. The fragments one after
/// another, and an empty last one, are a valid deflate stream.
///
/// A class, as zlib keeps a pointer to its state, whose address must not change.
@safe
final class Deflater {
  private let stream: UnsafeMutablePointer<z_stream>
  private let level: Int32
  /// What zlib made, kept from fragment to fragment.
  private var scratch: [UInt8] = []
  private var runs = ByteRuns()

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

  /// Appends the sections, deflated as one stream.
  func deflate(_ sections: [Section], to output: inout [UInt8]) throws(BlockError) {
    var joined: [UInt8] = []
    for section in sections {
      if section.kind == .plain || section.bytes.count < Self.shortSection {
        joined += section.bytes
        continue
      }
      try appendFragment(joined, .plain, to: &output)
      joined.removeAll(keepingCapacity: true)
      try appendFragment(section.bytes, section.kind, to: &output)
    }
    try appendFragment(joined, .plain, to: &output)
    output += [0x03, 0x00]
  }

  /// Appends the shortest fragment for a section of a kind; at level 1, one that is likely to be.
  private func appendFragment(
    _ bytes: [UInt8], _ kind: Section.Kind, to output: inout [UInt8]
  ) throws(BlockError) {
    guard level > 0, !bytes.isEmpty else { return Self.store(bytes, to: &output) }
    // What saves less is not worth the time to read it.
    let most = Int(0.97 * Double(bytes.count))
    if kind == .plain {
      let matched = try match(bytes)
      if matched <= most {
        output += scratch[..<matched]
      } else {
        Self.store(bytes, to: &output)
      }
      return
    }
    let bits = ByteCounts(bytes, isRough: level == 1).bitsPerByte
    if kind == .mantissas, bits > 0.95 * 8 { return Self.store(bytes, to: &output) }
    // A run takes about the bits of some tokens.
    runs.take(bytes, shortest: Int(min(8, max(3, (14 / max(1, bits)).rounded(.up)))))
    let fragment = RunFragment(runs)
    if level > 1 || runs.areLikelyToRepeat() {
      let matched = try match(bytes)
      if matched <= min(most, fragment.length) {
        output += scratch[..<matched]
        return
      }
    }
    if fragment.length <= most {
      fragment.append(runs, to: &output)
    } else {
      Self.store(bytes, to: &output)
    }
  }

  /// Deflates bytes with matches to the start of ``scratch``; returns how many there are then.
  private func match(_ bytes: [UInt8]) throws(BlockError) -> Int {
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
    return written
  }

  /// Appends stored blocks (RFC 1951, 3.2.4), none of them the last.
  private static func store(_ bytes: [UInt8], to output: inout [UInt8]) {
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let part = bytes[start..<min(bytes.count, start + 65_535)]
      let length = UInt16(part.count)
      output.append(0)
      for half in [length, ~length] {
        output.append(UInt8(truncatingIfNeeded: half))
        output.append(UInt8(truncatingIfNeeded: half >> 8))
      }
      output += part
    }
  }
}
