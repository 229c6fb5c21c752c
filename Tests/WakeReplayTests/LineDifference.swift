import WakeTestSupport

/// What differs between the lines of two texts.
enum LineDifference {
  /// The first line that differs, in words, or nil.
  static func first(of bytes: [UInt8], from expected: String) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasSameBytes(as: expected), text.utf8.count == bytes.count { return nil }
    func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let (written, wanted) = (lines(text), lines(expected))
    for (line, other) in zip(written, wanted) where !line.utf8.elementsEqual(other.utf8) {
      return "\(line), should be \(other)"
    }
    return written.count == wanted.count
      ? "bytes that are no UTF-8" : "\(written.count) lines, should be \(wanted.count)"
  }
}
