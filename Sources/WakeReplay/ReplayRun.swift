import CProbes
import Measurement
import Synchronization
import WakeEvents
import WakeScheduling
import WakeTrace

/// One replay under way.
final class ReplayRun: Sendable {
  let index: TraceIndex
  let shared: ReplayShared
  private let progress: (@Sendable (Int, Int) -> Void)?
  /// Blocks that were given to a thread.
  private let claimed = Atomic(0)
  private let eventsDone = Atomic(0)
  /// Whenever a lane is laid down, or the replay fails.
  let turn = TurnSignal()
  /// For each device that spreads over blocks and is under way, the parts applied so far; its lane
  /// belongs to who may apply the next one.
  let lanes: Mutex<[Int: LaneState]>
  /// Why the replay must end, and damage that it goes on behind.
  private let failure = Mutex<TraceError?>(nil)
  /// By the block's first event, as a block may be met more than once.
  private let damagedBlocks = Mutex<[Int: (error: TraceError, events: Int)]>([:])

  init(
    index: TraceIndex, shared: ReplayShared,
    progress: (@Sendable (_ done: Int, _ all: Int) -> Void)?
  ) {
    self.index = index
    self.shared = shared
    self.progress = progress
    lanes = Mutex([:])
  }

  /// Damaged blocks that were passed over, in the order of events.
  var damages: [TraceError] {
    damagedBlocks.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value.error)
  }
  /// The events of those blocks, as their headers say.
  var damagedEvents: Int { damagedBlocks.withLock { $0.values.reduce(0) { $0 + $1.events } } }

  /// Feeds every block, then the devices whose streams must be merged.
  func feedAll(tally: inout ReplayTally) throws(TraceError) {
    let others = (1..<max(1, shared.options.threads)).map { _ in
      WorkerThread { [self] in
        var tally = ReplayTally()
        work(&tally)
        return tally
      }
    }
    work(&tally)
    for other in others { tally.add(other.join()) }
    if let failure = failure.withLock({ $0 }) { throw failure }
    var blocks: BlockCache?
    for place in index.devices.indices where index.needsMerge(place) {
      let cache = blocks ?? makeCache()
      blocks = cache
      try feedMerged(place, from: cache, tally: &tally)
    }
  }

  /// Blocks that a thread holds at most, where there are others: it decodes ahead while it may not feed.
  ///
  /// With two it seldom has to wait. With more it would hold more too, and each takes a megabyte, whose
  /// first use costs more than the wait, and which pushes the others out of the caches.
  private static let blocksHeld = 2

  /// Claims blocks in order, decodes and feeds them, until there are none.
  ///
  /// The oldest block that is not fed yet may always be, so some thread always has something to do.
  private func work(_ tally: inout ReplayTally) {
    var idle = (0..<(shared.options.threads > 1 ? Self.blocksHeld : 1)).map { _ in HeldBlock() }
    var held: [HeldBlock] = []
    held.reserveCapacity(idle.count)
    var tools = Tools(shared)
    while failure.withLock({ $0 == nil }) {
      let seen = turn.count
      do throws(TraceError) {
        var hasFed = false
        var next = 0
        while next < held.count {
          if try feed(held[next], &tools, &tally) {
            idle.append(held.remove(at: next))
            hasFed = true
          } else {
            // A later block may have devices whose turn has come.
            next += 1
          }
        }
        if !idle.isEmpty, let place = claim() {
          let block = idle.removeLast()
          block.hold(place, sampler: sampler(seed: UInt64(index.blocks[place].firstEvent)))
          // Whether one may be counted instead is known once all before it are applied.
          if deviceOfCountable(index.blocks[place], number: place, tools.filter) == nil {
            try decode(block, tools.decoder, &tally)
          }
          held.append(block)
        } else if held.isEmpty {
          return
        } else if !hasFed {
          turn.wait(after: seen)
        }
      } catch let error {
        fail(error)
      }
    }
  }

  /// The place of a block that nobody else is given; nil if there are none left.
  ///
  /// Where streams must be merged, other streams' events may lie between those of a block: such blocks are
  /// passed over.
  private func claim() -> Int? {
    while true {
      let claim = claimed.add(1, ordering: .relaxed).oldValue
      guard claim < index.blocks.count else { return nil }
      let isFed = index.blocks[claim].lanes.contains {
        $0 >= 0 && !index.needsMerge(Int($0))
      }
      if isFed { return claim }
    }
  }

  private func decode(
    _ held: HeldBlock, _ decoder: BlockDecoder, _ tally: inout ReplayTally
  ) throws(TraceError) {
    let begin = MonotonicClock.now()
    decoder.exchange(for: &held.decoded)
    defer { decoder.exchange(for: &held.decoded) }
    held.state = try decode(index.blocks[held.place], decoder) ? .decoded : .damaged
    tally.decodeTime += MonotonicClock.now() - begin
  }

  /// Feeds a block as far as its devices' turns have come; says whether that was all of it.
  private func feed(
    _ held: HeldBlock, _ tools: inout Tools, _ tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    let block = index.blocks[held.place]
    if held.state == .claimed, try !settle(held, block, &tools, &tally) { return false }
    // Once for all runs, from the first whose turn has come: a fleet's are over after some readings of
    // the clock.
    var begin: UInt64?
    var events = 0
    defer {
      if let begin { tally.scheduleTime += MonotonicClock.now() - begin }
      if events > 0 { count(events) }
    }
    let header = block.entry.header
    let batch = Batch(
      columns: held.decoded.columns, runs: held.decoded.runs,
      orderliness: held.decoded.orderliness,
      numbers: EventNumbers(first: block.firstEvent),
      isFiltered: tools.filter.applies(to: header))
    while held.run < block.lanes.count {
      let run = held.run
      let place = Int(block.lanes[run])
      if place >= 0, !index.needsMerge(place) {
        guard let lane = takeLane(place, for: held.place, run: run, &tools.spare) else {
          return false
        }
        if begin == nil { begin = MonotonicClock.now() }
        if held.state == .decoded {
          try feed(
            batch, run: run, to: lane, filter: &tools.filter, tally: &tally, sampler: &held.sampler)
        }
        if try handBack(lane, place, tally: &tally) { tools.spare = lane }
        events += header.runs[run].events
      }
      held.run += 1
    }
    return true
  }

  /// Counts a block of one run or else decodes it, once its device's turn has come; says whether it has.
  private func settle(
    _ held: HeldBlock, _ block: TraceIndex.Block, _ tools: inout Tools, _ tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    let place = Int(block.lanes[0])
    guard let lane = takeLane(place, for: held.place, run: 0, &tools.spare) else { return false }
    held.state = try skip(block, on: lane, &tools, &tally) ? .counted : .claimed
    layDown(lane, place)
    if held.state == .claimed { try decode(held, tools.decoder, &tally) }
    return true
  }

  /// Counts a block instead of decoding it, if nothing but counts can come of it; says whether it did.
  private func skip(
    _ block: TraceIndex.Block, on lane: DeviceLane, _ tools: inout Tools, _ tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    guard let samples = try tools.quiet.counts(of: block, in: index.files[block.file]),
      lane.skip(samples)
    else { return false }
    tally.skipped.add(ReplayResult.Skipped(blocks: 1, events: samples.events))
    return true
  }

  /// Decodes a block; false if it is damaged and the replay keeps going.
  func decode(
    _ block: TraceIndex.Block, _ decoder: BlockDecoder
  ) throws(TraceError) -> Bool {
    do throws(TraceError) {
      try decoder.decode(
        block.entry, of: index.files[block.file], details: index.startsPredicates,
        // Only predicates ask for them.
        sources: index.startsPredicates)
      rouse_probe_block(UInt64(block.firstEvent), UInt64(block.entry.header.events))
      return true
    } catch let error {
      guard shared.options.keepsGoing else { throw error }
      damagedBlocks.withLock { $0[block.firstEvent] = (error, block.entry.header.events) }
      return false
    }
  }

  /// What all runs of a block have in common while they are fed.
  private struct Batch {
    let columns: InputColumns
    let runs: [DeviceRun]
    let orderliness: Orderliness?
    let numbers: EventNumbers
    /// Whether some rows may have to be left out.
    let isFiltered: Bool
  }

  private func feed(
    _ batch: borrowing Batch, run: Int, to lane: DeviceLane, filter: inout RowFilter,
    tally: inout ReplayTally, sampler: inout LatencySampler?
  ) throws(TraceError) {
    let run = batch.runs[run]
    guard batch.isFiltered else {
      try lane.feed(
        batch.columns, rows: run.rows, device: run.device, numbers: batch.numbers,
        orderliness: batch.orderliness, tally: &tally, sampler: &sampler)
      return
    }
    let kept = filter.pick(batch.columns, rows: run.rows, numbers: batch.numbers)
    try lane.feed(
      kept.columns, rows: 0..<kept.columns.count, device: run.device, numbers: kept.numbers,
      orderliness: batch.orderliness, tally: &tally, sampler: &sampler)
  }

  /// Which events are measured, if any are to be.
  func sampler(seed: UInt64) -> LatencySampler? {
    guard shared.options.measuresLatency else { return nil }
    return LatencySampler(seed: seed, stride: LatencySampler.stride(events: index.eventCount))
  }

  func count(_ events: Int) {
    let done = eventsDone.add(events, ordering: .relaxed).newValue
    progress?(done, index.eventCount)
  }

  func fail(_ error: TraceError) {
    failure.withLock { if $0 == nil { $0 = error } }
    turn.announce()
  }
}
