import WakeEvents
import WakeScheduling

extension RandomEvents {
  /// An input of that kind with random fields, about the app and the type where it has them.
  mutating func draw(_ kind: InputKind, app: App, type: SampleType) -> Input {
    switch kind {
    case .save: return .save(drawSample(type))
    case .delete: return .delete(type: type, source: random.pick(sources))
    case .enable:
      return .enable(app: app, type: type, frequency: RandomPolicy.frequency(using: &random))
    case .disable: return .disable(app: app, type: type)
    case .disableAll: return .disableAll(app: app)
    case .execute:
      return .execute(
        app: app, query: random.pick(queries), type: type,
        predicate: random.chance(25) ? nil : drawPredicate())
    case .stop: return .stop(app: app, query: random.pick(queries))
    case .complete: return .complete(app: app, item: drawItem(type), result: drawResult())
    case .launch: return .launch(app: app)
    case .background: return .background(app: app)
    case .terminate: return .terminate(app: app)
    case .forceQuit: return .forceQuit(app: app)
    case .push: return .push(app: app, drawPush())
    case .refreshInterval: return .refreshInterval(app: app, drawInterval())
    case .refreshStatus:
      // Conditions are good more often than not; else little would happen.
      return .refreshStatus(
        app: random.chance(25) ? nil : app,
        random.pick([.available, .available, .available, .denied, .restricted]))
    case .complication: return .complication(app: app, isActive: random.chance(50))
    case .entitlement: return .entitlement(app: app, isGranted: random.chance(75))
    case .network: return .network(isGood: random.chance(75))
    case .power: return .power(isGood: random.chance(75))
    case .lock: return .lock
    case .unlock: return .unlock
    case .reboot: return .reboot
    case .observed: return .observed(app: app, Observation(types: [type]))
    }
  }

  private mutating func drawSample(_ type: SampleType) -> Sample {
    var sample = Sample(type: type, source: random.pick(sources))
    if random.chance(30) { sample.start = clock.near(using: &random) }
    if random.chance(30) { sample.end = clock.near(using: &random) }
    if random.chance(40) { sample.value = drawValue() }
    return sample
  }

  /// One of few values, so that samples meet the bounds of predicates exactly.
  private mutating func drawValue() -> Double {
    random.pick([-1.5, 0, 1, 60, 60, 100.25, 1e300, -0.0])
  }

  /// Any of the shapes, the empty one too; mostly one part, else nothing would match.
  private mutating func drawPredicate() -> Predicate {
    var predicate = Predicate()
    for _ in 0..<random.pick([0, 1, 1, 1, 2, 3]) {
      switch random.below(5) {
      case 0: predicate.source = random.pick(sources)
      case 1: predicate.start = clock.near(using: &random)
      case 2: predicate.end = clock.near(using: &random)
      case 3: predicate.min = drawValue()
      default: predicate.max = drawValue()
      }
    }
    if random.chance(30) { predicate.strictStart = random.chance(70) }
    if random.chance(30) { predicate.strictEnd = random.chance(70) }
    return predicate
  }

  private mutating func drawItem(_ type: SampleType) -> CompletionItem {
    switch random.below(10) {
    case 0..<5: .everything
    case 5..<8: .type(type)
    case 8: .push
    default: .refresh
    }
  }

  private mutating func drawResult() -> FetchResult? {
    random.pick([nil, nil, .newData, .noData, .failed])
  }

  private mutating func drawInterval() -> RefreshInterval {
    switch random.below(10) {
    case 0: .never
    case 1..<5: .minimum
    default: .seconds(random.pick([0, 0.5, 60, 901.25, 3600, 7200.000000001, 86400, 1e9]))
    }
  }

  /// A background notification in most cases, and each of the ways to be none.
  private mutating func drawPush() -> Push {
    pushes += 1
    var push = Push(id: random.chance(3) ? "" : "p\(pushes)")
    if random.chance(25) { push.aps = Self.backgroundPayloads[random.below(3)] }
    if random.chance(20) { push.pushType = "background" }
    if random.chance(20) { push.priority = 5 }
    if random.chance(12) {
      switch random.below(3) {
      case 0: push.aps = random.pick(Self.otherPayloads)
      case 1: push.pushType = random.pick(["alert", "voip", "", "Background"])
      default: push.priority = random.pick([10, 1, 4.999, -5, 0])
      }
    }
    return push
  }

  private static let backgroundPayloads: [Push.Payload] = [
    Push.Payload(json: #"{"content-available":1}"#, contentAvailable: 1, isShownToUser: false),
    Push.Payload(
      json: #"{"mutable-content": 1, "content-available": 1.0}"#, contentAvailable: 1,
      isShownToUser: false),
    Push.Payload(
      json: #"{"content-available":1,"category":{"alert":[1,null,"\u00e9"]}}"#,
      contentAvailable: 1, isShownToUser: false),
  ]

  private static let otherPayloads: [Push.Payload] = [
    Push.Payload(json: "{}", contentAvailable: nil, isShownToUser: false),
    Push.Payload(json: #"{"content-available":0}"#, contentAvailable: 0, isShownToUser: false),
    Push.Payload(json: #"{"content-available":1.5}"#, contentAvailable: 1.5, isShownToUser: false),
    Push.Payload(json: #"{"content-available":2}"#, contentAvailable: 2, isShownToUser: false),
    Push.Payload(json: #"{"content-available":-1}"#, contentAvailable: -1, isShownToUser: false),
    Push.Payload(
      json: #"{"content-available":1,"alert":null}"#, contentAvailable: 1, isShownToUser: true),
    Push.Payload(
      json: #"{"content-available":1,"badge":0}"#, contentAvailable: 1, isShownToUser: true),
    Push.Payload(
      json: #"{"sound":"ping","content-available":1}"#, contentAvailable: 1, isShownToUser: true),
  ]
}
