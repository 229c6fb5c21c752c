public import WakeEvents
public import WakeScheduling

/// A random policy and random inputs under it, the same for the same seed.
///
/// Each seed has its own names, policy, and flavour: few or many apps, inputs close together or days
/// apart, storms of registrations, of pushes or of the user's whims. The flavour changes a few times
/// within a seed. ``Happening`` lists the situations that it must reach.
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
    policy = RandomPolicy.draw(names: names, using: &random)
    var generator = RandomEvents(
      random: random, names: names, symbols: symbols, policy: policy, count: count)
    events = (0..<count).map { _ in generator.next() }
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
  private var inputsLeft = 0
  /// What comes next on a device, the last first.
  private var scene: (device: Device, inputs: [Input])?
  /// The number of the next push, so that ids differ.
  var pushes = 0
  /// The apps, types and times that the next inputs are about, so that they meet.
  private var app: App
  private var type: SampleType

  init(
    random: SplitMix64, names: RandomNames, symbols: Symbols, policy: Policy, count: Int
  ) {
    self.random = random
    self.symbols = symbols
    clock = RandomClock(policy: policy, count: count, using: &self.random)
    apps = names.apps.map(symbols.apps.intern)
    types = names.types.map(symbols.types.intern)
    sources = names.sources.map(symbols.sources.intern)
    queries = names.queries.map(symbols.queries.intern)
    devices = names.devices.map(symbols.devices.intern)
    app = apps[0]
    type = types[0]
  }

  mutating func next() -> Event {
    if inputsLeft == 0 {
      inputsLeft = 50 + random.below(400)
      weights = drawWeights()
      clock.changeFlavour(using: &random)
    }
    inputsLeft -= 1
    clock.advance(using: &random)
    if random.chance(40) { app = random.pick(apps) }
    if random.chance(50) { type = random.pick(types) }

    if scene == nil, random.chance(5) {
      scene = (random.pick(devices), drawScene(app: app, type: type).reversed())
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
      for kind in InputKind.allCases { scale([kind], random.pick([0, 1, 1, 1, 4])) }
      weights[0] += 1
    default: break
    }
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
    }
  }

  /// Inputs that lead somewhere only in this order.
  private mutating func drawScene(app: App, type: SampleType) -> [Input] {
    func save() -> Input { draw(.save, app: app, type: type) }
    let enable = Input.enable(app: app, type: type, frequency: .immediate)
    let complete = Input.complete(app: app, item: .everything, result: .newData)
    switch random.below(10) {
    case 0: return (0..<(3 + random.below(20))).map { _ in save() }
    case 1: return [.launch(app: app), enable, save(), .background(app: app), save()]
    case 2: return [.disableAll(app: app), enable, save(), save()]
    case 3:
      return [
        .forceQuit(app: app), save(), draw(.push, app: app, type: type), .launch(app: app),
        .background(app: app), save(), complete,
      ]
    case 4: return [.lock, save(), save(), .unlock, complete]
    case 5: return (0..<(2 + random.below(5))).map { _ in draw(.push, app: app, type: type) }
    case 6: return [enable, save(), .disable(app: app, type: type), enable, save()]
    case 7: return [enable, save(), save(), .terminate(app: app), save(), .terminate(app: app)]
    case 8: return [enable, save(), save(), complete, save(), complete]
    default: return [.reboot, .unlock, .launch(app: app), enable, .background(app: app), save()]
    }
  }
}
