public import WakeEvents
public import WakeScheduling

/// A random policy and random inputs under it, the same for the same seed.
///
/// Each seed has its own names, policy, and flavour: few or many apps, inputs close together or days
/// apart, storms of registrations, of pushes or of the user's whims. The flavour changes a few times
/// within a seed. The tests list the situations that it must reach (`Happening`).
public struct RandomInputs: Sendable {
  /// The seed that makes them again.
  public let seed: UInt64
  /// The names in ``events``.
  public let symbols: Symbols
  /// The policy.
  public let policy: Policy
  /// The inputs, most of them with rising times.
  public let events: [Event]

  /// Makes the policy and `count` inputs of a seed.
  ///
  /// - Complexity: O(count).
  public init(seed: UInt64, count: Int) {
    self.seed = seed
    symbols = Symbols()
    var random = SplitMix64(seed: seed)
    let names = RandomNames(using: &random)
    var policy = RandomPolicy.draw(names: names, using: &random)
    if seed % 8 == 5 { policy.subscriptions += Self.padding(of: names.apps[0], seed: seed) }
    self.policy = policy
    var generator = RandomEvents(
      random: random, names: names, symbols: symbols, policy: policy, count: count)
    events = (0..<count).map { _ in generator.next() }
  }
}

extension RandomInputs {
  /// Makes the policy and `count` inputs of a seed, and then `saves` saves and deletes in the order of their times, most
  /// of them of few types, on one device.
  ///
  /// - Precondition: `count` is above 0.
  /// - Complexity: O(count + saves).
  public init(seed: UInt64, count: Int, saves: Int) {
    let start = RandomInputs(seed: seed, count: count)
    (self.seed, symbols, policy) = (seed, start.symbols, start.policy)
    var random = SplitMix64(seed: ~seed)
    let types = (0..<UInt32(symbols.types.count)).map { SampleType(index: $0) }
    _ = symbols.sources.intern("source")
    let sources = (0..<UInt32(symbols.sources.count)).map { Source(index: $0) }
    var time = start.events.map(\.time.nanoseconds).max() ?? 0
    var type = types[0]
    let rows = (0..<saves).map { _ in
      time += Int64(random.below(random.chance(2) ? 7_200 : 60)) * 1_000_000_000
      if random.chance(10) { type = random.pick(types) }
      let source = random.pick(sources)
      return Event(
        time: Timestamp(nanoseconds: time), device: start.events[0].device,
        input: random.chance(3)
          ? .delete(type: type, source: source) : .save(Sample(type: type, source: source)))
    }
    events = start.events + rows
  }

  /// Subscriptions on types without saves: so many that the other types of the app are about the 64th and later ones.
  private static func padding(of app: String, seed: UInt64) -> [Policy.Subscription] {
    (0..<80).map { number in
      let isBefore = number < 56 + Int(seed / 8 % 16)
      return Policy.Subscription(
        app: app, type: "\(isBefore ? "!" : "~") padding \(number)", frequency: .hourly)
    }
  }
}

/// Draws one event after the other.
struct RandomEvents {
  var random: SplitMix64
  let symbols: Symbols
  var clock: RandomClock

  let apps: [App]
  let types: [SampleType]
  let sources: [Source]
  let queries: [Query]
  let devices: [Device]

  /// How often each kind comes in the present flavour, in the order of ``InputKind``.
  private var weights: [Int] = []
  /// Inputs until the flavour changes.
  private var inputsOfFlavour = 0
  /// Inputs until the end.
  private var inputsLeft: Int
  /// Whether the seed sets refresh intervals, whose wakes can drown all others.
  let refreshes: Bool
  /// What comes next on a device, the last first.
  private var scene: (device: Device, inputs: [Input])?
  /// The number of the next push, so that ids differ.
  var pushes = 0
  /// The apps, types and times that the next inputs are about, so that they meet.
  private var app: App
  private(set) var type: SampleType

  init(
    random: SplitMix64, names: RandomNames, symbols: Symbols, policy: Policy, count: Int
  ) {
    self.random = random
    self.symbols = symbols
    inputsLeft = count
    refreshes = self.random.chance(50)
    clock = RandomClock(policy: policy, refreshes: refreshes, using: &self.random)
    apps = names.apps.map(symbols.apps.intern)
    types = names.types.map(symbols.types.intern)
    sources = names.sources.map(symbols.sources.intern)
    queries = names.queries.map(symbols.queries.intern)
    devices = names.devices.map(symbols.devices.intern)
    app = apps[0]
    type = types[0]
  }

  mutating func next() -> Event {
    if inputsLeft == 12 {
      // Runs that end in the midst of something have wakes open and pushes held.
      weights = InputKind.allCases.map { [.save, .push].contains($0) ? 1 : 0 }
      clock.huddle()
    } else if inputsOfFlavour == 0 {
      inputsOfFlavour = 50 + random.below(400)
      weights = drawWeights()
      clock.changeFlavour(using: &random)
    }
    inputsOfFlavour -= 1
    inputsLeft -= 1
    clock.advance(using: &random)
    if random.chance(40) { app = random.pick(apps) }
    if random.chance(50) { type = random.pick(types) }

    if scene == nil, inputsLeft > 20, random.chance(7) {
      // Half of the scenes first let a stopped app go on; else most apps would soon stay stopped.
      let visit: [Input] = [
        .launch(app: app), .enable(app: app, type: type, frequency: .immediate),
        .background(app: app), .unlock,
      ]
      let inputs = (random.chance(50) ? visit : []) + drawScene(app: app, type: type)
      scene = (random.pick(devices), inputs.reversed())
    }
    if let device = scene?.device, let input = scene?.inputs.popLast() {
      if scene?.inputs.isEmpty ?? true { scene = nil }
      return Event(time: clock.written(using: &random), device: device, input: input)
    }
    scene = nil
    let kind = InputKind.allCases[random.weighted(weights)]
    return Event(
      time: clock.written(using: &random), device: random.pick(devices),
      input: draw(kind, app: app, type: type))
  }

  /// The ordinary weights, some of them raised or put out by the flavour.
  private mutating func drawWeights() -> [Int] {
    var weights = InputKind.allCases.map(Self.ordinaryWeight)
    func scale(_ kinds: [InputKind], _ factor: Int) {
      for kind in kinds { weights[Int(kind.rawValue)] *= factor }
    }
    switch random.below(9) {
    case 0: scale([.complete, .launch], 0)
    case 1: scale([.complete], 6)
    case 2: scale([.push], 10)
    case 3: scale([.launch, .background, .terminate, .forceQuit, .reboot], 6)
    case 4: scale([.enable, .disable, .disableAll, .execute, .stop], 6)
    case 5: scale([.refreshInterval, .refreshStatus, .complication, .network, .power], 8)
    case 6: scale([.lock, .unlock, .terminate], 10)
    case 7:
      for kind in InputKind.allCases where kind != .observed {
        scale([kind], random.pick([0, 1, 1, 1, 4]))
      }
      weights[0] += 1
    default: break
    }
    if !refreshes { scale([.refreshInterval], 0) }
    return weights
  }

  private static func ordinaryWeight(of kind: InputKind) -> Int {
    switch kind {
    case .save: 400
    case .delete: 50
    case .enable: 70
    case .disable: 20
    case .disableAll: 4
    case .execute: 30
    case .stop: 25
    case .complete: 110
    case .launch: 25
    case .background: 40
    case .terminate: 25
    case .forceQuit: 8
    case .push: 60
    case .refreshInterval: 20
    case .refreshStatus: 15
    case .complication: 15
    case .entitlement: 8
    case .network: 10
    case .power: 10
    case .lock: 10
    case .unlock: 30
    case .reboot: 4
    // Observations are put among inputs where a test asks for them.
    case .observed: 0
    }
  }
}
