internal import WakeEvents
internal import WakeScheduling

/// The keys of a policy (SPEC 3).
private enum PolicyKey: String, CaseIterable {
  case preset, caps, budget, completionTimeout, maxStrikes, backoffBase, backoffFactor, backoffMax
  case pushLimit, pushWindow, minimumRefreshInterval, carry, forceQuitBlocksHealth
  case lockBlocksHealth, subscriptions, behaviour
}

private enum BudgetKey: String, CaseIterable {
  case window, limit, limitWithoutComplication
}

private enum BehaviourKey: String, CaseIterable {
  case completesAfter, coldStart, ignoresEvery
}

private enum SubscriptionKey: String, CaseIterable {
  case app, type, frequency
}

private let frequencies = WordTable<Frequency>(name: \.word)
private let carries = WordTable<Policy.Carry>(name: \.rawValue)
private let counts = 0...1000

extension JSONBytes {
  /// The policy that the text is.
  func policy() throws(FieldError) -> Policy {
    var parser = JSONParser(self)
    let object = try object(try parser.readDocument())
    var policy = try preset(of: object)
    try forEachMember(of: object) { name, value throws(FieldError) in
      switch try key(name) as PolicyKey {
      case .preset: break
      case .caps: try override(&policy, withCaps: value)
      case .budget: policy.budget = try budget(value, over: policy.budget)
      case .completionTimeout: policy.completionTimeout = try duration(value, from: 1)
      case .maxStrikes: policy.maxStrikes = try wholeNumber(value, in: 1...1000)
      case .backoffBase: policy.backoffBase = try duration(value)
      case .backoffFactor: policy.backoffFactor = try double(value, in: 1...1000)
      case .backoffMax: policy.backoffMax = try duration(value)
      case .pushLimit: policy.pushLimit = try wholeNumber(value, in: counts)
      case .pushWindow: policy.pushWindow = try duration(value)
      case .minimumRefreshInterval: policy.minimumRefreshInterval = try duration(value, from: 1)
      case .carry: policy.carry = try word(value, of: carries)
      case .forceQuitBlocksHealth: policy.forceQuitBlocksHealth = try boolean(value)
      case .lockBlocksHealth: policy.lockBlocksHealth = try boolean(value)
      case .subscriptions: policy.subscriptions = try subscriptions(value)
      case .behaviour: policy.behaviour = try behaviour(value, over: policy.behaviour)
      }
    }
    return policy
  }

  /// The preset that a policy names, wherever in it; iOS if none.
  private func preset(of object: Range<Int>) throws(FieldError) -> Policy {
    var preset = Policy.iOS
    try forEachMember(of: object) { key, value throws(FieldError) in
      guard string(key) == PolicyKey.preset.rawValue else { return }
      let name = try string(value)
      guard let named = Policy.named(string(name)) else { throw unknownWord(name, "ios, watchos") }
      preset = named
    }
    return preset
  }

  private func override(
    _ policy: inout Policy, withCaps value: JSONValue
  ) throws(FieldError) {
    try forEachMember(of: try object(value)) { name, value throws(FieldError) in
      let type = ExactName(string(name))
      let frequency = try word(value, of: frequencies)
      if type.string == "default" {
        policy.defaultCap = frequency
      } else {
        policy.caps[type] = frequency
      }
    }
  }

  private func budget(
    _ value: JSONValue, over preset: Policy.Budget?
  ) throws(FieldError) -> Policy.Budget? {
    if case .null = value { return nil }
    var window = preset?.window
    var limit = preset?.limit
    var limitWithoutComplication = preset?.limitWithoutComplication
    guard case .object(let object) = value else { throw wrongType(value, "an object or null") }
    try forEachMember(of: object) { name, value throws(FieldError) in
      switch try key(name) as BudgetKey {
      case .window: window = try duration(value)
      case .limit: limit = try wholeNumber(value, in: counts)
      case .limitWithoutComplication:
        limitWithoutComplication = try wholeNumber(value, in: counts)
      }
    }
    return Policy.Budget(
      window: try required(window, BudgetKey.window),
      limit: try required(limit, BudgetKey.limit),
      limitWithoutComplication: try required(
        limitWithoutComplication, BudgetKey.limitWithoutComplication))
  }

  private func behaviour(
    _ value: JSONValue, over preset: Policy.Behaviour
  ) throws(FieldError) -> Policy.Behaviour {
    var behaviour = preset
    try forEachMember(of: try object(value)) { name, value throws(FieldError) in
      switch try key(name) as BehaviourKey {
      case .completesAfter:
        if case .null = value {
          behaviour.completesAfter = nil
        } else {
          behaviour.completesAfter = try duration(value)
        }
      case .coldStart: behaviour.coldStart = try duration(value)
      case .ignoresEvery: behaviour.ignoresEvery = try wholeNumber(value, in: counts)
      }
    }
    return behaviour
  }

  private func subscriptions(_ value: JSONValue) throws(FieldError) -> [Policy.Subscription] {
    guard case .array(let array) = value else { throw wrongType(value, "an array") }
    var subscriptions: [Policy.Subscription] = []
    try forEachElement(of: array) { element throws(FieldError) in
      subscriptions.append(try subscription(element))
    }
    return subscriptions
  }

  private func subscription(_ value: JSONValue) throws(FieldError) -> Policy.Subscription {
    var app: String?
    var type: String?
    var frequency: Frequency?
    try forEachMember(of: try object(value)) { name, value throws(FieldError) in
      switch try key(name) as SubscriptionKey {
      case .app: app = string(try string(value))
      case .type: type = string(try string(value))
      case .frequency: frequency = try word(value, of: frequencies)
      }
    }
    return Policy.Subscription(
      app: try required(app, SubscriptionKey.app), type: try required(type, SubscriptionKey.type),
      frequency: try required(frequency, SubscriptionKey.frequency))
  }

  /// A duration in seconds, at least `minimum`, as nanoseconds.
  private func duration(_ value: JSONValue, from minimum: Double = 0) throws(FieldError) -> Int64 {
    Seconds.nanoseconds(try double(value, in: minimum...Seconds.validRange.upperBound))
  }

  /// The key that `name` is; unknown keys are errors.
  private func key<Key>(_ name: JSONString) throws(FieldError) -> Key
  where Key: CaseIterable & RawRepresentable<String> {
    let utf8 = utf8(of: name)
    for key in Key.allCases where key.rawValue.utf8.elementsEqual(utf8) { return key }
    throw FieldError(.unknownKey, "there is no such key", offset: name.content.lowerBound)
  }

  /// A member that its object must have.
  private func required<Value>(
    _ value: Value?, _ key: some RawRepresentable<String>
  ) throws(FieldError) -> Value {
    guard let value else { throw FieldError(.missingField, "is missing").inside(key.rawValue) }
    return value
  }
}
