import WakeEvents
public import WakeScheduling

/// Reads a policy (rules, 3), apart from the product's reader and as a check of it.
public enum PolicyReader {
  /// The policy that all of `text` is.
  public static func policy(of text: String) throws -> Policy {
    guard case .object(var keys) = try JSONReader.value(of: text) else {
      throw CaseError("the policy is no object")
    }
    var policy: Policy
    switch try keys.removeValue(forKey: "preset").map(string) {
    case nil, "ios": policy = .iOS
    case "watchos": policy = .watchOS
    default: throw CaseError("unknown preset")
    }
    for (key, value) in keys {
      do {
        try apply(key, value, to: &policy)
      } catch let error as CaseError {
        throw CaseError("policy key '\(key)': \(error)")
      }
    }
    return policy
  }

  private static func apply(_ key: String, _ value: JSONValue, to policy: inout Policy) throws {
    switch key {
    case "caps":
      for (type, cap) in try members(value) {
        if type == "default" {
          policy.defaultCap = try frequency(cap)
        } else {
          policy.caps[ExactName(type)] = try frequency(cap)
        }
      }
    case "budget": policy.budget = try budget(value, over: policy.budget)
    case "completionTimeout": policy.completionTimeout = try duration(value)
    case "maxStrikes": policy.maxStrikes = try whole(value)
    case "backoffBase": policy.backoffBase = try duration(value)
    case "backoffFactor": policy.backoffFactor = try number(value)
    case "backoffMax": policy.backoffMax = try duration(value)
    case "pushLimit": policy.pushLimit = try whole(value)
    case "pushWindow": policy.pushWindow = try duration(value)
    case "minimumRefreshInterval": policy.minimumRefreshInterval = try duration(value)
    case "carry":
      guard let carry = Policy.Carry(rawValue: try string(value)) else {
        throw CaseError("unknown word")
      }
      policy.carry = carry
    case "forceQuitBlocksHealth": policy.forceQuitBlocksHealth = try bool(value)
    case "lockBlocksHealth": policy.lockBlocksHealth = try bool(value)
    case "subscriptions": policy.subscriptions = try subscriptions(value)
    case "behaviour":
      for (key, value) in try members(value) {
        switch key {
        case "completesAfter":
          policy.behaviour.completesAfter = value == .null ? nil : try duration(value)
        case "coldStart": policy.behaviour.coldStart = try duration(value)
        case "ignoresEvery": policy.behaviour.ignoresEvery = try whole(value)
        default: throw CaseError("unknown key '\(key)'")
        }
      }
    default: throw CaseError("unknown key")
    }
  }

  private static func budget(
    _ value: JSONValue, over old: Policy.Budget?
  ) throws -> Policy.Budget? {
    if value == .null { return nil }
    let keys = try members(value)
    func part<Part>(
      _ key: String, _ read: (JSONValue) throws -> Part, or old: Part?
    ) throws -> Part {
      if let value = keys[key] { return try read(value) }
      guard let old else { throw CaseError("'\(key)' is missing") }
      return old
    }
    return Policy.Budget(
      window: try part("window", duration, or: old?.window),
      limit: try part("limit", whole, or: old?.limit),
      limitWithoutComplication: try part(
        "limitWithoutComplication", whole, or: old?.limitWithoutComplication))
  }

  private static func subscriptions(_ value: JSONValue) throws -> [Policy.Subscription] {
    guard case .array(let values) = value else { throw CaseError("no list") }
    return try values.map { value in
      let keys = try members(value)
      guard let app = keys["app"], let type = keys["type"], let frequency = keys["frequency"] else {
        throw CaseError("a subscription has an app, a type and a frequency")
      }
      return Policy.Subscription(
        app: try string(app), type: try string(type), frequency: try self.frequency(frequency))
    }
  }

  private static func members(_ value: JSONValue) throws -> [String: JSONValue] {
    guard case .object(let members) = value else { throw CaseError("no object") }
    return members
  }

  private static func string(_ value: JSONValue) throws -> String {
    guard case .string(let string) = value else { throw CaseError("no string") }
    return string.string
  }

  private static func bool(_ value: JSONValue) throws -> Bool {
    guard case .bool(let bool) = value else { throw CaseError("no boolean") }
    return bool
  }

  private static func whole(_ value: JSONValue) throws -> Int {
    guard case .integer(let number) = value, 0...1000 ~= number else {
      throw CaseError("no whole number to 1000")
    }
    return Int(number)
  }

  private static func number(_ value: JSONValue) throws -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .number(let number): return number
    default: throw CaseError("no number")
    }
  }

  private static func duration(_ value: JSONValue) throws -> Int64 {
    let seconds = try number(value)
    guard 0...1e9 ~= seconds else { throw CaseError("no duration") }
    return Int64((seconds * 1e9).rounded(.toNearestOrEven))
  }

  private static func frequency(_ value: JSONValue) throws -> Frequency {
    switch try string(value) {
    case "immediate": return .immediate
    case "hourly": return .hourly
    case "daily": return .daily
    case "weekly": return .weekly
    default: throw CaseError("unknown frequency")
    }
  }
}
