import CProbes
import Glibc
import Measurement
import Synchronization
import WakeEvents
import WakeScheduling
import WakeTrace

/// One replay in progress. Threads claim blocks, decode them, and apply each to its devices.
final class ReplayRun: Sendable {
  let index: TraceIndex
  let shared: ReplayShared
  /// The same for each other policy.
  let others: [ReplayShared]
  /// What is counted under the other policies. Threads add theirs under the lock of ``finished``.
  let otherTallies: [PolicyTally]
  private let progress: (@Sendable (Int, Int) -> Void)?
  /// The blocks that threads have claimed.
  let claims: Mutex<BlockClaims>
  private let eventsDone = Atomic(0)
  /// The tallies of other threads that have finished; nil before the first, as a tally takes a megabyte.
  private let finished = Mutex<ReplayTally?>(nil)
  /// Signalled when a device is returned, or the replay fails.
  let progressSignal = ProgressSignal()
  /// The devices whose events are spread over several blocks, by ``TraceIndex/spread(of:)``.
  let devices: Mutex<[DeviceProgress]>
  /// The error that ends the replay.
  private let failure = Mutex<TraceError?>(nil)
  /// Damaged blocks by their first event, as a merged device may read the same block again; without the error if another
  /// shard tells it.
  private let damagedBlocks = Mutex<[Int: (error: TraceError?, events: Int)]>([:])

  init(
    index: TraceIndex, shared: ReplayShared, others: [ReplayShared] = [],
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
  ) {
    self.index = index
    self.shared = shared
    self.others = others
    otherTallies = others.map { _ in PolicyTally() }
    self.progress = progress
    claims = Mutex(Self.makeClaims(of: index, shared))
    devices = Mutex(Array(repeating: DeviceProgress(), count: index.spreadCount))
  }

  /// The damage in skipped blocks, in event order.
  var damages: [TraceError] {
    damagedBlocks.withLock { $0 }.sorted { $0.key < $1.key }.compactMap(\.value.error)
  }
  /// The events of wanted devices in damaged blocks, according to their headers.
  var damagedEvents: Int { damagedBlocks.withLock { $0.values.reduce(0) { $0 + $1.events } } }

  /// Replays every block, then the devices whose streams must be merged.
  func replayAll(tally: inout ReplayTally) throws(TraceError) {
    let threads = (1..<max(1, shared.options.threads)).compactMap { _ in
      SystemCalls.startThread { [self] in
        var tally = ReplayTally()
        replayBlocks(&tally)
        tally.finishDigest()
        handOver(tally)
      }
    }
    // Does the work of threads that the system refuses, too.
    replayBlocks(&tally)
    for thread in threads { pthread_join(thread, nil) }
    if let finished = finished.withLock({ $0.take() }) { tally.add(finished) }
    if let failure = failure.withLock({ $0 }) { throw failure }
    var blocks: BlockCache?
    for place in index.devices.indices where index.needsMerge(place) && shared.replays(place) {
      let cache = blocks ?? makeCache()
      blocks = cache
      try replayMerged(place, from: cache, tally: &tally)
    }
  }

  /// Adds the tally of a thread that has finished to those of other threads.
  private func handOver(_ tally: consuming ReplayTally) {
    var tally: ReplayTally? = consume tally
    finished.withLock { finished in
      if finished == nil {
        swap(&finished, &tally)
      } else if let tally = tally.take() {
        finished?.add(tally)
      }
    }
  }

  /// The most blocks that each of several threads holds, so that it decodes ahead while it waits for a
  /// device. Each takes a megabyte: touching a third and pushing the others out of the caches costs more
  /// than the wait.
  private static let blocksHeld = 2

  /// Claims blocks, decodes and applies them, until there are none.
  ///
  /// The oldest block that is not applied can always be applied (``BlockClaims``), so some thread always has work.
  private func replayBlocks(_ tally: inout ReplayTally) {
    var idle = (0..<(shared.options.threads > 1 ? Self.blocksHeld : 1)).map { _ in ClaimedBlock() }
    var held: [ClaimedBlock] = []
    held.reserveCapacity(idle.count)
    var workspace = Workspace(shared, others: others.count)
    defer {
      finished.withLock { _ in
        for (all, own) in zip(otherTallies, workspace.others) { all.add(own) }
      }
    }
    while failure.withLock({ $0 == nil }) {
      let seen = progressSignal.count
      do throws(TraceError) {
        var hasApplied = false
        var next = 0
        while next < held.count {
          if try apply(held[next], &workspace, &tally) {
            claims.withLock { $0.noteApplied(held[next].place) }
            idle.append(held.remove(at: next))
            hasApplied = true
          } else {
            // The devices of a later block may be free.
            next += 1
          }
        }
        if !idle.isEmpty, let place = claimNext() {
          let block = idle.removeLast()
          block.claim(place, of: self)
          // Whether a block can be counted is known only when those before it are applied.
          if !mayCount(index.blocks[place], place: place, workspace.filter) {
            try decode(block, workspace.decoder, &tally)
          }
          held.append(block)
        } else if held.isEmpty {
          return
        } else if !hasApplied {
          progressSignal.wait(after: seen)
        }
      } catch let error {
        fail(error)
      }
    }
  }

  func decode(
    _ block: ClaimedBlock, _ decoder: BlockDecoder, _ tally: inout ReplayTally
  ) throws(TraceError) {
    let begin = MonotonicClock.now()
    decoder.exchange(for: &block.decoded)
    defer { decoder.exchange(for: &block.decoded) }
    block.state = try decode(index.blocks[block.place], decoder) ? .decoded : .damaged
    tally.decodeTime += MonotonicClock.now() - begin
  }

  /// Decodes a block; returns false if it is damaged and the replay keeps going.
  func decode(
    _ block: TraceIndex.Block, _ decoder: BlockDecoder
  ) throws(TraceError) -> Bool {
    do throws(TraceError) {
      // Of Rouse's own scheduler only predicates look at details and sources.
      let all = index.startsPredicates || shared.options.tested?.wantsValues == true
      try decoder.decode(
        block.entry, of: index.files[block.file], details: all, sources: all, observations: .none,
        others: shared.othersRead)
      rouse_probe_block(UInt64(block.firstEvent), UInt64(block.entry.header.events))
      return true
    } catch let error {
      guard shared.options.keepsGoing else { throw error }
      let events = zip(block.devices, block.entry.header.runs).reduce(0) {
        $0 + ($1.0 >= 0 ? $1.1.events : 0)
      }
      let isCounted = TraceIndex.counts(block, for: shared.options.selection.shard)
      damagedBlocks.withLock { $0[block.firstEvent] = (isCounted ? error : nil, events) }
      return false
    }
  }

  /// Chooses the events whose latency is measured; nil if none is.
  func makeSampler(seed: UInt64) -> LatencySampler? {
    guard shared.options.measuresLatency else { return nil }
    return LatencySampler(seed: seed, stride: LatencySampler.stride(events: index.eventCount))
  }

  func reportDone(_ events: Int) {
    let done = eventsDone.add(events, ordering: .relaxed).newValue
    progress?(done, index.eventCount)
  }

  private func fail(_ error: TraceError) {
    failure.withLock { if $0 == nil { $0 = error } }
    progressSignal.signal()
  }
}
