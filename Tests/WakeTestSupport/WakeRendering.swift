public import WakeEvents
public import WakeScheduling

extension JSONValue {
  /// A line of the wake log (rules, 7).
  public static func wakeLine(_ wake: Wake, device: Device, symbols: Symbols) -> JSONValue {
    var line: [String: JSONValue] = [
      "t": .integer(wake.time.nanoseconds),
      "app": .string(symbols.apps.name(of: wake.app)),
      "types": .array(wake.types.map { .string(symbols.types.name(of: $0)) }),
      "saves": .integer(wake.saves),
      "oldest": wake.oldest.map { .integer($0.nanoseconds) } ?? .null,
      "push": wake.push.map { .string($0) } ?? .null,
      "refresh": .bool(wake.refresh),
      "outcome": .string(wake.outcome.word),
      "end": wake.end.map { .integer($0.nanoseconds) } ?? .null,
    ]
    let name = symbols.devices.name(of: device)
    if !name.isEmpty { line["device"] = .string(name) }
    return .object(line)
  }

  /// The summary's object (rules, 7).
  public static func summaryObject(_ summary: Summary) -> JSONValue {
    var object: [String: JSONValue] = [
      "stoppedApps": .array(summary.stoppedApps.map { .string($0) }),
      "digest": .string(summary.digest.description),
    ]
    for (key, count) in Summary.counts { object[key] = .integer(summary[keyPath: count]) }
    return .object(object)
  }
}
