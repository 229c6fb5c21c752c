/// A position in a trace, between two events: what an anchored query resumes from (page Rules,
/// 8.3).
///
/// The number of events of all kinds before it in the file. Appended blocks do not change it; in a file that was
/// assembled anew it has no meaning. Its description is a decimal number that ``init(parsing:)`` reads.
public struct TraceAnchor: Hashable, Sendable {
  /// Events of the file before the anchor, at least 0.
  public let eventsBefore: Int

  /// Makes an anchor after `eventsBefore` events.
  ///
  /// - Precondition: `eventsBefore` is not negative.
  public init(eventsBefore: Int) {
    precondition(eventsBefore >= 0, "an anchor cannot lie before the beginning")
    self.eventsBefore = eventsBefore
  }

  /// The start of a trace.
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
}

extension TraceAnchor: CustomStringConvertible {
  public var description: String { String(eventsBefore) }
}

/// A text is not an anchor.
public struct TraceAnchorSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public var text: String

  /// One line: the text, and the form of an anchor.
  public var description: String {
    "\"\(text)\" is no anchor; an anchor is the whole number that a query returned"
  }
}

extension TraceError.Code {
  /// An anchor is beyond the end of the trace.
  public static let anchorBeyondEnd = TraceError.Code(description: "anchor beyond the end")
}
