/// Finds objects in text that comes in pieces: JSON Lines, objects one behind another in any layout, or arrays of objects.
///
/// Memory is that of one object and one piece.
package struct JSONSequence {
  /// An object's text.
  package struct Element {
    package var bytes: [UInt8]
    /// The line on which it begins, from 1.
    package var line: Int
  }

  private var buffer: [UInt8] = []
  /// What is in `buffer` before this is done with.
  private var start = 0
  private var position = 0
  /// Of objects and arrays within the object.
  private var depth = 0
  /// Of arrays around objects.
  private var arrays = 0
  private var isInString = false
  private var isEscaped = false
  /// The line of `position`.
  package private(set) var line = 1
  private var startLine = 1

  package init() {}

  /// Whether an object, or an array of them, has begun that has not ended.
  package var isUnfinished: Bool { depth > 0 || arrays > 0 }
  /// The bytes of that object so far.
  package var unfinishedLength: Int { buffer.count - start }

  /// Adds the next piece of the text.
  package mutating func append(_ piece: some Collection<UInt8>) {
    buffer.removeSubrange(..<start)
    position -= start
    start = 0
    buffer += piece
  }

  /// The next object; nil if more text is needed.
  ///
  /// - Throws: What is neither white space nor a comma, a bracket or an object.
  package mutating func next() throws(JSONError) -> Element? {
    while position < buffer.count {
      let byte = buffer[position]
      position += 1
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == ASCII.backslash {
          isEscaped = true
        } else if byte == ASCII.quote {
          isInString = false
        }
        continue
      }
      switch byte {
      case ASCII.newline: line += 1
      case ASCII.quote where depth > 0: isInString = true
      case ASCII.openBrace:
        if depth == 0 { (start, startLine) = (position - 1, line) }
        depth += 1
      case ASCII.openBracket: if depth > 0 { depth += 1 } else { arrays += 1 }
      case ASCII.closeBracket where depth == 0 && arrays > 0: arrays -= 1
      case ASCII.closeBrace, ASCII.closeBracket:
        guard depth > 0 else {
          throw JSONError(
            .invalidJSON, "a bracket that closes nothing", offset: position - 1 - start)
        }
        depth -= 1
        guard depth == 0 else { continue }
        let bytes = Array(buffer[start..<position])
        start = position
        return Element(bytes: bytes, line: startLine)
      case ASCII.space, ASCII.tab, ASCII.carriageReturn, ASCII.comma: break
      default:
        guard depth > 0 else {
          throw JSONError(.invalidJSON, "expected an object", offset: position - 1 - start)
        }
      }
    }
    if depth == 0 { start = position }
    return nil
  }
}
