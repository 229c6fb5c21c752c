package import WakeEvents
import WakeJSON
import WakeTrace

/// Writes a table as CSV (RFC 4180): lines end with CR LF, and a field is quoted if it has a comma, a quotation mark or a
/// line break. What is nil is an empty field; an empty text is `""`.
package struct CSVWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  private var isRowEmpty = true

  package init() {}

  /// Writes a row of names.
  package init(header columns: [String]) {
    for column in columns { field(column) }
    endRow()
  }

  private mutating func next() {
    if !isRowEmpty { bytes.append(UInt8(ascii: ",")) }
    isRowEmpty = false
  }

  package mutating func field(_ text: String?) {
    next()
    guard let text else { return }
    guard Self.mustQuote(text.utf8.span) else {
      bytes += text.utf8
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func mustQuote(_ text: Span<UInt8>) -> Bool {
    for place in text.indices {
      switch text[place] {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        return true
      default: break
      }
    }
    return text.isEmpty
  }

  package mutating func field(_ number: Int64?) {
    next()
    if let number { bytes.append(room: TextRoom.numberRoom) { $0.append(number) } }
  }

  package mutating func field(_ number: Int?) { field(number.map(Int64.init)) }

  /// Writes the shortest number that reads back as the same double.
  package mutating func field(_ value: Double?) {
    next()
    if let value { bytes += value.description.utf8 }
  }

  package mutating func field(_ value: Bool) { field(value ? "true" : "false") }

  /// Writes a time in UTC, with nine digits of a fraction always: `2026-01-01T00:00:05.250000000Z`.
  package mutating func field(_ time: Timestamp?) {
    next()
    time?.appendISO8601(to: &bytes)
  }

  /// Writes a device's name; one without a name is an empty field.
  package mutating func field(device name: String) { field(name.isEmpty ? nil : name) }

  package mutating func endRow() {
    bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    isRowEmpty = true
  }

  /// The rows so far, which are then no longer here.
  package mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Hands very many rows over, amid a call of the scheduler.
  mutating func handOverAmidCall(to part: inout LogPart) { part.takeAmidCall(&bytes) }

  /// Hands the rows over, if they are many or `all` are to be.
  mutating func handOver(to part: inout LogPart, all: Bool) throws(TraceError) {
    try part.take(&bytes, all: all)
  }
}
