package import WakeEvents
import WakeTrace
internal import WakeJSON

private enum PredicateMember: CaseIterable {
  case source, start, end, strictStart, strictEnd, min, max
}

private let predicateMembers = WordTable<PredicateMember>()

// The objects within a line.
extension JSONBytes {
  /// A predicate without its source, which is still a name; unknown members are ignored.
  func predicate(_ value: JSONValue) throws(JSONError) -> (Predicate, source: JSONString?) {
    var predicate = Predicate()
    var source: JSONString?
    try forEachMember(of: try object(value)) { key, value throws(JSONError) in
      guard let member = predicateMembers.word(key, in: self) else { return }
      if case .null = value { return }
      switch member {
      case .source: source = try boundedString(value)
      case .start: predicate.start = try time(value)
      case .end: predicate.end = try time(value)
      case .strictStart: predicate.strictStart = try boolean(value)
      case .strictEnd: predicate.strictEnd = try boolean(value)
      case .min: predicate.min = try double(value)
      case .max: predicate.max = try double(value)
      }
    }
    return (predicate, source)
  }

  /// The `aps` object of a push, with the values that rule 5.8 looks at.
  func pushPayload(_ value: JSONValue) throws(JSONError) -> Push.Payload {
    let object = try object(value)
    var payload = Push.Payload(json: text(object), contentAvailable: nil, isShownToUser: false)
    try forEachMember(of: object) { key, value throws(JSONError) in
      switch string(key) {
      case "content-available":
        if case .null = value { return }
        payload.contentAvailable = try double(value)
      case "alert", "badge", "sound":
        payload.isShownToUser = true
      default:
        break
      }
    }
    return payload
  }
}

extension JSONBytes {
  /// A time: a whole number of nanoseconds within ``Timestamp/validRange``.
  func time(_ value: JSONValue) throws(JSONError) -> Timestamp {
    if case .string = value {
      throw JSONError(
        .wrongType,
        "expected whole nanoseconds since 1970, found a string, as --times iso writes them")
    }
    let range = Timestamp.validRange
    return Timestamp(
      nanoseconds: try wholeNumber(value, in: range, "within ±\(range.upperBound)"))
  }

  /// A string within the bound of names in a trace.
  func boundedString(_ value: JSONValue) throws(JSONError) -> JSONString {
    let string = try string(value)
    // An escape is never shorter than its character.
    if string.content.count > TraceLimits.nameBytes {
      let length = self.string(string).utf8.count
      guard length <= TraceLimits.nameBytes else {
        throw JSONError(
          .outOfRange,
          "has \(length) bytes, more than the \(TraceLimits.nameBytes) that it may have")
      }
    }
    return string
  }
}

extension Push.Payload {
  /// Reads the text of an `aps` object (rule 5.8).
  ///
  /// - Throws: ``ImportError`` if the text is not a JSON object or its `content-available` is not a number.
  /// - Complexity: O(n), n being its length.
  package init(json: String) throws(ImportError) {
    self = try Array(json.utf8).withJSONBytes { bytes throws(ImportError) in
      do throws(JSONError) {
        var parser = JSONParser(bytes)
        return try bytes.pushPayload(try parser.readDocument())
      } catch let error {
        throw error.inside("aps").located(in: bytes, file: "push", line: 1)
      }
    }
  }
}
