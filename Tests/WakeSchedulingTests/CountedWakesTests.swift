import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("Wakes that are only counted")
struct CountedWakesTests {
  private let symbols = Symbols()

  /// At least 200 seeds of 2,000 inputs; the environment's `ROUSE_SEEDS` (`from..<to`) says others.
  @Test("are those that are told, whenever someone looks")
  func randomInputs() {
    for seed in RandomSeeds.orFirst(200) {
      if let failure = CountedRun.failure(seed: seed, inputs: 2_000) {
        Issue.record("\(failure)")
        return
      }
    }
  }

  @Test("are those that are told where apps answer while much happens")
  func answeringApps() {
    for seed in RandomSeeds.orFirst(100) {
      let given = AnsweringApps(seed: seed, count: 400)
      let failure = CountedRun.failure(given.events, given.policy, given.symbols, seed: seed)
      if let failure {
        Issue.record("\(failure)")
        return
      }
    }
  }

  @Test("are those of the worked cases", arguments: PackageFolder.cases)
  func cases(folder: String) throws {
    let given = try CaseFile.load(folder)
    // Each seed draws accelerations, batches that are taken by their counts, and times at which someone looks.
    for seed in 0..<16 as Range<UInt64> {
      let difference = CountedRun.difference(
        given.events, given.policy, given.symbols, seed: seed)
      #expect(difference == nil, "\(given.name), seed \(seed)")
    }
  }

  /// The inputs a second apart.
  private func events(_ inputs: [Input]) -> [Event] {
    inputs.enumerated().map { second, input in
      Event(
        time: Timestamp(nanoseconds: Int64(second) * 1_000_000_000), device: Device(index: 0),
        input: input)
    }
  }

  private func save(_ type: String) -> Input {
    .save(Sample(type: symbols.types.intern(type), source: symbols.sources.intern("source")))
  }

  @Test("are taken back for all apps that go together", arguments: 0..<3)
  func cohort(named: Int) {
    _ = symbols.devices.intern("")
    var policy = Policy.iOS
    // As an input comes; and some apps are woken again then, before the wakes of others end.
    policy.behaviour.completesAfter = 3_000_000_000
    policy.subscriptions = (0..<3).map { Policy.Subscription(app: "app \($0)", type: "type") }
    let app = symbols.apps.intern("app \(named)")
    for input: Input in [
      .complete(app: app, item: .everything, result: nil), .launch(app: app), .terminate(app: app),
      .reboot,
    ] {
      // Each seed draws accelerations.
      for seed in 0..<16 as Range<UInt64> {
        let difference = CountedRun.difference(
          events([save("type"), input] + Array(repeating: save("type"), count: 6)), policy, symbols,
          seed: seed)
        #expect(difference == nil, "\(input), seed \(seed): \(difference ?? "")")
      }
    }
  }

  @Test("are not counted ahead where a refresh may become possible")
  func refresh() {
    _ = symbols.devices.intern("")
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 10_000_000_000
    policy.minimumRefreshInterval = 1
    policy.subscriptions = [Policy.Subscription(app: "app", type: "type")]
    let app = symbols.apps.intern("app")
    let inputs: [Input] = [
      .refreshInterval(app: app, .minimum), .refreshStatus(app: nil, .denied),
      .complete(app: app, item: .everything, result: nil), save("type"),
      .refreshStatus(app: nil, .available), save("type"), save("type"),
    ]
    #expect(CountedRun.difference(events(inputs), policy, symbols) == nil)
  }

  @Test("are taken back where they carry a push and a refresh")
  func pushAndRefresh() {
    _ = symbols.devices.intern("")
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 10_000_000_000
    policy.minimumRefreshInterval = 3_000_000_000
    policy.pushLimit = 1
    policy.subscriptions = [Policy.Subscription(app: "app", type: "type")]
    let app = symbols.apps.intern("app")
    let ends: [Input] = [
      .complete(app: app, item: .push, result: nil),
      .complete(app: app, item: .refresh, result: nil),
      .complete(app: app, item: .everything, result: nil), .terminate(app: app),
      .forceQuit(app: app), .launch(app: app), .reboot, .refreshStatus(app: nil, .denied),
    ]
    for first in ends {
      for second in ends {
        let inputs: [Input] = [
          .network(isGood: false), .refreshInterval(app: app, .minimum), .lock, save("type"),
          .unlock, .network(isGood: true), .push(app: app, Push(id: "p")), first, second,
          .push(app: app, Push(id: "q")), save("type"), .background(app: app), save("type"),
        ]
        for seed in 0..<16 as Range<UInt64> {
          let difference = CountedRun.difference(events(inputs), policy, symbols, seed: seed)
          #expect(difference == nil, "\(first), \(second), seed \(seed)")
        }
      }
    }
  }
}
