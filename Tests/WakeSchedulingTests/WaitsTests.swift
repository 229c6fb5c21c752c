import Kernels
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("Why wakes came no sooner")
struct WaitsTests {
  @Test(
    "is told as the worked cases tell it",
    arguments: PackageFolder.cases, SchedulerRun.Feeding.allCases)
  func cases(folder: String, feeding: SchedulerRun.Feeding) throws {
    let given = try CaseFile.load(folder)
    for accelerations in Accelerations.bisecting {
      let lines = lines(
        given.events, given.policy, given.symbols, feeding: feeding, accelerations: accelerations)
      let difference = WaitRun.difference(lines, from: given.waits)
      #expect(
        difference == nil,
        "\(given.name), \(feeding), \(accelerations.names): \(difference ?? "")")
    }
  }

  @Test("is told by the reference as the worked cases tell it", arguments: PackageFolder.cases)
  func referenceCases(folder: String) throws {
    let given = try CaseFile.load(folder)
    let lines = reference(given.events, given.policy, given.symbols)
    let difference = WaitRun.difference(lines, from: given.waits)
    #expect(difference == nil, "\(given.name): \(difference ?? "")")
  }

  @Test("is told as the reference tells it", arguments: 0..<4 as Range<UInt64>)
  func random(quarter: UInt64) {
    for seed in RandomSeeds.orFirst(200) where seed % 4 == quarter {
      var random = SplitMix64(seed: seed ^ 0x9EA5_0175)
      let accelerations = Accelerations.drawn(by: &random)
      let reportsEnds = Bool.random(using: &random)
      let given = RandomInputs(seed: seed, count: 400)
      let symbols = given.symbols
      // Once, as it takes longer than what is held against it.
      let expected = reference(given.events, given.policy, symbols)
      for feeding in SchedulerRun.Feeding.allCases {
        func told(_ events: [Event], _ policy: Policy) -> [JSONValue] {
          lines(
            events, policy, symbols, feeding: feeding, accelerations: accelerations,
            reportsEnds: reportsEnds)
        }
        guard
          let difference = WaitRun.difference(told(given.events, given.policy), from: expected)
        else { continue }
        let failure = shrunkFailure(given.events, given.policy, symbols, seed: seed) {
          WaitRun.difference(told($0, $1), from: reference($0, $1, symbols))
        }
        Issue.record(
          "\(feeding), accelerations \(accelerations.names): \(failure ?? difference)")
        return
      }
    }
  }

  @Test("is told of what ends without a wake as the reference tells it")
  func dropped() {
    var endings: Set<String> = []
    for seed in RandomSeeds.orFirst(200) {
      let given = RandomInputs(seed: seed, count: 400)
      let symbols = given.symbols
      func differing(_ events: [Event], _ policy: Policy) -> String? {
        let told = WaitRun.reports(
          events: events, policy: policy, symbols: symbols, feeding: .whole, accelerations: .all
        ).filter { $0.wait.wake == nil && $0.wait.ending != nil }
        let expected = ReferenceScheduler.waitLog(
          events: events, policy: policy, symbols: symbols, isDropped: true)
        endings.formUnion(expected.compactMap(\.wait.ending))
        // A refresh is found to be overdue no more at the next input.
        return difference(
          told.map { line in
            (WaitRun.line(line.wait, device: line.device, symbols: symbols), line.wait.ending?.word)
          },
          expected.map { ($0.wait.line(device: $0.device, symbols: symbols), $0.wait.ending) })
      }
      let failure = shrunkFailure(
        given.events, given.policy, symbols, seed: seed, difference: differing)
      if let failure {
        Issue.record("\(failure)")
        return
      }
    }
    #expect(endings == Set(Wait.Ending.allCases.map(\.word)))
  }

  private func difference(
    _ told: [(JSONValue, String?)], _ expected: [(JSONValue, String?)]
  ) -> String? {
    let told = told.map { "\($0.1 ?? "") \($0.0.text)" }.sorted()
    let expected = expected.map { "\($0.1 ?? "") \($0.0.text)" }.sorted()
    for (line, other) in zip(told, expected) where line != other {
      return "\(line), should be \(other)"
    }
    return told.count == expected.count
      ? nil : "\(told.count) waits without a wake, should be \(expected.count)"
  }

  @Test("gives a reason for every instant, and counts what came back once")
  func everyInstant() {
    for seed in RandomSeeds.orFirst(300) {
      let given = RandomInputs(seed: seed, count: 400)
      let symbols = given.symbols
      let failure = shrunkFailure(given.events, given.policy, symbols, seed: seed) {
        let reports = WaitRun.reports(
          events: $0, policy: $1, symbols: symbols, feeding: .whole, accelerations: .all)
        return brokenRule(reports, symbols)
      }
      if let failure {
        Issue.record("\(failure)")
        return
      }
    }
  }

  @Test("changes no wake")
  func changesNothing() {
    for seed in 0..<20 as Range<UInt64> {
      let given = RandomInputs(seed: seed, count: 400)
      for (device, events) in SchedulerRun.byDevice(given.events) {
        let name = given.symbols.devices.name(of: device)
        var digests: [Digest] = []
        for (observes, reportsEnds) in [(false, true), (true, true), (true, false)] {
          var hasher = WakeHasher()
          var scheduler = SchedulerCore(
            policy: given.policy, symbols: given.symbols, device: name,
            accelerations: .all.subtracting(.cohorts))
          scheduler.reportsEnds = reportsEnds
          if observes { scheduler.observeWaits { _, _ in } }
          for event in events { scheduler.take(event.input, at: event.time, &hasher) { _, _ in } }
          scheduler.close(&hasher) { _, _ in }
          var digest = Digest()
          digest.value = hasher.takeDigest()
          digests.append(digest)
        }
        #expect(Set(digests).count == 1, "seed \(seed)")
      }
    }
  }

  private func lines(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols, feeding: SchedulerRun.Feeding,
    accelerations: Accelerations, reportsEnds: Bool = false
  ) -> [JSONValue] {
    WaitRun.reports(
      events: events, policy: policy, symbols: symbols, feeding: feeding,
      accelerations: accelerations, reportsEnds: reportsEnds
    ).filter { $0.phase == .logged }
      .map { WaitRun.line($0.wait, device: $0.device, symbols: symbols) }
  }

  private func reference(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols
  ) -> [JSONValue] {
    ReferenceScheduler.waitLog(events: events, policy: policy, symbols: symbols)
      .map { $0.wait.line(device: $0.device, symbols: symbols) }
  }

  /// What of rule 9 is broken whatever the inputs, in words, or nil.
  private func brokenRule(_ reports: [WaitRun.Report], _ symbols: Symbols) -> String? {
    var logged: [JSONValue: Int] = [:]
    for (device, phase, wait) in reports {
      let line = WaitRun.line(wait, device: device, symbols: symbols)
      if wait.stretches.contains(where: { $0.reasons.isEmpty }) { return "no reason: \(line.text)" }
      if wait.stretches.contains(where: { $0.nanoseconds <= 0 }) { return "empty: \(line.text)" }
      if wait.stretches.reduce(0, { $0 + $1.nanoseconds }) != wait.until - wait.since {
        return "the stretches do not add up: \(line.text)"
      }
      for (one, next) in zip(wait.stretches, wait.stretches.dropFirst())
      where one.reasons == next.reasons {
        return "stretches are not joined: \(line.text)"
      }
      for stretch in wait.stretches
      where stretch.reasons.contains(.unanswered) && stretch.reasons.count > 1 {
        return "unanswered is not alone: \(line.text)"
      }
      switch phase {
      case .logged: logged[line, default: 0] += 1
      case .over where wait.wake == nil && wait.ending != nil: break
      case .over:
        logged[line, default: 0] -= 1
        if logged[line, default: 0] < 0 { return "over without being logged: \(line.text)" }
      }
    }
    return nil
  }
}
