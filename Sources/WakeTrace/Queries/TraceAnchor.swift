/// A position in a trace, between two events: what an anchored query resumes from (SPEC 8.3).
///
/// It counts the events before it, of all kinds, in the order of the file. Blocks that are appended
/// leave it where it is; in a file that was put together anew it means nothing. Its description, a
/// whole number, reads back as the same anchor.
public struct TraceAnchor: Hashable, Comparable, Sendable {
  /// Events of the file before the anchor, at least 0.
  public let eventsBefore: Int

  /// Makes an anchor behind so many events.
  ///
  /// - Precondition: `eventsBefore` is not negative.
  public init(eventsBefore: Int) {
    precondition(eventsBefore >= 0, "an anchor cannot lie before the beginning")
    self.eventsBefore = eventsBefore
  }

  /// Where a trace begins.
  public static let beginning = TraceAnchor(eventsBefore: 0)

  /// Reads an anchor from its description: decimal digits, and nothing else.
  ///
  /// - Throws: ``TraceAnchorSyntaxError``.
  public init(parsing text: String) throws(TraceAnchorSyntaxError) {
    // `Int` alone would let a sign pass.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let events = Int(text) else {
      throw TraceAnchorSyntaxError(text: text)
    }
    eventsBefore = events
  }

  public static func < (left: TraceAnchor, right: TraceAnchor) -> Bool {
    left.eventsBefore < right.eventsBefore
  }
}

extension TraceAnchor: CustomStringConvertible {
  public var description: String { String(eventsBefore) }
}

/// Says that a text is no anchor.
public struct TraceAnchorSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public var text: String

  /// One line: the text, and what an anchor is.
  public var description: String {
    "\"\(text)\" is no anchor; an anchor is the whole number that a query returned"
  }
}

extension TraceError.Code {
  /// An anchor lies behind the end of the trace.
  public static let anchorBeyondEnd = TraceError.Code(description: "anchor beyond the end")
}
