public import WakeEvents
public import WakeScheduling

/// Random inputs of one device whose apps answer, many of them alike, at times that meet their answers: what
/// ``RandomInputs`` seldom comes to.
public struct AnsweringApps: Sendable {
  /// The names in ``events``.
  public let symbols = Symbols()
  /// The policy.
  public let policy: Policy
  /// The inputs, most of them with rising times.
  public let events: [Event]

  private static let second: Int64 = 1_000_000_000
  private static let endOfTime = 4_000_000_000 * second

  /// Makes the policy and `count` inputs of a seed.
  public init(seed: UInt64, count: Int) {
    var random = SplitMix64(seed: seed)
    policy = Self.policy(using: &random)
    events = Self.events(count, policy, symbols, using: &random)
  }

  private static func policy(using random: inout SplitMix64) -> Policy {
    var policy = Policy.iOS
    let timeout = random.pick([1, 2, 3, 5, 30]) * second
    policy.completionTimeout = timeout
    policy.minimumRefreshInterval = second
    policy.behaviour.completesAfter = random.pick([
      0, 1, second / 2, second, second, 2 * second, timeout - 1, timeout,
    ])
    policy.behaviour.coldStart = random.pick([0, 0, 1, second, timeout])
    policy.behaviour.ignoresEvery = random.pick([0, 0, 0, 3, 7])
    policy.carry = random.pick(Policy.Carry.allCases)
    policy.lockBlocksHealth = random.chance(60)
    policy.forceQuitBlocksHealth = random.chance(60)
    policy.pushLimit = random.pick([1, 3])
    policy.pushWindow = random.pick([1, 5]) * second
    policy.backoffBase = random.pick([0, 1, second, 2 * second])
    policy.maxStrikes = random.pick([1, 2, 5])
    policy.caps = [:]
    policy.defaultCap = random.chance(80) ? .immediate : .hourly
    let areAlike = random.chance(60)
    let types = 1 + random.below(4)
    for app in 0..<1 + random.below(24) {
      for type in 0..<types where areAlike || random.chance(70) {
        let isHourly = areAlike ? type == 1 : random.chance(20)
        policy.subscriptions.append(
          Policy.Subscription(
            app: "app \(app)", type: "type \(type)", frequency: isHourly ? .hourly : .immediate))
      }
    }
    return policy
  }

  private static func events(
    _ count: Int, _ policy: Policy, _ symbols: Symbols, using random: inout SplitMix64
  ) -> [Event] {
    let device = symbols.devices.intern("")
    let apps = (0..<25).map { symbols.apps.intern("app \($0)") }
    let types = (0..<5).map { symbols.types.intern("type \($0)") }
    let source = symbols.sources.intern("source")
    let answer = policy.behaviour.completesAfter ?? 0
    let othersInPercent = random.pick([0, 2, 10, 40])
    var now = random.pick([0, 0, -endOfTime, endOfTime - 10 * second])
    return (0..<count).map { _ in
      let step = random.pick([0, 0, 1, second / 2, second / 2, second, second, 2 * second, answer])
      let isJump = random.chance(2)
      now = min(now + (isJump ? random.pick([3_599, 3_600]) * second : step), endOfTime)
      let time = max(now - (random.chance(3) ? 5 * second : 0), -endOfTime)
      let type = random.pick(types)
      let input =
        if random.chance(othersInPercent) {
          other(of: random.pick(apps), type, at: now, using: &random)
        } else if random.chance(10) {
          Input.delete(type: type, source: source)
        } else {
          Input.save(Sample(type: type, source: source))
        }
      return Event(time: Timestamp(nanoseconds: time), device: device, input: input)
    }
  }

  private static func other(
    of app: App, _ type: SampleType, at time: Int64, using random: inout SplitMix64
  ) -> Input {
    random.pick([
      .complete(app: app, item: .everything, result: nil),
      .complete(app: app, item: .type(type), result: nil),
      .launch(app: app), .background(app: app), .background(app: app), .terminate(app: app),
      random.chance(30) ? .forceQuit(app: app) : .unlock,
      .push(app: app, Push(id: "push \(time)")),
      .refreshInterval(app: app, .minimum), .refreshInterval(app: app, .never),
      .refreshStatus(app: nil, .available), .refreshStatus(app: nil, .denied),
      .refreshStatus(app: app, .available), .refreshStatus(app: app, .denied),
      .lock, .unlock, .unlock, random.chance(20) ? .reboot : .unlock,
      .disable(app: app, type: type), .enable(app: app, type: type, frequency: .immediate),
      .network(isGood: true), .network(isGood: false),
    ])
  }
}
