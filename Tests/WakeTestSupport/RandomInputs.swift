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
  private var inputsOfFlavour = 0
  /// Inputs until the end.
  private var inputsLeft: Int
  /// Whether the seed sets refresh intervals, whose wakes can drown all others.
  private let refreshes: Bool
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
      for kind in InputKind.allCases { scale([kind], random.pick([0, 1, 1, 1, 4])) }
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
    }
  }

  /// Inputs that lead somewhere only in this order.
  private mutating func drawScene(app: App, type: SampleType) -> [Input] {
    func save() -> Input { draw(.save, app: app, type: type) }
    let enable = Input.enable(app: app, type: type, frequency: .immediate)
    let complete = Input.complete(app: app, item: .everything, result: .newData)
    switch random.below(14) {
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
    case 9: return [.reboot, .unlock, .launch(app: app), enable, .background(app: app), save()]
    case 10: return [enable, save(), .launch(app: app), save(), .background(app: app), save()]
    default: return drawSharedWake(app)
    }
  }

  /// A wake for several types, and perhaps a push, whose items meet different ends.
  private mutating func drawSharedWake(_ app: App) -> [Input] {
    let push = draw(.push, app: app, type: type)
    var inputs: [Input] = [.launch(app: app)]
    inputs += types.map { .enable(app: app, type: $0, frequency: .immediate) }
    inputs += [.background(app: app), .lock]
    inputs += types.map { .save(Sample(type: $0, source: sources[0])) }
    if random.chance(30) { inputs.append(push) }
    inputs.append(.unlock)
    if random.chance(30) { inputs.append(push) }
    for type in types {
      switch random.below(8) {
      case 0: inputs.append(.disable(app: app, type: type))
      case 1: inputs.append(draw(.save, app: app, type: type))
      case 2: inputs.append(.terminate(app: app))
      case 3: inputs.append(.complete(app: app, item: .push, result: nil))
      default: inputs.append(.complete(app: app, item: .type(type), result: .newData))
      }
    }
    return inputs
  }
}
