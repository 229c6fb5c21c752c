import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The reference scheduler held against itself and against planted faults")
struct ReferenceChecksTests {
  @Test("has timers that agree with the conditions of rule 6.1", arguments: 0..<20 as Range<UInt64>)
  func timers(seed: UInt64) {
    let given = RandomInputs(seed: seed, count: 300)
    let device = given.symbols.devices.intern("")
    var reference = ReferenceScheduler(policy: given.policy, symbols: given.symbols, device: device)
    for (place, event) in given.events.enumerated() {
      reference.take(event.input, at: event.time)
      if let fault = reference.fault() {
        Issue.record("seed \(seed), after input \(place + 1): \(fault)")
        return
      }
    }
  }

  @Test("has the digest that the product's hash adds up to", arguments: 0..<5 as Range<UInt64>)
  func digest(seed: UInt64) {
    let given = RandomInputs(seed: seed, count: 500)
    let symbols = given.symbols
    let (wakes, summary) = ReferenceScheduler.run(
      events: given.events, policy: given.policy, symbols: symbols)
    var sum: UInt64 = 0
    for (device, wake) in wakes {
      var hash = WakeHash()
      hash.combine(NameHash.device(symbols.devices.name(of: device)))
      hash.combine(Int64(wake.number))
      hash.combine(wake.time.nanoseconds)
      hash.combine(symbols.apps.hash(of: wake.app))
      hash.combine(wake.types.reduce(0 as UInt64) { $0 &+ symbols.types.hash(of: $1) })
      hash.combine(Int64(wake.saves))
      hash.combine(wake.oldest?.nanoseconds ?? 0)
      hash.combine(wake.push.map { NameHash.of($0) } ?? 0)
      hash.combine(wake.refresh ? 1 : 0 as UInt64)
      hash.combine(UInt64(wake.outcome.rawValue))
      hash.combine(wake.end?.nanoseconds ?? 0)
      sum &+= hash.value
    }
    #expect(Digest(value: sum) == summary.digest, "seed \(seed)")
  }

  /// A scheduler that has one parameter wrong stands for one with a fault.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let plant: @Sendable (inout Policy) -> Void

    init(_ description: String, _ plant: @escaping @Sendable (inout Policy) -> Void) {
      testDescription = description
      self.plant = plant
    }
  }

  static let faults = [
    Fault("one strike more") { $0.maxStrikes += 1 },
    Fault("a nanosecond until a wake expires") { $0.completionTimeout += 1 },
    Fault("a nanosecond of backoff") { $0.backoffBase += 1 },
    Fault("a factor") { $0.backoffFactor += 0.1 },
    Fault("a longest delay a nanosecond longer") { $0.backoffMax += 1 },
    Fault("one push more") { $0.pushLimit += 1 },
    Fault("a push window a nanosecond longer") { $0.pushWindow += 1 },
    Fault("a refresh a nanosecond later") { $0.minimumRefreshInterval += 1 },
    Fault("a budget window a nanosecond longer") { $0.budget?.window += 1 },
    Fault("one wake more within the budget") { $0.budget?.limit += 1 },
    Fault("one wake more without complication") { $0.budget?.limitWithoutComplication += 1 },
    Fault("force-quit that blocks or not") { $0.forceQuitBlocksHealth.toggle() },
    Fault("a lock that blocks or not") { $0.lockBlocksHealth.toggle() },
    Fault("always for launch") { if $0.carry == .launch { $0.carry = .always } },
    Fault("due for launch") { if $0.carry == .launch { $0.carry = .due } },
    Fault("a cold start a nanosecond longer") { $0.behaviour.coldStart += 1 },
    Fault("an answer a nanosecond later") { $0.behaviour.completesAfter? += 1 },
  ]

  @Test("is told from one with a fault, by few seeds and with few inputs left", arguments: faults)
  func findsPlanted(fault: Fault) throws {
    for seed in 0..<100 as Range<UInt64> {
      let failure = Differential.failure(seed: seed, inputs: 300) { events, policy, symbols in
        var faulty = policy
        fault.plant(&faulty)
        return ReferenceScheduler.run(events: events, policy: faulty, symbols: symbols)
      }
      guard let failure else { continue }
      let lines = failure.split(separator: "\n").filter { $0.hasPrefix("{\"t\"") }.count
      #expect(0 < lines && lines <= 12, "\(fault.testDescription): \(failure)")
      return
    }
    Issue.record("no seed finds \(fault.testDescription)")
  }
}
