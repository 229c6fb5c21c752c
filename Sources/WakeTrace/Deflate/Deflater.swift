/// Compresses payloads as raw deflate streams (RFC 1951), section by section.
///
/// Each section becomes an independent, byte-aligned fragment: stored, a ``RunFragment`` (Huffman and run length), or
/// LZ77 matches of a ``Matcher``. The fragments and an empty final block form a valid stream. If the matcher compresses
/// the whole payload to fewer bytes, its stream is used instead.
package final class Deflater {
  private let level: Int
  private let matcher: Matcher
  private var runs = ByteRuns()
  /// Whether matches probably shorten the current payload.
  private var wantsMatches = false

  /// - Parameter level: 0 stores, 1 is fast, 9 is small.
  package init(level: Int) throws(BlockError) {
    self.level = level
    matcher = try Matcher(level: level)
  }

  /// Columns, joined, as a raw deflate stream.
  package static func stream(
    of columns: [[UInt8]], level: Int
  ) throws(BlockError) -> [UInt8] {
    var output: [UInt8] = []
    try Deflater(level: level).deflate(
      columns.map { Section(kind: .plain, bytes: $0) }, to: &output)
    return output
  }

  /// Shorter sections are joined with their neighbours.
  private static let shortSection = 512

  package func deflate(_ sections: [Section], to output: inout [UInt8]) throws(BlockError) {
    let start = output.count
    var joined: [UInt8] = []
    var plainBytes = 0
    wantsMatches = level > 1
    for section in sections {
      if section.kind == .plain || section.bytes.count < Self.shortSection {
        joined += section.bytes
        plainBytes += section.bytes.count
        continue
      }
      try appendFragment(joined, .plain, to: &output)
      joined.removeAll(keepingCapacity: true)
      try appendFragment(section.bytes, section.kind, to: &output)
    }
    try appendFragment(joined, .plain, to: &output)
    output += [0x03, 0x00]
    // Names and lists repeat too.
    guard level > 0, wantsMatches || 4 * plainBytes > Payload.length(of: sections),
      let whole = try matcher.stream(of: sections, shorterThan: output.count - start)
    else { return }
    output.removeSubrange(start...)
    output += whole
  }

  /// Appends the shortest fragment for a section; at level 1, the one estimated to be shortest.
  private func appendFragment(
    _ bytes: [UInt8], _ kind: Section.Kind, to output: inout [UInt8]
  ) throws(BlockError) {
    guard level > 0, !bytes.isEmpty else { return Self.store(bytes, to: &output) }
    // A smaller gain does not pay for the time to inflate.
    let most = Int(0.97 * Double(bytes.count))
    if kind == .plain, Matcher.makesFragments {
      guard let matched = try matcher.fragment(of: bytes, most: most) else {
        return Self.store(bytes, to: &output)
      }
      output += matched
      return
    }
    let bits = ByteCounts(bytes, isRough: level == 1).bitsPerByte
    if kind == .mantissas, bits > 0.95 * 8 { return Self.store(bytes, to: &output) }
    // A run costs about 14 bits, as much as several literals.
    runs.take(bytes, shortest: Int(min(8, max(3, (14 / max(1, bits)).rounded(.up)))))
    let fragment = RunFragment(runs)
    if kind != .plain, level > 1 || runs.areLikelyToRepeat() {
      wantsMatches = true
      if let matched = try matcher.fragment(of: bytes, most: min(most, fragment.length)) {
        output += matched
        return
      }
    }
    if fragment.length <= most {
      fragment.append(runs, to: &output)
    } else {
      Self.store(bytes, to: &output)
    }
  }

  /// Appends stored blocks (RFC 1951, 3.2.4), none of them final.
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
