import Measurement
import Synchronization
import WakeEvents
package import WakeScheduling
package import WakeTrace

/// A policy of a sweep.
package struct SweptPolicy: Sendable {
  /// The values of the parameters, as they were given.
  package var values: [String]
  package var policy: Policy

  package init(values: [String], policy: Policy) {
    self.values = values
    self.policy = policy
  }
}

/// Replays traces under many policies: each block is decoded once for all of them, and what is proved to be the same is not
/// replayed (``RowProof``).
package struct Sweep {
  package struct Options: Sendable {
    package var threads = 1
    /// The part of the devices that is swept, chosen by the hashes of their names.
    package var sample = 1.0
    /// Whether rows are left out that are proved to be like another.
    package var proves = true
    package var accelerations = Accelerations.all

    package init() {}
  }

  private let files: [TraceFile]
  private let parameters: [String]
  private let policies: [SweptPolicy]
  private let options: Options

  /// Makes a sweep.
  ///
  /// - Parameters:
  ///   - parameters: The paths of what differs.
  ///   - policies: At least one.
  package init(
    files: [TraceFile], parameters: [String], policies: [SweptPolicy], options: Options
  ) {
    self.files = files
    self.parameters = parameters
    self.policies = policies
    self.options = options
  }

  /// A row that has been replayed.
  private struct Replayed {
    let row: Int
    let box: SweepRound.TallyBox
  }

  private final class Counter: Sendable {
    let events = Atomic(0)
  }

  /// Sweeps.
  ///
  /// - Parameter progress: Called after each block with the events done, all passes together.
  /// - Throws: `TraceError` for damage.
  /// - Complexity: O(events × different rows). Memory grows with the rows and, for each, with the devices and their apps.
  package func run(
    progress: (@Sendable (_ done: Int) -> Void)? = nil
  ) throws(TraceError) -> SweepResult {
    let begin = MonotonicClock.now()
    let done = Counter()
    let progress = progress.map { progress in
      { @Sendable (events: Int) in progress(done.events.add(events, ordering: .relaxed).newValue) }
    }
    let index = try TraceIndex(files: files)
    let all = policies.map(\.policy)
    let setting = SweepRound.Setting(
      index: index, symbols: Symbols(),
      isSwept: index.devices.map { Self.isSampled($0.hash, options.sample) },
      windows: options.proves ? .asked(by: all) : SweptWindows(),
      accelerations: options.accelerations)
    var plan = SweepPlan(all, proves: options.proves)
    var boxes: [SweepRound.TallyBox?] = all.map { _ in nil }
    var cost = SweepResult.Cost()
    var (devices, deviceTime) = (0, Int128(0))
    var facts = InputFacts()
    while case let rows = plan.next(), !rows.isEmpty {
      let round = SweepRound(
        setting, rows.map { all[$0] }, threads: options.threads, progress: progress)
      let outcome = try round.run()
      (devices, deviceTime, facts) = (outcome.devices, outcome.deviceTime, outcome.facts)
      cost.rounds += 1
      cost.replayed += rows.count
      cost.decodeTime += outcome.decodeTime
      cost.scheduleTime += outcome.scheduleTime
      let types = setting.symbols.types
      let names = (0..<types.count).map { types.name(of: SampleType(index: UInt32($0))) }
      for (place, row) in rows.enumerated() {
        boxes[row] = outcome.tallies[place]
        plan.add(row, outcome.tallies[place].tally.witness, facts, types: names)
      }
    }
    let bound = SweepBound(setting, all, boxes, facts: facts, threads: options.threads)
    try bound.run()
    cost.boundTime = bound.time
    let replayed = boxes.indices.map { row in
      boxes[row].map { Self.row(policies[row].values, $0.tally, bound.leastBehind(row)) }
    }
    let rows = policies.indices.compactMap { place -> SweepResult.Row? in
      guard let proof = plan.proofs[place] else { return replayed[place] }
      var row = replayed[proof.row]
      row?.values = policies[place].values
      row?.proof = proof
      return row
    }
    var result = SweepResult(
      traces: files.map(\.name), parameters: parameters, rows: rows,
      devicesInAll: index.devices.count, devices: devices,
      deviceDays: Double(deviceTime) / 86_400e9, curve: bound.curve, cost: cost)
    result.rank()
    result.cost.elapsed = MonotonicClock.now() - begin
    return result
  }

  private static func row(
    _ values: [String], _ tally: borrowing SweepTally, _ leastBehind: Int128
  ) -> SweepResult.Row {
    let (waited, unlocked) = tally.wakes.spreads()
    var summary = tally.summary
    summary.stoppedApps.sort { $0.precedes($1) }
    return SweepResult.Row(
      values: values, summary: summary, waited: waited, waitedUnlocked: unlocked,
      behind: tally.behind, leastBehind: leastBehind)
  }

  /// Whether a device is in a sample. The hash is mixed, so that its upper bits depend on all of them.
  static func isSampled(_ hash: UInt64, _ fraction: Double) -> Bool {
    guard fraction < 1 else { return true }
    var mixed = WakeHash()
    mixed.combine(hash)
    return Double(mixed.value >> 11) < fraction * 0x1p53
  }
}

extension SweptWindows {
  /// The windows by which policies differ in what a window allows.
  static func asked(by policies: [Policy]) -> SweptWindows {
    var windows = SweptWindows()
    if Set(policies.map(\.budget)).count > 1 {
      windows.budget = Set(policies.compactMap(\.budget?.window)).sorted()
    }
    if Set(policies.map { [Int64($0.pushLimit), $0.pushWindow] }).count > 1 {
      windows.push = Set(policies.map(\.pushWindow)).sorted()
    }
    return windows
  }
}
