package import Kernels
public import WakeEvents
public import WakeScheduling

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Holds a scheduler against the reference on random inputs.
public enum Differential {
  /// The result of a run: the wakes of all devices in the order of the wake log (rules, 7), and the summary.
  public typealias Outcome = (wakes: [(device: Device, wake: Wake)], summary: Summary)
  /// Runs events of any number of devices on the scheduler in question.
  public typealias Run = ([Event], Policy, Symbols) -> Outcome

  /// Compares both on the inputs of a seed.
  ///
  /// - Returns: nil if they agree; else the seed, the difference and the shrunk case, ready to be
  ///   pasted into files.
  public static func failure(seed: UInt64, inputs: Int, run: @escaping Run) -> String? {
    let given = RandomInputs(seed: seed, count: inputs)
    let symbols = given.symbols
    return shrunkFailure(given.events, given.policy, symbols, seed: seed) { events, policy in
      difference(
        of: run(events, policy, symbols),
        from: ReferenceScheduler.run(events: events, policy: policy, symbols: symbols), symbols)
    }
  }

  /// ``failure(seed:inputs:run:)`` of several runs, with one run of the reference, which takes longer than they do.
  ///
  /// - Parameter runs: What is held against the reference, by names for the failure.
  public static func failure(
    seed: UInt64, inputs: Int, runs: [(name: String, run: Run)]
  ) -> String? {
    let given = RandomInputs(seed: seed, count: inputs)
    let symbols = given.symbols
    let reference = ReferenceScheduler.run(
      events: given.events, policy: given.policy, symbols: symbols)
    for (name, run) in runs {
      let outcome = run(given.events, given.policy, symbols)
      guard difference(of: outcome, from: reference, symbols) != nil else { continue }
      return "\(name): " + (failure(seed: seed, inputs: inputs, run: run) ?? "only once")
    }
    return nil
  }

  /// The first difference from the reference, in words, of runs on a processor path that take all events as columns at once; nil
  /// if there is none.
  package static func difference(
    ofColumns events: [Event], _ policy: Policy, _ symbols: Symbols, on path: ProcessorPath
  ) -> String? {
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    for feeding in [SchedulerRun.Feeding.whole, .assured, .assuredInParts] {
      var hasher = WakeHasher()
      hasher.path = path
      let outcome = SchedulerRun.run(
        events: events, policy: policy, symbols: symbols, feeding: feeding, accelerations: .all,
        hasher: hasher)
      if let difference = difference(of: outcome, from: expected, symbols) {
        return "\(feeding): \(difference)"
      }
    }
    return nil
  }

  /// The first difference in words, or nil.
  public static func difference(
    of outcome: Outcome, from reference: Outcome, _ symbols: Symbols
  ) -> String? {
    for (number, (wake, expected)) in zip(outcome.wakes, reference.wakes).enumerated()
    where !areEqual(wake, expected) {
      return """
        wake \(number + 1) is number \(wake.wake.number) \(text(wake, symbols))
        in the reference it is number \(expected.wake.number) \(text(expected, symbols))
        """
    }
    if outcome.wakes.count != reference.wakes.count {
      let all = outcome.wakes.count < reference.wakes.count ? reference.wakes : outcome.wakes
      let first = all[min(outcome.wakes.count, reference.wakes.count)]
      return """
        \(outcome.wakes.count) wakes, in the reference \(reference.wakes.count); \
        the first of the others is \(text(first, symbols))
        """
    }
    let summary = JSONValue.summaryObject(outcome.summary)
    let expected = JSONValue.summaryObject(reference.summary)
    if summary != expected { return "summary \(summary.text)\nin the reference \(expected.text)" }
    return nil
  }

  private static func text(
    _ wake: (device: Device, wake: Wake), _ symbols: Symbols
  ) -> String {
    JSONValue.wakeLine(wake.wake, device: wake.device, symbols: symbols).text
  }

  private static func areEqual(
    _ left: (device: Device, wake: Wake), _ right: (device: Device, wake: Wake)
  ) -> Bool {
    let (one, other) = (left.wake, right.wake)
    return left.device == right.device && one.number == other.number && one.time == other.time
      && one.app == other.app && one.types == other.types && one.saves == other.saves
      && one.oldest == other.oldest
      && one.push.map(ExactName.init) == other.push.map(ExactName.init)
      && one.refresh == other.refresh && one.outcome == other.outcome && one.end == other.end
  }
}

/// The seeds that random tests run: those of the environment's `ROUSE_SEEDS`, `from..<to`, or few.
public enum RandomSeeds {
  /// The seeds of the environment; else `0 ..< count`.
  public static func orFirst(_ count: UInt64) -> Range<UInt64> {
    guard let text = unsafe getenv("ROUSE_SEEDS").map({ unsafe String(cString: $0) }) else {
      return 0..<count
    }
    let bounds = text.split(separator: "..<").compactMap { UInt64($0) }
    guard bounds.count == 2, bounds[0] < bounds[1] else {
      preconditionFailure("ROUSE_SEEDS is '\(text)', and should be like 0..<200")
    }
    return bounds[0]..<bounds[1]
  }
}
