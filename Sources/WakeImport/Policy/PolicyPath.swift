internal import WakeEvents
internal import WakeJSON
package import WakeScheduling

/// A place in a policy that can be set by itself: `budget.limit`, `caps.TYPE`, `behaviour.completesAfter`, or
/// `apps.NAME.subscriptions.TYPE.frequency`, where `*` stands for every app or type of the policy's subscriptions.
package struct PolicyPath: Hashable, Sendable {
  private enum Place: Hashable, Sendable {
    /// A key, and the key in its object.
    case key(String, member: String?)
    /// The frequency of subscriptions; nil is every app or type.
    case frequency(app: String?, type: String?)
  }

  /// The path as it was written.
  package let text: String
  private let place: Place

  private static let apps = "apps."
  private static let subscriptions = ".subscriptions."
  private static let frequency = ".frequency"

  /// Reads a path.
  ///
  /// - Parameter policy: The policy whose subscriptions it may name.
  /// - Throws: ``UnknownPolicyPath`` if there is no such place.
  package init(_ text: String, in policy: Policy) throws(UnknownPolicyPath) {
    self.text = text
    guard let place = Self.place(text, in: policy) else {
      throw UnknownPolicyPath(text: text, all: Self.all(in: policy))
    }
    self.place = place
  }

  /// Whether this is an object as a whole, and another path one of its members.
  package func contains(_ other: PolicyPath) -> Bool {
    guard case .key(let key, nil) = place, case .key(key, .some) = other.place else { return false }
    return true
  }

  private static func place(_ text: String, in policy: Policy) -> Place? {
    if text.hasPrefix(apps) {
      let rest = text.dropFirst(apps.count)
      guard rest.hasSuffix(frequency) else { return nil }
      // Names of apps and types have dots themselves, so the pairs that the policy has are tried.
      let pair = rest.dropLast(frequency.count)
      let names = policy.subscriptions
      for app in ["*"] + names.map(\.app) {
        for type in ["*"] + names.map(\.type) where app + subscriptions + type == pair {
          let (app, type) = (app == "*" ? nil : app, type == "*" ? nil : type)
          let matches = names.contains {
            app.isNil(or: $0.app) && type.isNil(or: $0.type)
          }
          return matches ? .frequency(app: app, type: type) : nil
        }
      }
      return nil
    }
    guard let dot = text.firstIndex(of: ".") else {
      let key = PolicyKey.named(text, in: .policy)
      return key.map { isSet($0) ? .key(text, member: nil) : nil } ?? nil
    }
    let (object, member) = (String(text[..<dot]), String(text[text.index(after: dot)...]))
    guard let group = PolicyKey.Group.allCases.first(where: { $0.prefix == object + "." }),
      !member.isEmpty, PolicyKey.named(member, in: group) != nil
    else { return nil }
    return .key(object, member: member)
  }

  /// Whether a key of the policy has one value, or is null.
  private static func isSet(_ key: PolicyKey) -> Bool {
    !["preset", "caps", "subscriptions", "behaviour"].contains(key.name)
  }

  /// All places of a policy, for hints.
  private static func all(in policy: Policy) -> [String] {
    var all = PolicyKey.all.compactMap { key -> String? in
      switch key.group {
      case .policy: isSet(key) ? key.path : nil
      case .subscription: nil
      case .caps, .budget, .behaviour: key.path
      }
    }
    all += policy.caps.keys.map { "caps." + $0.string }
    var apps: [String] = policy.subscriptions.isEmpty ? [] : ["*"]
    for subscription in policy.subscriptions where !apps.contains(subscription.app) {
      apps.append(subscription.app)
    }
    for app in apps { all.append(Self.apps + app + subscriptions + "*" + frequency) }
    all += policy.subscriptions.map { Self.apps + $0.app + subscriptions + $0.type + frequency }
    return all
  }
}

extension PolicyPath {
  /// A policy with other values at some places.
  ///
  /// - Parameter values: By path, each as JSON or a bare word: `30`, `null`, `always`.
  /// - Throws: ``PolicyPathError`` for a value that its place cannot have.
  package static func setting(
    _ values: [(path: PolicyPath, value: String)], in policy: Policy
  ) throws(PolicyPathError) -> Policy {
    var policy = policy
    var objects: [(key: String, members: [(key: String, value: String)])] = []
    for (path, value) in values {
      switch path.place {
      case .frequency(let app, let type):
        guard let frequency = Frequency.allCases.first(where: { $0.word == value }) else {
          let words = Frequency.allCases.map(\.word).joined(separator: ", ")
          throw PolicyPathError(path: path.text, message: "'\(value)' is none of \(words)")
        }
        for place in policy.subscriptions.indices {
          let subscription = policy.subscriptions[place]
          if app.isNil(or: subscription.app), type.isNil(or: subscription.type) {
            policy.subscriptions[place].frequency = frequency
          }
        }
      case .key(let key, let member):
        let place = objects.firstIndex { $0.key == key } ?? objects.count
        if place == objects.count { objects.append((key, [])) }
        objects[place].members.append((member ?? "", value))
      }
    }
    var json = JSONWriter(.line)
    json.object { json in
      for object in objects {
        json.key(escaping: object.key)
        if let alone = object.members.first(where: { $0.key.isEmpty }) {
          json.bytes += jsonText(alone.value)
          continue
        }
        json.object { json in
          for member in object.members {
            json.key(escaping: member.key)
            json.bytes += jsonText(member.value)
          }
        }
      }
    }
    do throws(JSONError) {
      return try json.bytes.withJSONBytes { bytes throws(JSONError) in
        try bytes.policy(over: policy)
      }
    } catch {
      let isWithoutBudget = error.code == .missingField && policy.budget == nil
      throw PolicyPathError(
        path: error.path ?? "",
        message: error.message
          + (isWithoutBudget ? ", as the policy has no budget whose keys could be changed" : ""))
    }
  }

  /// A value as JSON text: a number, a truth value and null as they are, everything else as a string.
  private static func jsonText(_ value: String) -> [UInt8] {
    let isLiteral =
      ["true", "false", "null"].contains(value)
      || (value.first.map { $0 == "-" || $0.isASCII && $0.isNumber } ?? false)
        && Double(value) != nil
    return isLiteral ? Array(value.utf8) : JSONWriter.bytes(of: value)
  }
}

/// A path that leads nowhere in a policy.
package struct UnknownPolicyPath: Error, Sendable {
  package let text: String
  /// All paths of the policy.
  package let all: [String]
}

/// A value that a place of a policy cannot have.
package struct PolicyPathError: Error, CustomStringConvertible, Sendable {
  package let path: String
  package let message: String

  package var description: String { "\(path): \(message)" }
}

extension String? {
  fileprivate func isNil(or other: String) -> Bool { self == nil || self == other }
}
