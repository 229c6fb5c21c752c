import WakeEvents
import WakeJSON
import WakeScheduling

/// A line of an answer: a wake (rules, 7), or what the scheduler has counted.
enum PipedAnswer {
  case wake(PipedWake)
  case summary(counts: [String: Int], stopped: [String])

  /// Reads a line.
  init(_ line: [UInt8]) throws(JSONError) {
    self = try line.withJSONBytes { bytes throws(JSONError) -> PipedAnswer in
      var parser = JSONParser(bytes)
      let object = try bytes.object(try parser.readDocument())
      var summary: JSONValue?
      var members: [(key: String, value: JSONValue)] = []
      try bytes.forEachMember(of: object) { key, value throws(JSONError) in
        let name = bytes.string(key)
        if name == "summary" { summary = value }
        members.append((name, value))
      }
      if let summary { return try Self.summary(summary, in: bytes) }
      return .wake(try PipedWake(members, in: bytes))
    }
  }

  private static func summary(
    _ value: JSONValue, in bytes: JSONBytes
  ) throws(JSONError) -> PipedAnswer {
    var counts: [String: Int] = [:]
    var stopped: [String] = []
    try bytes.forEachMember(of: try bytes.object(value)) { key, value throws(JSONError) in
      let name = bytes.string(key)
      if name == "stoppedApps" {
        stopped = try bytes.strings(value)
      } else if name != "digest" {
        counts[name] = Int(try bytes.wholeNumber(value, in: 0...(1 << 62), "from 0 to 2^62"))
      }
    }
    return .summary(counts: counts, stopped: stopped)
  }
}

/// A wake as a line has it.
struct PipedWake {
  /// Its number among the device's wakes, and the device, where the line tells them.
  var number: Int?
  var device: String?
  var time: Int64 = 0
  var app = ""
  var types: [String] = []
  var saves = 0
  var oldest: Int64?
  var push: String?
  var refresh = false
  var outcome = WakeOutcome.open
  var end: Int64?

  fileprivate init(
    _ members: [(key: String, value: JSONValue)], in bytes: JSONBytes
  ) throws(JSONError) {
    var missing: Set<String> = ["t", "app", "outcome"]
    for (key, value) in members {
      missing.remove(key)
      if case .null = value, Self.mayBeNull.contains(key) { continue }
      do throws(JSONError) {
        try set(key, value, in: bytes)
      } catch {
        throw error.inside(key)
      }
    }
    if let key = missing.min() { throw JSONError(.missingField, "is missing").inside(key) }
  }

  private static let mayBeNull: Set = ["oldest", "push", "end", "device", "wake"]

  private mutating func set(
    _ key: String, _ value: JSONValue, in bytes: JSONBytes
  ) throws(JSONError) {
    switch key {
    case "t": time = try bytes.time(value)
    case "app": app = bytes.string(try bytes.string(value))
    case "types": types = try bytes.strings(value)
    case "saves":
      saves = Int(try bytes.wholeNumber(value, in: 0...(1 << 62), "from 0 to 2^62"))
    case "oldest": oldest = try bytes.time(value)
    case "push": push = bytes.string(try bytes.string(value))
    case "refresh": refresh = try bytes.boolean(value)
    case "outcome": outcome = try bytes.word(value, of: Self.outcomes)
    case "end": end = try bytes.time(value)
    case "wake":
      number = Int(try bytes.wholeNumber(value, in: 1...(1 << 62), "from 1 to 2^62"))
    case "device": device = bytes.string(try bytes.string(value))
    default: throw JSONError(.unknownKey, "is no key of a wake")
    }
  }

  private static let outcomes = WordTable<WakeOutcome>()
}

extension JSONBytes {
  fileprivate func time(_ value: JSONValue) throws(JSONError) -> Int64 {
    try wholeNumber(
      value, in: -4_000_000_000_000_000_000...4_000_000_000_000_000_000, "within ±4 × 10^18")
  }

  fileprivate func strings(_ value: JSONValue) throws(JSONError) -> [String] {
    guard case .array(let array) = value else { throw wrongType(value, "an array") }
    var strings: [String] = []
    try forEachElement(of: array) { value throws(JSONError) in
      strings.append(string(try string(value)))
    }
    return strings
  }
}
