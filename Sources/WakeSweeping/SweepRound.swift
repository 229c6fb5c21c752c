import Glibc
import Measurement
import Synchronization
import WakeEvents
import WakeScheduling
import WakeTrace

/// A pass over a trace in which each block is decoded once and fed to the schedulers of many policies.
///
/// Each of T threads has a T-th of the policies. T blocks at a time are decoded, each by one thread; then every thread feeds
/// them to its policies.
final class SweepRound: Sendable {
  /// What threads have in common.
  struct Setting: Sendable {
    let index: TraceIndex
    let symbols: Symbols
    /// Whether each device is swept, by its index.
    let isSwept: [Bool]
    let windows: SweptWindows
    let accelerations: Accelerations
  }

  /// What a round has found.
  struct Outcome: Sendable {
    /// By policy, in the order given.
    var tallies: [TallyBox] = []
    var facts = InputFacts()
    /// The devices that were swept, and their times from first to last input, in nanoseconds.
    var devices = 0
    var deviceTime: Int128 = 0
    /// Nanoseconds of all threads.
    var decodeTime: UInt64 = 0
    var scheduleTime: UInt64 = 0
  }

  /// A policy's tally, which only one thread changes.
  final class TallyBox: @unchecked Sendable {
    var tally: SweepTally
    init(_ tally: consuming SweepTally) { self.tally = tally }
  }

  /// Takes the gains of a device; called by one thread at a time for a policy.
  typealias GainSink = @Sendable (_ policy: Int, _ place: Int, [AppGains]) -> Void

  let setting: Setting
  let policies: [Policy]
  let gainSink: GainSink?
  let threads: Int
  /// The blocks to decode: those with a swept device that needs no merging.
  let blocks: [Int]
  let barrier: PhaseBarrier
  let slots: [Slot]
  /// Whether all threads have been started.
  private let isComplete = Mutex(false)
  private let failure = Mutex<TraceError?>(nil)
  private let outcomes: Mutex<[Outcome?]>
  private let progress: (@Sendable (_ events: Int) -> Void)?

  /// A decoded block; one thread writes it, then all read it.
  final class Slot: @unchecked Sendable {
    var decoded = DecodedBlock()
  }

  init(
    _ setting: Setting, _ policies: [Policy], threads: Int, gainSink: GainSink? = nil,
    progress: (@Sendable (_ events: Int) -> Void)? = nil
  ) {
    self.setting = setting
    self.policies = policies
    self.gainSink = gainSink
    self.threads = max(1, min(threads, policies.count))
    self.progress = progress
    let index = setting.index
    blocks = index.blocks.indices.filter { place in
      index.blocks[place].devices.contains { device in
        device >= 0 && setting.isSwept[Int(device)] && !index.needsMerge(Int(device))
      }
    }
    barrier = PhaseBarrier(threads: self.threads)
    slots = (0..<self.threads).map { _ in Slot() }
    outcomes = Mutex((0..<self.threads).map { _ in nil })
  }

  /// Replays everything under every policy.
  func run() throws(TraceError) -> Outcome {
    // Threads wait for each other at the barrier, so either all begin or none.
    let others = isComplete.withLock { isComplete in
      let others = (1..<threads).map { thread in
        SystemCalls.startThread { [self] in
          if self.isComplete.withLock({ $0 }) { work(thread) }
        }
      }
      isComplete = !others.contains { $0 == nil }
      return others
    }
    if isComplete.withLock({ $0 }) { work(0) }
    for case let thread? in others { pthread_join(thread, nil) }
    guard isComplete.withLock({ $0 }) else {
      // The system refuses a thread.
      return try SweepRound(setting, policies, threads: 1, gainSink: gainSink, progress: progress)
        .run()
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return merged()
  }

  private func merged() -> Outcome {
    outcomes.withLock { outcomes in
      var merged = Outcome()
      for place in policies.indices {
        let (thread, row) = (place % threads, place / threads)
        if let box = outcomes[thread]?.tallies[row] { merged.tallies.append(box) }
      }
      // Every thread has seen every input.
      merged.facts = outcomes[0]?.facts ?? InputFacts()
      merged.devices = outcomes[0]?.devices ?? 0
      merged.deviceTime = outcomes[0]?.deviceTime ?? 0
      for thread in 0..<threads {
        merged.decodeTime += outcomes[thread]?.decodeTime ?? 0
        merged.scheduleTime += outcomes[thread]?.scheduleTime ?? 0
      }
      return merged
    }
  }

  private func work(_ thread: Int) {
    var worker = SweepWorker(self, thread)
    worker.run()
    let outcome = worker.finish()
    outcomes.withLock { $0[thread] = outcome }
  }

  var hasFailed: Bool { failure.withLock { $0 != nil } }

  func fail(_ error: TraceError) {
    failure.withLock { if $0 == nil { $0 = error } }
  }

  func reportDone(_ events: Int) { progress?(events) }
}
