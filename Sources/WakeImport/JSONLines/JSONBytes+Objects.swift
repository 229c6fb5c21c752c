internal import WakeEvents
import WakeTrace

/// The members of a predicate (SPEC 2).
private enum PredicateMember: CaseIterable {
  case source, start, end, strictStart, strictEnd, min, max
}

private let predicateMembers = WordTable<PredicateMember>()

// The objects within a line.
extension JSONBytes {
  /// A predicate (SPEC 2) but for its source, which stays a name; other members are ignored.
  func predicate(_ value: JSONValue) throws(FieldError) -> (Predicate, source: JSONString?) {
    var predicate = Predicate()
    var source: JSONString?
    try forEachMember(of: try object(value)) { key, value throws(FieldError) in
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

  /// The `aps` object of a push (SPEC 5.8), and what a scheduler must know of it.
  func pushPayload(_ value: JSONValue) throws(FieldError) -> Push.Payload {
    let object = try object(value)
    var payload = Push.Payload(json: text(object), contentAvailable: nil, isShownToUser: false)
    try forEachMember(of: object) { key, value throws(FieldError) in
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
  /// A string that is no longer than a trace lets a name be.
  func boundedString(_ value: JSONValue) throws(FieldError) -> JSONString {
    let string = try string(value)
    // No escape is shorter than what it stands for.
    if string.content.count > TraceLimits.nameBytes {
      let length = self.string(string).utf8.count
      guard length <= TraceLimits.nameBytes else {
        throw FieldError(
          .outOfRange,
          "has \(length) bytes, more than the \(TraceLimits.nameBytes) that it may have")
      }
    }
    return string
  }
}
