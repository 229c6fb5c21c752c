import WakeJSON

/// Texts one behind the other, with ``TextRoom/shortText`` bytes behind the last one.
struct TextBytes: ~Copyable {
  /// Empty before there is a text.
  private var bytes: [UInt8] = []

  /// How many bytes all texts have.
  var count: Int { max(0, bytes.count - TextRoom.shortText) }

  /// Appends a text; returns where it is.
  mutating func append(_ text: [UInt8]) -> Range<Int> {
    if bytes.isEmpty { bytes = [UInt8](repeating: 0, count: TextRoom.shortText) }
    let start = count
    bytes.replaceSubrange(start..<start, with: text)
    return start..<count
  }

  /// Replaces all texts by one.
  ///
  /// - Parameter room: At least as many bytes as `write` needs.
  mutating func set(room: Int, _ write: (inout TextRoom) -> Void) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(room: room + TextRoom.shortText) {
      write(&$0)
      $0.appendPadding()
    }
  }

  /// Appends a text or a part of it to a line that has room for it, and for ``TextRoom/shortText`` bytes.
  @inline(__always)
  func append(_ place: Range<Int>, to line: inout TextRoom) { line.append(place, of: bytes) }

  /// Appends all texts, as ``append(_:to:)`` does.
  @inline(__always)
  func append(to line: inout TextRoom) { line.append(0..<count, of: bytes) }
}
