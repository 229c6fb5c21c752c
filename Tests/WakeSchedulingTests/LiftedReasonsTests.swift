import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("What if a reason never held")
struct LiftedReasonsTests {
  @Test("moves the wakes to the times that the page implies", arguments: LiftedExample.all)
  func example(_ example: LiftedExample) throws {
    let symbols = Symbols()
    let lines = example.inputs.map { #"{"t":\#($0.0)000000000,\#($0.1)}"# }
    let events = try EventReader.events(
      ofLines: lines.joined(separator: "\n"), symbols: symbols)
    let policy = try PolicyReader.policy(of: example.policy)
    func wakes(_ policy: Policy) -> [Int64] {
      SchedulerRun.run(events: events, policy: policy, symbols: symbols, feeding: .oneByOne)
        .wakes.map { $0.wake.time.nanoseconds / 1_000_000_000 }
    }
    let lifted = policy.without(WaitReasons(example.reason))
    #expect(wakes(policy) == example.wakes.map(Int64.init))
    #expect(wakes(lifted) == example.wakesWithout.map(Int64.init))
    #expect(reasons(events, policy, symbols).contains(example.reason))
    #expect(!reasons(events, lifted, symbols).contains(example.reason))
  }

  @Test("There is an example of each reason that can be lifted, and nothing lifted is the policy")
  func complete() {
    #expect(LiftedExample.all.map(\.reason) == WaitReason.liftable)
    #expect(Policy.watchOS.without(WaitReasons()) == Policy.watchOS)
    #expect(Policy.watchOS.without(WaitReasons(.budget)) != Policy.watchOS)
  }

  @Test("gives the wakes and waits of the reference, in which the reasons never hold")
  func random() {
    for seed in RandomSeeds.orFirst(80) {
      var random = SplitMix64(seed: seed ^ 0x11F7_ED)
      let accelerations = Accelerations.drawn(by: &random)
      var lifted = WaitReasons()
      for _ in 0...random.below(3) { lifted.insert(random.pick(WaitReason.liftable)) }
      // Without these two an app that never answers is woken again and again.
      let isEndless = lifted.contains(.stopped) && lifted.contains(.backoff)
      if isEndless { lifted = WaitReasons(.stopped, .period) }
      let given = RandomInputs(seed: seed, count: 400)
      let symbols = given.symbols
      let failure = shrunkFailure(given.events, given.policy, symbols, seed: seed) {
        events, policy in
        var policy = policy
        if lifted.contains(.stopped) {
          (policy.backoffBase, policy.backoffFactor) = (60_000_000_000, 3)
          policy.backoffMax = Policy.iOS.backoffMax
        }
        let edited = policy.without(lifted)
        if lifted.contains(where: reasons(events, edited, symbols).contains) {
          return "the wait log names a reason that is lifted"
        }
        let words = Set(lifted.map(\.word))
        let lines = WaitRun.reports(
          events: events, policy: edited, symbols: symbols, feeding: .batched,
          accelerations: accelerations
        ).filter { $0.phase == .logged }
          .map { WaitRun.line($0.wait, device: $0.device, symbols: symbols) }
        let expected = ReferenceScheduler.waitLog(
          events: events, policy: policy, symbols: symbols, without: words
        ).map { $0.wait.line(device: $0.device, symbols: symbols) }
        return WaitRun.difference(lines, from: expected)
          ?? Differential.difference(
            of: SchedulerRun.run(
              events: events, policy: edited, symbols: symbols, feeding: .whole,
              accelerations: accelerations, hasher: WakeHasher()),
            from: ReferenceScheduler.run(
              events: events, policy: policy, symbols: symbols, without: words), symbols)
      }
      if let failure {
        let words = lifted.map(\.word).joined(separator: ",")
        Issue.record("without \(words), accelerations \(accelerations.names): \(failure)")
        return
      }
    }
  }

  @Test("takes words")
  func words() throws {
    #expect(
      try WaitReasons(lifting: "period,lock,budget") == WaitReasons(.budget, .locked, .period))
    for (text, message) in [
      ("", "'' is not a reason that can be lifted: use words"),
      ("period,", "'' is not a reason"), ("Budget", "'Budget' is not a reason"),
      ("foreground", "foreground cannot be lifted, as nothing wakes an app that is there; use "),
    ] {
      let error = #expect(throws: UnliftableReason.self) { try WaitReasons(lifting: text) }
      #expect(error?.description.hasPrefix(message) == true, "\(text)")
    }
  }

  /// The reasons that a wait log names.
  private func reasons(_ events: [Event], _ policy: Policy, _ symbols: Symbols) -> Set<WaitReason> {
    let reports = WaitRun.reports(
      events: events, policy: policy, symbols: symbols, feeding: .whole, accelerations: [])
    return Set(reports.flatMap { $0.wait.stretches.flatMap { Array($0.reasons) } })
  }
}

/// Inputs in which one reason keeps a wake back, and the times of the wakes, in seconds.
struct LiftedExample: CustomTestStringConvertible {
  let reason: WaitReason
  var policy = "{}"
  /// Time in seconds, and the other members.
  let inputs: [(Int, String)]
  let wakes: [Int]
  let wakesWithout: [Int]

  var testDescription: String { reason.word }
}

extension LiftedExample {
  private static let enable = #""k":"enable","app":"a","type":"T","frequency":"immediate""#
  private static let save = #""k":"save","type":"T","source":"S""#
  private static let complete = #""k":"complete","app":"a""#
  private static let interval = #""k":"refreshInterval","app":"a","interval":900"#
  private static let end = #""k":"background","app":"a""#
  private static func push(_ id: Int) -> String { #""k":"push","app":"a","id":"\#(id)""# }
  private static let answers = #"{"behaviour":{"completesAfter":1}}"#

  static let all = [
    // Wakes expire after 30 s; backoffs of 60 s and 120 s, but none after the third strike.
    Self(
      reason: .stopped, inputs: [(0, enable), (0, save), (2_000, end)],
      wakes: [0, 90, 240], wakesWithout: [0, 90, 240, 510, 1_020]),
    Self(
      reason: .forceQuit, policy: answers,
      inputs: [(0, enable), (10, #""k":"forceQuit","app":"a""#), (20, save), (30, end)],
      wakes: [], wakesWithout: [20]),
    Self(
      reason: .locked, policy: answers,
      inputs: [(0, enable), (10, #""k":"reboot""#), (20, save), (50, #""k":"unlock""#), (60, end)],
      wakes: [50], wakesWithout: [20]),
    Self(
      reason: .budget,
      policy:
        #"{"budget":{"window":3600,"limit":1,"limitWithoutComplication":1},"behaviour":{"completesAfter":1}}"#,
      inputs: [(0, enable), (0, save), (600, save), (4_000, end)],
      wakes: [0, 3_600], wakesWithout: [0, 600]),
    Self(
      reason: .backoff, inputs: [(0, enable), (0, save), (80, end)],
      wakes: [0], wakesWithout: [0, 30, 60]),
    Self(
      reason: .period,
      policy: #"{"caps":{"T":"hourly"},"behaviour":{"completesAfter":1}}"#,
      inputs: [(0, enable), (0, save), (600, save), (4_000, end)],
      wakes: [0, 3_600], wakesWithout: [0, 600]),
    Self(
      reason: .throttle, policy: #"{"pushLimit":1,"behaviour":{"completesAfter":1}}"#,
      inputs: [(0, push(1)), (60, push(2)), (4_000, end)],
      wakes: [0, 3_600], wakesWithout: [0, 60]),
    Self(
      reason: .status, policy: answers,
      inputs: [
        (0, interval), (10, #""k":"refreshStatus","app":"a","status":"denied""#),
        (1_000, #""k":"refreshStatus","app":"*","status":"available""#), (1_100, end),
      ],
      wakes: [1_000], wakesWithout: [900]),
    Self(
      reason: .network, policy: answers,
      inputs: [
        (0, interval), (10, #""k":"network","good":false"#), (1_000, #""k":"network","good":true"#),
        (1_100, end),
      ],
      wakes: [1_000], wakesWithout: [900]),
    Self(
      reason: .power, policy: answers,
      inputs: [
        (0, interval), (10, #""k":"power","good":false"#), (1_000, #""k":"power","good":true"#),
        (1_100, end),
      ],
      wakes: [1_000], wakesWithout: [900]),
    // The first wake is in flight until it is answered.
    Self(
      reason: .inFlight, inputs: [(0, enable), (0, save), (5, save), (20, complete), (25, end)],
      wakes: [0, 20], wakesWithout: [0, 5]),
    // The save comes back from the first wake; without, only the second save wakes.
    Self(
      reason: .unanswered,
      inputs: [(0, enable), (0, save), (50, save), (200, complete), (300, end)],
      wakes: [0, 90, 240], wakesWithout: [0, 50]),
  ]
}
