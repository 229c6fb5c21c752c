public import WakeEvents
public import WakeScheduling

/// Writes events as JSON Lines and policies as JSON, as the files of a case hold them.
public enum CasePrinter {
  /// `input.jsonl`: a line for each event.
  public static func inputText(_ events: [Event], symbols: Symbols) -> String {
    events.map { line($0, symbols: symbols) + "\n" }.joined()
  }

  /// The line of one event (rules, 2), without a newline.
  public static func line(_ event: Event, symbols: Symbols) -> String {
    let device = symbols.devices.name(of: event.device)
    var fields = [("t", String(event.time.nanoseconds))]
    if !device.isEmpty { fields.append(("device", JSONText.string(device))) }
    fields.append(("k", JSONText.string(event.input.kind.word)))
    fields += self.fields(of: event.input, symbols)
    return object(fields)
  }

  /// `policy.json`: the keys in which the policy differs from the preset nearest to it.
  public static func policyText(_ policy: Policy) -> String {
    let hasWatchCaps = policy.caps[ExactName("HKQuantityTypeIdentifierNumberOfTimesFallen")] != nil
    let preset = hasWatchCaps ? Policy.watchOS : Policy.iOS
    var fields = [("preset", hasWatchCaps ? #""watchos""# : #""ios""#)]

    var caps: [(String, String)] = []
    for (type, cap) in policy.caps.sorted(by: { $0.key < $1.key }) where preset.caps[type] != cap {
      caps.append((type.string, word(cap)))
    }
    for type in preset.caps.keys.sorted() where policy.caps[type] == nil {
      caps.append((type.string, word(policy.defaultCap)))
    }
    if policy.defaultCap != preset.defaultCap { caps.append(("default", word(policy.defaultCap))) }
    if !caps.isEmpty { fields.append(("caps", object(caps))) }

    if policy.budget != preset.budget { fields.append(("budget", budget(policy.budget))) }
    func add<Value: Equatable>(
      _ key: String, _ path: KeyPath<Policy, Value>, _ text: (Value) -> String
    ) {
      if policy[keyPath: path] != preset[keyPath: path] {
        fields.append((key, text(policy[keyPath: path])))
      }
    }
    add("completionTimeout", \.completionTimeout, seconds)
    add("maxStrikes", \.maxStrikes) { String($0) }
    add("backoffBase", \.backoffBase, seconds)
    add("backoffFactor", \.backoffFactor, JSONText.number)
    add("backoffMax", \.backoffMax, seconds)
    add("pushLimit", \.pushLimit) { String($0) }
    add("pushWindow", \.pushWindow, seconds)
    add("minimumRefreshInterval", \.minimumRefreshInterval, seconds)
    add("carry", \.carry) { JSONText.string($0.rawValue) }
    add("forceQuitBlocksHealth", \.forceQuitBlocksHealth, \.description)
    add("lockBlocksHealth", \.lockBlocksHealth, \.description)
    add("subscriptions", \.subscriptions, subscriptions)
    add("behaviour", \.behaviour, behaviour)
    return object(fields)
  }
}

// MARK: - Inputs

extension CasePrinter {
  private static func fields(of input: Input, _ symbols: Symbols) -> [(String, String)] {
    func type(_ type: SampleType) -> (String, String) {
      ("type", JSONText.string(symbols.types.name(of: type)))
    }
    func source(_ source: Source) -> (String, String) {
      ("source", JSONText.string(symbols.sources.name(of: source)))
    }
    func query(_ query: Query) -> (String, String) {
      ("query", JSONText.string(symbols.queries.name(of: query)))
    }
    let app = input.app.map { [("app", JSONText.string(symbols.apps.name(of: $0)))] } ?? []

    switch input {
    case .save(let sample):
      var fields = [type(sample.type), source(sample.source)]
      if let start = sample.start { fields.append(("start", start.description)) }
      if let end = sample.end { fields.append(("end", end.description)) }
      if let value = sample.value { fields.append(("value", JSONText.number(value))) }
      return fields
    case .delete(let deleted, let from): return [type(deleted), source(from)]
    case .enable(_, let enabled, let frequency):
      return app + [type(enabled), ("frequency", word(frequency))]
    case .disable(_, let disabled): return app + [type(disabled)]
    case .execute(_, let started, let observed, let asked):
      var fields = app + [query(started), type(observed)]
      if let asked { fields.append(("predicate", predicate(asked, symbols))) }
      return fields
    case .stop(_, let stopped): return app + [query(stopped)]
    case .complete(_, let item, let result):
      var fields = app
      switch item {
      case .everything: break
      case .push: fields.append(("item", #""push""#))
      case .refresh: fields.append(("item", #""refresh""#))
      case .type(let answered): fields.append(("item", type(answered).1))
      }
      if let result { fields.append(("result", word(result))) }
      return fields
    case .push(_, let push):
      var fields = app + [("id", JSONText.string(push.id))]
      if let aps = push.aps { fields.append(("aps", aps.json)) }
      if let pushType = push.pushType { fields.append(("pushType", JSONText.string(pushType))) }
      if let priority = push.priority { fields.append(("priority", JSONText.number(priority))) }
      return fields
    case .refreshInterval(_, let interval):
      switch interval {
      case .never: return app + [("interval", #""never""#)]
      case .minimum: return app + [("interval", #""minimum""#)]
      case .seconds(let seconds): return app + [("interval", JSONText.number(seconds))]
      }
    case .refreshStatus(let one, let status):
      return (one == nil ? [("app", #""*""#)] : app) + [("status", word(status))]
    case .complication(_, let isActive): return app + [("active", isActive.description)]
    case .entitlement(_, let isGranted): return app + [("granted", isGranted.description)]
    case .network(let isGood), .power(let isGood): return [("good", isGood.description)]
    case .disableAll, .launch, .background, .terminate, .forceQuit, .lock, .unlock, .reboot:
      return app
    case .observed(_, let observation):
      let types = observation.types.map { JSONText.string(symbols.types.name(of: $0)) }
      var fields = app + [("types", "[" + types.joined(separator: ",") + "]")]
      if let push = observation.push { fields.append(("push", JSONText.string(push))) }
      if let refresh = observation.refresh { fields.append(("refresh", refresh.description)) }
      if let outcome = observation.outcome { fields.append(("outcome", word(outcome))) }
      if let end = observation.end { fields.append(("end", end.description)) }
      return fields
    }
  }

  private static func predicate(_ predicate: Predicate, _ symbols: Symbols) -> String {
    var fields: [(String, String)] = []
    if let source = predicate.source {
      fields.append(("source", JSONText.string(symbols.sources.name(of: source))))
    }
    if let start = predicate.start { fields.append(("start", start.description)) }
    if let end = predicate.end { fields.append(("end", end.description)) }
    if let strict = predicate.strictStart { fields.append(("strictStart", strict.description)) }
    if let strict = predicate.strictEnd { fields.append(("strictEnd", strict.description)) }
    if let min = predicate.min { fields.append(("min", JSONText.number(min))) }
    if let max = predicate.max { fields.append(("max", JSONText.number(max))) }
    return object(fields)
  }

  private static func word(_ word: some Any) -> String { JSONText.string(String(describing: word)) }

  private static func object(_ fields: [(String, String)]) -> String {
    "{" + fields.map { JSONText.string($0) + ":" + $1 }.joined(separator: ",") + "}"
  }
}

// MARK: - Policies

extension CasePrinter {
  private static func budget(_ budget: Policy.Budget?) -> String {
    guard let budget else { return "null" }
    return object([
      ("window", seconds(budget.window)), ("limit", String(budget.limit)),
      ("limitWithoutComplication", String(budget.limitWithoutComplication)),
    ])
  }

  private static func subscriptions(_ subscriptions: [Policy.Subscription]) -> String {
    let objects = subscriptions.map {
      object([
        ("app", JSONText.string($0.app)), ("type", JSONText.string($0.type)),
        ("frequency", word($0.frequency)),
      ])
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  private static func behaviour(_ behaviour: Policy.Behaviour) -> String {
    object([
      ("completesAfter", behaviour.completesAfter.map(seconds) ?? "null"),
      ("coldStart", seconds(behaviour.coldStart)),
      ("ignoresEvery", String(behaviour.ignoresEvery)),
    ])
  }

  /// The seconds that a reader turns into just these nanoseconds: the quotient or one beside it.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let quotient = Double(nanoseconds) / 1e9
    let exact = [quotient, quotient.nextUp, quotient.nextDown].first {
      Int64(($0 * 1e9).rounded(.toNearestOrEven)) == nanoseconds
    }
    return JSONText.number(exact ?? quotient)
  }
}
