import WakeEvents
import WakeTestSupport

/// Events with every kind of content, for round trips.
enum RandomEvents {
  static func event(symbols: Symbols, using generator: inout SplitMix64) -> Event {
    let device = generator.below(3) == 0 ? "" : name(&generator)
    return Event(
      time: time(&generator), device: symbols.devices.intern(device),
      input: input(symbols, &generator))
  }

  private static func input(_ symbols: Symbols, _ generator: inout SplitMix64) -> Input {
    let app = symbols.apps.intern(name(&generator))
    let type = symbols.types.intern(name(&generator))
    let source = symbols.sources.intern(name(&generator))
    let query = symbols.queries.intern(name(&generator))
    let flag = Bool.random(using: &generator)
    switch InputKind.allCases.randomElement(using: &generator) ?? .save {
    case .save:
      return .save(
        Sample(
          type: type, source: source, start: maybe(&generator, time),
          end: maybe(&generator, time), value: maybe(&generator, number)))
    case .delete: return .delete(type: type, source: source)
    case .enable:
      return .enable(app: app, type: type, frequency: oneOf(Frequency.allCases, &generator))
    case .disable: return .disable(app: app, type: type)
    case .disableAll: return .disableAll(app: app)
    case .execute:
      let predicate = Predicate(
        source: flag ? source : nil, start: maybe(&generator, time), end: maybe(&generator, time),
        strictStart: maybe(&generator) { .random(using: &$0) },
        strictEnd: maybe(&generator) { .random(using: &$0) }, min: maybe(&generator, number),
        max: maybe(&generator, number))
      return .execute(
        app: app, query: query, type: type, predicate: generator.below(3) == 0 ? nil : predicate)
    case .stop: return .stop(app: app, query: query)
    case .complete:
      // A type of these names is not to be told from the item, and never comes from a reader.
      let item =
        ["push", "refresh"].contains(symbols.types.name(of: type))
        ? CompletionItem.everything : .type(type)
      return .complete(
        app: app, item: oneOf([.everything, .push, .refresh, item], &generator),
        result: maybe(&generator) { oneOf(FetchResult.allCases, &$0) })
    case .launch: return .launch(app: app)
    case .background: return .background(app: app)
    case .terminate: return .terminate(app: app)
    case .forceQuit: return .forceQuit(app: app)
    case .push:
      return .push(
        app: app,
        Push(
          id: name(&generator), aps: maybe(&generator) { oneOf(payloads, &$0) },
          pushType: maybe(&generator, name), priority: maybe(&generator, number)))
    case .refreshInterval:
      let seconds = Double.random(in: Seconds.validRange, using: &generator)
      return .refreshInterval(
        app: app,
        oneOf([.never, .minimum, .seconds(seconds), .seconds(seconds.rounded())], &generator))
    case .refreshStatus:
      return .refreshStatus(app: flag ? nil : app, oneOf(RefreshStatus.allCases, &generator))
    case .complication: return .complication(app: app, isActive: flag)
    case .entitlement: return .entitlement(app: app, isGranted: flag)
    case .network: return .network(isGood: flag)
    case .power: return .power(isGood: flag)
    case .lock: return .lock
    case .unlock: return .unlock
    case .reboot: return .reboot
    case .observed:
      let types = (0..<generator.below(4)).map { _ in symbols.types.intern(name(&generator)) }
      return .observed(
        app: app,
        Observation(
          types: types, push: maybe(&generator, name),
          refresh: maybe(&generator) { .random(using: &$0) },
          outcome: maybe(&generator) { oneOf(Observation.Outcome.allCases, &$0) },
          end: maybe(&generator, time)))
    }
  }

  private static let payloads = [
    Push.Payload(json: "{}", contentAvailable: nil, isShownToUser: false),
    Push.Payload(json: #"{"content-available":1}"#, contentAvailable: 1, isShownToUser: false),
    Push.Payload(
      json: #"{ "content-available" : 1.50e+0, "x":[null,{"y":"é\u00e9\\"}] }"#,
      contentAvailable: 1.5, isShownToUser: false),
    Push.Payload(json: #"{"badge":null,"sound":""}"#, contentAvailable: nil, isShownToUser: true),
  ]

  private static func name(_ generator: inout SplitMix64) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "/", ".", " ", "*", "\"", "\\", "\n", "\r", "\0", "\u{1F}", "\u{7F}", "é",
      "\u{301}",
      "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFF}", "😀", "\u{10FFFF}",
    ]
    if Bool.random(using: &generator) {
      let common = ["HKQuantityTypeIdentifierHeartRate", "com.example.run", "Watch", "push", "p"]
      return common.randomElement(using: &generator) ?? ""
    }
    var name = ""
    for _ in 0..<Int.random(in: 0...90, using: &generator) {
      name.unicodeScalars.append(oneOf(alphabet, &generator))
    }
    return name
  }

  private static func time(_ generator: inout SplitMix64) -> Timestamp {
    let bounds = [Timestamp.validRange.lowerBound, Timestamp.validRange.upperBound, 0, -1]
    let nanoseconds =
      generator.below(8) == 0
      ? oneOf(bounds, &generator) : Int64.random(in: Timestamp.validRange, using: &generator)
    return Timestamp(nanoseconds: nanoseconds)
  }

  private static func number(_ generator: inout SplitMix64) -> Double {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return Double(Int.random(in: -300...300, using: &generator))
    case 1: return Double(Int64.random(in: .min ... .max, using: &generator))
    case 2:
      return oneOf(
        [-0.0, 0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e15, -1e15], &generator)
    default:
      let number = Double(bitPattern: generator.next())
      return number.isFinite ? number : 0.5
    }
  }

  private static func maybe<Value>(
    _ generator: inout SplitMix64, _ make: (inout SplitMix64) -> Value
  ) -> Value? {
    Bool.random(using: &generator) ? make(&generator) : nil
  }

  private static func oneOf<Value>(
    _ values: [Value], _ generator: inout SplitMix64
  ) -> Value {
    values[Int.random(in: 0..<values.count, using: &generator)]
  }
}
