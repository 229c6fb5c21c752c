package import WakeEvents
internal import WakeJSON
package import WakeScheduling

// What a policy says, for people: what is in force, and what may not be meant.
extension Policy {
  /// The cap that slows a subscription, in words, `immediate is hourly on ios (page Rules, 5.2)`; nil if none does.
  ///
  /// - Parameter preset: The name of the preset that the policy overrides.
  package func cap(slowing subscription: Subscription, preset: String) -> String? {
    let allowed = frequency(of: subscription.type, asked: subscription.frequency)
    guard allowed != subscription.frequency else { return nil }
    return "\(subscription.frequency.word) is \(allowed.word) "
      + "\(origin(ofCap: subscription.type, preset: preset)) (page Rules, 5.2)"
  }

  /// Each subscription that a cap slows, in words, with its app and type.
  package func slowedSubscriptions(preset: String) -> [String] {
    subscriptions.compactMap { subscription in
      cap(slowing: subscription, preset: preset).map {
        "\(subscription.app.shown) \(subscription.type.shown): \($0)"
      }
    }
  }

  private func origin(ofCap type: String, preset: String) -> String {
    if Policy.named(preset)?.cap(of: type) == cap(of: type) { return "on \(preset)" }
    return caps[ExactName(type)] == nil ? "by caps.default" : "by caps.\(type.shown)"
  }

  /// Each subscription that stands twice, in words: the last one decides.
  private var repeatedSubscriptions: [String] {
    struct Key: Hashable {
      let app: ExactName
      let type: ExactName
    }
    var places: [Key: Int] = [:]
    places.reserveCapacity(subscriptions.count)
    return subscriptions.enumerated().compactMap { place, subscription in
      let key = Key(app: ExactName(subscription.app), type: ExactName(subscription.type))
      defer { places[key] = place }
      return places[key].map {
        "subscriptions[\(place)] takes the place of subscriptions[\($0)]: "
          + "both subscribe \(subscription.app.shown) to \(subscription.type.shown)"
      }
    }
  }

  /// The types with a cap that no preset has.
  package var ownCaps: Set<ExactName> {
    let presets = Self.presets.compactMap(Policy.named)
    return Set(caps.keys.filter { type in presets.allSatisfy { $0.caps[type] == nil } })
  }

  /// What is wrong with subscriptions, in words: they stand twice, are rejected, or a name is empty.
  package var faultySubscriptions: [String] { repeatedSubscriptions + rejectedSubscriptions }

  private var rejectedSubscriptions: [String] {
    subscriptions.enumerated().compactMap { place, subscription in
      let fault: String? =
        if subscription.app.isEmpty {
          "the app is empty"
        } else if subscription.type.isEmpty {
          "the type is empty"
        } else if Self.isCorrelation(subscription.type) {
          "\(subscription.type.shown) is rejected, as it is a correlation (page Rules, 5.2); "
            + "subscribe to the types of its samples"
        } else {
          nil
        }
      return fault.map { "subscriptions[\(place)]: \($0)" }
    }
  }

  /// Wakes that the modelled app does not answer (page Rules, 6.4), and why, in words; nil if it answers.
  package var unanswered: (wakes: String, cause: String)? {
    guard let answer = behaviour.completesAfter else {
      return ("wakes", "\"behaviour.completesAfter\" is null")
    }
    if behaviour.ignoresEvery == 1 { return ("wakes", "\"behaviour.ignoresEvery\" is 1") }
    let limit = "not less than \"completionTimeout\""
    if answer >= completionTimeout { return ("wakes", "\"behaviour.completesAfter\" is \(limit)") }
    guard answer + behaviour.coldStart >= completionTimeout else { return nil }
    return (
      "wakes that launch the app",
      "the sum of \"behaviour.completesAfter\" and \"behaviour.coldStart\" is \(limit)"
    )
  }

  /// The keys with their values, those of `caps` included, and those of the preset where they are others.
  ///
  /// - Parameter preset: The name of the preset that the policy overrides.
  package func keys(preset: String) -> [(path: String, value: String, preset: String?)] {
    let standard = Policy.named(preset) ?? .iOS
    var keys: [(path: String, value: String, preset: String?)] = []
    func add(_ path: String, _ value: String?, _ standard: String?) {
      if let value { keys.append((path, value, value == standard ? nil : standard ?? "none")) }
    }
    for key in PolicyKey.all where key.group != .subscription && key.path != "subscriptions" {
      switch key.path {
      case "preset": add(key.path, "\"\(preset)\"", "\"\(preset)\"")
      case "caps.TYPE":
        for (type, frequency) in caps.sorted(by: { $0.key < $1.key }) {
          add(
            "caps.\(type.string.shown)", "\"\(frequency.word)\"",
            standard.caps[type].map { "\"\($0.word)\"" })
        }
      case "caps", "behaviour": continue
      case "budget" where budget != nil: continue
      default: add(key.path, key.standardText(in: self), key.standardText(in: standard))
      }
    }
    return keys
  }

  /// The policy with all keys as JSON, which ``PolicyReader`` reads again.
  ///
  /// - Parameter preset: The name of the preset that the policy overrides.
  package func json(preset: String) -> String {
    var json = JSONWriter(.indented)
    json.object { json in
      for key in PolicyKey.all where key.group == .policy {
        json.key(escaping: key.name)
        if key.path == "preset" { json.value(preset) } else { key.write(self, to: &json) }
      }
    }
    return json.text
  }

  /// A policy file with the subscriptions and the behaviour of this policy; the rest is the preset's.
  ///
  /// - Parameter preset: The name of the preset that the policy overrides.
  package func file(preset: String) -> String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.member("preset", preset)
      for key in PolicyKey.all where ["subscriptions", "behaviour"].contains(key.path) {
        json.key(escaping: key.name)
        key.write(self, to: &json)
      }
    }
    return json.text
  }
}
