public import WakeEvents

/// Reads inputs as JSON Lines (rules, 2), apart from the product's reader and as a check of it.
public enum EventReader {
  /// The events of all lines that are not blank.
  public static func events(ofLines text: String, symbols: Symbols) throws -> [Event] {
    try text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.map {
      try event(of: $0, symbols: symbols)
    }
  }

  /// The event of one line.
  public static func event(of line: some StringProtocol, symbols: Symbols) throws -> Event {
    do {
      let fields = EventFields(members: try JSONReader.members(of: line), symbols: symbols)
      return Event(
        time: try fields.required("t", fields.time),
        device: symbols.devices.intern(try fields.string("device") ?? ""),
        input: try fields.input())
    } catch let error as CaseError {
      throw CaseError("\(error) in \(line)")
    }
  }
}

/// The fields of one line, by name and type; nil is for one that is absent or null.
private struct EventFields {
  let members: [String: (value: JSONValue, text: String)]
  let symbols: Symbols

  func required<Field>(_ name: String, _ field: (String) throws -> Field?) throws -> Field {
    guard let value = try field(name) else { throw CaseError("'\(name)' is missing") }
    return value
  }

  func value(_ name: String) -> JSONValue? {
    guard let value = members[name]?.value, value != .null else { return nil }
    return value
  }

  func string(_ name: String) throws -> String? {
    switch value(name) {
    case nil: return nil
    case .string(let string)?: return string.string
    default: throw CaseError("'\(name)' is no string")
    }
  }

  func strings(_ name: String) throws -> [String]? {
    switch value(name) {
    case nil: return nil
    case .array(let elements)?:
      return try elements.map {
        guard case .string(let string) = $0 else { throw CaseError("'\(name)' has no string") }
        return string.string
      }
    default: throw CaseError("'\(name)' is no list")
    }
  }

  func bool(_ name: String) throws -> Bool? {
    switch value(name) {
    case nil: return nil
    case .bool(let bool)?: return bool
    default: throw CaseError("'\(name)' is no boolean")
    }
  }

  func time(_ name: String) throws -> Timestamp? {
    switch value(name) {
    case nil: return nil
    case .integer(let time)? where Timestamp.validRange.contains(time):
      return Timestamp(nanoseconds: time)
    default: throw CaseError("'\(name)' is no time")
    }
  }

  func number(_ name: String) throws -> Double? {
    switch value(name) {
    case nil: return nil
    case .integer(let number)?: return Double(number)
    case .number(let number)?: return number
    default: throw CaseError("'\(name)' is no number")
    }
  }

  func word<Word: CaseIterable>(_ name: String) throws -> Word? {
    guard let string = try string(name) else { return nil }
    guard let word = Word.allCases.first(where: { String(describing: $0) == string }) else {
      throw CaseError("'\(name)' is no word that is listed")
    }
    return word
  }

  func app() throws -> App { symbols.apps.intern(try required("app", string)) }
  func query() throws -> Query { symbols.queries.intern(try required("query", string)) }
  func type() throws -> SampleType { symbols.types.intern(try required("type", string)) }
  func source() throws -> Source { symbols.sources.intern(try required("source", string)) }

  func input() throws -> Input {
    switch try required("k", string) {
    case "save":
      .save(
        Sample(
          type: try type(), source: try source(), start: try time("start"), end: try time("end"),
          value: try number("value")))
    case "delete": .delete(type: try type(), source: try source())
    case "enable":
      .enable(app: try app(), type: try type(), frequency: try required("frequency", word))
    case "disable": .disable(app: try app(), type: try type())
    case "disableAll": .disableAll(app: try app())
    case "execute":
      .execute(app: try app(), query: try query(), type: try type(), predicate: try predicate())
    case "stop": .stop(app: try app(), query: try query())
    case "complete": .complete(app: try app(), item: try item(), result: try word("result"))
    case "launch": .launch(app: try app())
    case "background": .background(app: try app())
    case "terminate": .terminate(app: try app())
    case "forceQuit": .forceQuit(app: try app())
    case "push":
      .push(
        app: try app(),
        Push(
          id: try required("id", string), aps: try payload(), pushType: try string("pushType"),
          priority: try number("priority")))
    case "refreshInterval": .refreshInterval(app: try app(), try interval())
    case "refreshStatus":
      .refreshStatus(
        app: try required("app", string) == "*" ? nil : try app(), try required("status", word))
    case "complication": .complication(app: try app(), isActive: try required("active", bool))
    case "entitlement": .entitlement(app: try app(), isGranted: try required("granted", bool))
    case "network": .network(isGood: try required("good", bool))
    case "power": .power(isGood: try required("good", bool))
    case "lock": .lock
    case "unlock": .unlock
    case "reboot": .reboot
    case "observed":
      .observed(
        app: try app(),
        Observation(
          types: try required("types", strings).map(symbols.types.intern),
          push: try string("push"), refresh: try bool("refresh"), outcome: try word("outcome"),
          end: try time("end")))
    case let kind: throw CaseError("unknown kind '\(kind)'")
    }
  }

  private func predicate() throws -> Predicate? {
    guard case .object(let members)? = value("predicate") else {
      if value("predicate") == nil { return nil }
      throw CaseError("'predicate' is no object")
    }
    let fields = EventFields(members: members.mapValues { ($0, "") }, symbols: symbols)
    return Predicate(
      source: try fields.string("source").map(symbols.sources.intern),
      start: try fields.time("start"), end: try fields.time("end"),
      strictStart: try fields.bool("strictStart"), strictEnd: try fields.bool("strictEnd"),
      min: try fields.number("min"), max: try fields.number("max"))
  }

  private func item() throws -> CompletionItem {
    switch try string("item") {
    case nil: .everything
    case "push"?: .push
    case "refresh"?: .refresh
    case let type?: .type(symbols.types.intern(type))
    }
  }

  private func payload() throws -> Push.Payload? {
    guard case .object(let aps)? = value("aps") else {
      if value("aps") == nil { return nil }
      throw CaseError("'aps' is no object")
    }
    var contentAvailable: Double?
    switch aps["content-available"] {
    case .integer(let number): contentAvailable = Double(number)
    case .number(let number): contentAvailable = number
    default: break
    }
    return Push.Payload(
      json: members["aps"]?.text ?? "", contentAvailable: contentAvailable,
      isShownToUser: ["alert", "badge", "sound"].contains { aps.keys.contains($0) })
  }

  private func interval() throws -> RefreshInterval {
    switch value("interval") {
    case .string(let word)? where word.string == "minimum": return .minimum
    case .string(let word)? where word.string == "never": return .never
    default:
      let seconds = try required("interval", number)
      guard Seconds.validRange.contains(seconds) else {
        throw CaseError("'interval' is out of range")
      }
      return .seconds(seconds)
    }
  }
}
