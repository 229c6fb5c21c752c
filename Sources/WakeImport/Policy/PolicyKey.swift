internal import WakeEvents
internal import WakeJSON
package import WakeScheduling

/// A key of a policy (page Rules, "Policy"). ``all`` is the only list of keys: ``PolicyReader`` looks up in it what it
/// reads, and `rouse policy keys` prints it.
package struct PolicyKey: Sendable {
  /// The object that has the key.
  package enum Group: Int, CaseIterable, Sendable {
    case policy, caps, budget, subscription, behaviour

    /// What stands before its keys in a path.
    var prefix: String {
      switch self {
      case .policy: ""
      case .caps: "caps."
      case .budget: "budget."
      case .subscription: "subscriptions[]."
      case .behaviour: "behaviour."
      }
    }
  }

  /// Where a default comes from: Apple's documentation (`D`), developers' reports (`R`), our choice (`P`).
  package enum Source: String, Sendable {
    case documented = "D"
    case reported = "R"
    case chosen = "P"
    /// The documents say it of some cases; it is our choice for the others.
    case documentedInPart = "D, P"
  }

  package let group: Group
  package let name: String
  /// The allowed values in words.
  package let values: String
  /// Of the number; nil if it has none.
  package let unit: String?
  package let source: Source
  /// One line.
  package let meaning: String
  /// Sets the key in a draft. `name` is the key as written, for a key of any name.
  let read:
    @Sendable (_ bytes: JSONBytes, _ name: JSONString, _ value: JSONValue, inout PolicyDraft)
      throws(JSONError) -> Void
  private let standard: @Sendable (Policy, inout JSONWriter) -> Void

  /// The whole key: `budget.limit`, `subscriptions[].app`.
  package var path: String { group.prefix + name }

  /// Writes the value that a policy has for a key of ``Group/policy``.
  func write(_ policy: Policy, to json: inout JSONWriter) { standard(policy, &json) }

  /// The value in a policy as JSON text; nil for a key that the policy does not have.
  package func standardText(in policy: Policy) -> String? {
    var json = JSONWriter(.line)
    standard(policy, &json)
    return json.bytes.isEmpty ? nil : String(decoding: json.bytes, as: UTF8.self)
  }

  /// Writes the object of a group with the defaults of its keys.
  private static func writeObject(_ group: Group, _ policy: Policy, _ json: inout JSONWriter) {
    json.object { json in
      for key in keys(of: group) {
        json.key(escaping: key.name)
        key.standard(policy, &json)
      }
    }
  }

  /// A key with one value, at `property` of the draft.
  init<Value>(
    _ group: Group, _ name: String,
    _ property: any WritableKeyPath<PolicyDraft, Value> & Sendable, _ form: PolicyValue<Value>,
    _ source: Source, _ meaning: String
  ) {
    self.init(group, name, form.values, unit: form.unit, source, meaning) {
      bytes, _, value, draft throws(JSONError) in
      draft[keyPath: property] = try form.read(bytes, value)
    } standard: { policy, json in
      let isAbsent = group == .subscription || group == .budget && policy.budget == nil
      if !isAbsent { form.write(PolicyDraft(policy)[keyPath: property], &json) }
    }
  }

  /// A key that is read in a way of its own.
  init(
    _ group: Group, _ name: String, _ values: String, unit: String? = nil,
    _ source: Source, _ meaning: String,
    read:
      @escaping @Sendable (JSONBytes, JSONString, JSONValue, inout PolicyDraft)
      throws(JSONError) -> Void,
    standard: @escaping @Sendable (Policy, inout JSONWriter) -> Void = { _, _ in }
  ) {
    self.group = group
    self.name = name
    self.values = values
    self.unit = unit
    self.source = source
    self.meaning = meaning
    self.read = read
    self.standard = standard
  }

  /// The keys of each object, by its raw value, which is its place among all.
  private static let byGroup = Group.allCases.map { group in all.filter { $0.group == group } }

  /// The keys of an object, in the order of ``all``.
  static func keys(of group: Group) -> [PolicyKey] { byGroup[group.rawValue] }

  /// The keys of an object in words.
  static func names(in group: Group) -> String {
    keys(of: group).map(\.name).joined(separator: ", ")
  }

  /// The key that is called `name`, compared byte by byte; in ``Group/caps`` every other name is a type.
  static func named(_ name: String, in group: Group) -> PolicyKey? {
    let keys = keys(of: group)
    return keys.first { $0.name.utf8.elementsEqual(name.utf8) }
      ?? (group == .caps ? keys.last : nil)
  }
}

extension PolicyKey {
  /// All keys, those of an object behind the object.
  package static let all: [PolicyKey] = [
    PolicyKey(
      .policy, "preset", "ios, watchos", .chosen, "The policy whose keys the other keys override.",
      read: { _, _, _, _ throws(JSONError) in },
      standard: { policy, json in json.value(policy.budget == nil ? "ios" : "watchos") }),
    PolicyKey(
      .policy, "caps", "object", .documented, "The fastest frequency of each type.",
      read: { bytes, _, value, draft throws(JSONError) in
        try bytes.readPolicy(try bytes.object(value), of: .caps, into: &draft)
      },
      standard: { policy, json in
        let caps = policy.caps.sorted { $0.key < $1.key }
        json.object { json in
          json.member("default", policy.defaultCap.word)
          for (type, frequency) in caps {
            json.key(escaping: type.string)
            json.value(frequency.word)
          }
        }
      }),
    PolicyKey(
      .caps, "default", \.policy.defaultCap, .frequency, .documented,
      "The cap of every type that caps does not name."),
    PolicyKey(
      .caps, "TYPE", PolicyValue.frequency.values, .documented, "The cap of one type.",
      read: { bytes, name, value, draft throws(JSONError) in
        let type = ExactName(bytes.string(name))
        draft.policy.caps[type] = try PolicyValue.frequency.read(bytes, value)
      }),
    PolicyKey(
      .policy, "budget", "object or null", .documented,
      "How often an app may be woken for health data or a refresh; null is no budget.",
      read: { bytes, _, value, draft throws(JSONError) in try draft.readBudget(bytes, value) },
      standard: { policy, json in
        if policy.budget == nil { json.null() } else { writeObject(.budget, policy, &json) }
      }),
    PolicyKey(
      .budget, "window", \.budget.window, .seconds(), .documented,
      "The length of the sliding window in which wakes count."),
    PolicyKey(
      .budget, "limit", \.budget.limit, .count(from: 0), .documented,
      "Wakes in a window for an app with an active complication."),
    PolicyKey(
      .budget, "limitWithoutComplication", \.budget.limitWithoutComplication, .count(from: 0),
      .chosen, "Wakes in a window for any other app."),
    PolicyKey(
      .policy, "completionTimeout", \.policy.completionTimeout, .seconds(from: 1),
      .documentedInPart,
      "The time from a wake to its deadline, when it expires."),
    PolicyKey(
      .policy, "maxStrikes", \.policy.maxStrikes, .count(from: 1), .documented,
      "Unanswered wakes in a row after which an app is stopped."),
    PolicyKey(
      .policy, "backoffBase", \.policy.backoffBase, .seconds(), .chosen,
      "The backoff after the first strike."),
    PolicyKey(
      .policy, "backoffFactor", \.policy.backoffFactor, .factor, .chosen,
      "The backoff grows by this factor at each further strike."),
    PolicyKey(
      .policy, "backoffMax", \.policy.backoffMax, .seconds(), .chosen, "The longest backoff."),
    PolicyKey(
      .policy, "pushLimit", \.policy.pushLimit, .count(from: 0), .documented,
      "Wakes with a push in a push window, for each app."),
    PolicyKey(
      .policy, "pushWindow", \.policy.pushWindow, .seconds(), .documented,
      "The length of the sliding window in which wakes with a push count."),
    PolicyKey(
      .policy, "minimumRefreshInterval", \.policy.minimumRefreshInterval, .seconds(from: 1),
      .reported,
      "The least time between two refreshes of an app."),
    PolicyKey(
      .policy, "carry", \.policy.carry, .carry, .documented,
      "Pending types in a wake: all (always), those due (due), all if it launches the app (launch)."
    ),
    PolicyKey(
      .policy, "forceQuitBlocksHealth", \.policy.forceQuitBlocksHealth, .boolean, .documented,
      "Whether a force-quit app is not woken for health data."),
    PolicyKey(
      .policy, "lockBlocksHealth", \.policy.lockBlocksHealth, .boolean, .reported,
      "Whether no app is woken for health data while the device is locked."),
    PolicyKey(
      .policy, "subscriptions", "array of objects", .chosen,
      "Subscriptions that every device has before its first input, in this order.",
      read: { bytes, _, value, draft throws(JSONError) in
        try draft.readSubscriptions(bytes, value)
      },
      standard: { policy, json in
        json.array(policy.subscriptions) { json, subscription in
          json.object {
            $0.member("app", subscription.app)
            $0.member("type", subscription.type)
            $0.member("frequency", subscription.frequency.word)
          }
        }
      }),
    PolicyKey(.subscription, "app", \.subscription.app, .text, .chosen, "The bundle identifier."),
    PolicyKey(.subscription, "type", \.subscription.type, .text, .chosen, "The sample type."),
    PolicyKey(
      .subscription, "frequency", \.subscription.frequency, .frequency, .chosen,
      "The frequency that the app asks for."),
    PolicyKey(
      .policy, "behaviour", "object", .chosen,
      "How a modelled app answers, for traces without completions.",
      read: { bytes, _, value, draft throws(JSONError) in
        try bytes.readPolicy(try bytes.object(value), of: .behaviour, into: &draft)
      },
      standard: { policy, json in writeObject(.behaviour, policy, &json) }),
    PolicyKey(
      .behaviour, "completesAfter", \.policy.behaviour.completesAfter, .secondsOrNull, .chosen,
      "The time from a wake to its completion; null is none."),
    PolicyKey(
      .behaviour, "coldStart", \.policy.behaviour.coldStart, .seconds(), .chosen,
      "The time added to completesAfter where the app was terminated."),
    PolicyKey(
      .behaviour, "ignoresEvery", \.policy.behaviour.ignoresEvery, .count(from: 0), .chosen,
      "Every n-th wake of an app is not answered; 0: all are."),
  ]
}
