internal import WakeEvents
internal import WakeJSON
internal import WakeScheduling

/// A policy that is being read, with the objects that are read member by member.
struct PolicyDraft {
  var policy: Policy
  /// The budget; all zeros where the preset has none.
  var budget: Policy.Budget
  var subscription = Policy.Subscription(app: "", type: "")
  /// The keys that the present object has.
  var given: [String] = []

  init(_ preset: Policy) {
    policy = preset
    budget = preset.budget ?? Policy.Budget(window: 0, limit: 0, limitWithoutComplication: 0)
  }

  /// Overrides the budget key by key; where there is none, all keys are required.
  mutating func readBudget(_ bytes: JSONBytes, _ value: JSONValue) throws(JSONError) {
    if case .null = value {
      policy.budget = nil
      return
    }
    guard case .object(let object) = value else {
      throw bytes.wrongType(value, "an object or null")
    }
    try bytes.readPolicy(object, of: .budget, into: &self)
    if policy.budget == nil { try requireAll(of: .budget) }
    policy.budget = budget
  }

  mutating func readSubscriptions(_ bytes: JSONBytes, _ value: JSONValue) throws(JSONError) {
    guard case .array(let array) = value else { throw bytes.wrongType(value, "an array") }
    var draft = self
    draft.policy.subscriptions = []
    try bytes.forEachElement(of: array) { element throws(JSONError) in
      try bytes.readPolicy(try bytes.object(element), of: .subscription, into: &draft)
      try draft.requireAll(of: .subscription)
      draft.policy.subscriptions.append(draft.subscription)
    }
    self = draft
  }

  private func requireAll(of group: PolicyKey.Group) throws(JSONError) {
    for key in PolicyKey.keys(of: group) where !given.contains(key.name) {
      throw JSONError(.missingField, "is missing").inside(key.name)
    }
  }
}

extension JSONBytes {
  /// The policy, and the name of its preset.
  func policy() throws(JSONError) -> (policy: Policy, preset: String) {
    var parser = JSONParser(self)
    let object = try object(try parser.readDocument())
    let (preset, name) = try preset(of: object)
    var draft = PolicyDraft(preset)
    try readPolicy(object, of: .policy, into: &draft)
    return (draft.policy, name)
  }

  /// The policy with the keys of this object over its own.
  func policy(over policy: Policy) throws(JSONError) -> Policy {
    var parser = JSONParser(self)
    var draft = PolicyDraft(policy)
    try readPolicy(try object(try parser.readDocument()), of: .policy, into: &draft)
    return draft.policy
  }

  /// Reads an object whose keys are those of `group`.
  func readPolicy(
    _ object: Range<Int>, of group: PolicyKey.Group, into draft: inout PolicyDraft
  ) throws(JSONError) {
    var copy = draft
    copy.given = []
    try forEachMember(of: object) { name, value throws(JSONError) in
      guard let key = PolicyKey.named(string(name), in: group) else {
        throw JSONError(
          .unknownKey, "unknown key; use \(PolicyKey.names(in: group))",
          offset: name.content.lowerBound)
      }
      try key.read(self, name, value, &copy)
      copy.given.append(key.name)
    }
    draft = copy
  }

  /// The preset that a policy names, wherever in it; iOS if it names none.
  private func preset(
    of object: Range<Int>
  ) throws(JSONError) -> (policy: Policy, name: String) {
    var preset = (policy: Policy.iOS, name: "ios")
    try forEachMember(of: object) { key, value throws(JSONError) in
      guard string(key) == "preset" else { return }
      let name = try string(value)
      guard let named = Policy.named(string(name)) else {
        throw unknownWord(name, Policy.presets.joined(separator: ", "))
      }
      preset = (named, string(name))
    }
    return preset
  }
}
