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
  /// For each device that spreads over blocks and is under way, the parts applied so far; its lane
  /// belongs to who may apply the next one.
  private let lanes: Mutex<[Int: LaneState]>
  /// Why the replay must end, and damage that it goes on behind.
  private let failure = Mutex<TraceError?>(nil)
  /// By the block's first event, as a block may be met more than once.
  private let damagedBlocks = Mutex<[Int: (error: TraceError, events: Int)]>([:])
  private let oddTimes = Mutex<(late: [OddTime], jumps: [OddTime])>(([], []))

  private struct LaneState {
    var applied = 0
    /// Not there while a thread uses it.
    var lane: LaneHandle?
  }

  /// A lane on its way from thread to thread.
  ///
  /// Unchecked, as a lane is no value: it is handed on whole, under the lock, and used by the one thread
  /// that took it out.
  private struct LaneHandle: @unchecked Sendable {
    let lane: DeviceLane
  }

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
  /// The first late input, and the first jump ahead, in the order of events.
  var firstLate: OddTime? { oddTimes.withLock { $0.late.min { $0.event < $1.event } } }
  var firstJump: OddTime? { oddTimes.withLock { $0.jumps.min { $0.event < $1.event } } }

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
    let blocks = makeCache()
    for place in index.devices.indices where index.devices[place].needsMerge {
      try feedMerged(place, from: blocks, tally: &tally)
    }
  }

  /// Claims blocks in order and feeds them, until there are none.
  private func work(_ tally: inout ReplayTally) {
    let decoder = BlockDecoder(symbols: shared.symbols)
    var filter = RowFilter(shared.options.selection, symbols: shared.symbols)
    var quiet = QuietBlocks(symbols: shared.symbols)
    var spare: DeviceLane?
    while failure.withLock({ $0 == nil }) {
      let claim = claimed.add(1, ordering: .relaxed).oldValue
      guard claim < index.blocks.count else { return }
      do throws(TraceError) {
        try feed(claim, decoder, &filter, &quiet, &tally, &spare)
      } catch let error {
        fail(error)
      }
    }
  }

  private func feed(
    _ claim: Int, _ decoder: BlockDecoder, _ filter: inout RowFilter, _ quiet: inout QuietBlocks,
    _ tally: inout ReplayTally, _ spare: inout DeviceLane?
  ) throws(TraceError) {
    let block = index.blocks[claim]
    // Where streams must be merged, other streams' events may lie between those of a block.
    let isFed = block.lanes.contains { $0 >= 0 && !index.devices[Int($0)].needsMerge }
    guard isFed else { return }
    var held: DeviceLane?
    if let place = deviceOfCountable(block, number: claim, filter) {
      // Whether it is quiet is known once all before it are applied; so such blocks wait for each other.
      guard let lane = takeLane(place, for: claim, run: 0, &spare) else { return }
      if let samples = try quiet.counts(of: block, in: index.files[block.file]), lane.skip(samples)
      {
        tally.skipped.add(ReplayResult.Skipped(blocks: 1, events: samples.events))
        if try handBack(lane, place, tally: &tally) { spare = lane }
        count(samples.events)
        return
      }
      held = lane
    }
    let begin = MonotonicClock.now()
    let isWhole = try decode(block, decoder)
    var now = MonotonicClock.now()
    tally.decodeTime += now - begin
    var sampler =
      sampler(seed: UInt64(block.firstEvent))
    var events = 0
    for (run, place) in block.lanes.enumerated() where place >= 0 {
      let place = Int(place)
      guard !index.devices[place].needsMerge else { continue }
      guard let lane = held.take() ?? takeLane(place, for: claim, run: run, &spare) else { return }
      now = MonotonicClock.now()
      if isWhole {
        try feed(
          decoder, run: run, of: block, to: lane, filter: &filter, tally: &tally,
          sampler: &sampler)
      }
      if try handBack(lane, place, tally: &tally) { spare = lane }
      tally.scheduleTime += MonotonicClock.now() - now
      events += block.entry.header.runs[run].events
    }
    count(events)
  }

  /// Decodes a block; false if it is damaged and the replay keeps going.
  func decode(
    _ block: TraceIndex.Block, _ decoder: BlockDecoder
  ) throws(TraceError) -> Bool {
    do throws(TraceError) {
      try decoder.decode(
        block.entry, of: index.files[block.file], details: index.startsPredicates)
      rouse_probe_block(UInt64(block.firstEvent), UInt64(block.entry.header.events))
      return true
    } catch let error {
      guard shared.options.keepsGoing else { throw error }
      damagedBlocks.withLock { $0[block.firstEvent] = (error, block.entry.header.events) }
      return false
    }
  }

  private func feed(
    _ decoder: BlockDecoder, run: Int, of block: TraceIndex.Block, to lane: DeviceLane,
    filter: inout RowFilter, tally: inout ReplayTally, sampler: inout LatencySampler?
  ) throws(TraceError) {
    let rows = decoder.runs[run].rows
    let isSorted = block.entry.header.flags.contains(.timesSorted)
    guard filter.applies(to: block.entry.header) else {
      try lane.feed(
        decoder.columns, rows: rows, device: decoder.runs[run].device,
        numbers: EventNumbers(first: block.firstEvent), isSorted: isSorted, tally: &tally,
        sampler: &sampler)
      return
    }
    let kept = filter.pick(
      decoder.columns, rows: rows, numbers: EventNumbers(first: block.firstEvent))
    try lane.feed(
      kept.columns, rows: 0..<kept.columns.count, device: decoder.runs[run].device,
      numbers: kept.numbers, isSorted: isSorted, tally: &tally, sampler: &sampler)
  }

  /// Feeds a device whose streams overlap in time.
  private func feedMerged(
    _ place: Int, from blocks: BlockCache, tally: inout ReplayTally
  ) throws(TraceError) {
    let lane = makeLane(place)
    var filter = RowFilter(shared.options.selection, symbols: shared.symbols)
    var sampler = sampler(seed: UInt64(place))
    let cursor = try DeviceCursor(device: place, from: blocks)
    while true {
      let begin = MonotonicClock.now()
      guard let batch = try nextBatch(of: cursor, &filter) else { break }
      let now = MonotonicClock.now()
      tally.decodeTime += now - begin
      try lane.feed(
        batch.columns, rows: batch.rows, device: batch.device, numbers: batch.numbers,
        isSorted: batch.isSorted, tally: &tally, sampler: &sampler)
      tally.scheduleTime += MonotonicClock.now() - now
      count(batch.rows.count)
    }
    try lane.finish(tally: &tally)
    note(lane)
  }

  /// Which events are measured, if any are to be.
  private func sampler(seed: UInt64) -> LatencySampler? {
    guard shared.options.measuresLatency else { return nil }
    return LatencySampler(seed: seed, stride: LatencySampler.stride(events: index.eventCount))
  }

  /// Where cursors over devices take blocks from.
  func makeCache() -> BlockCache {
    BlockCache(index, symbols: shared.symbols, decode: decode)
  }

  /// The next events that a device is to be fed; nil behind the last.
  ///
  /// Streams are merged before anything is left out, so that what is left out moves nothing else.
  func nextBatch(
    of cursor: DeviceCursor, _ filter: inout RowFilter
  ) throws(TraceError) -> DeviceCursor.Batch? {
    while var batch = try cursor.next() {
      guard shared.options.selection.hasRowFilter else { return batch }
      (batch.columns, batch.numbers) = filter.pick(
        batch.columns, rows: batch.rows, numbers: batch.numbers)
      batch.rows = 0..<batch.columns.count
      if !batch.rows.isEmpty { return batch }
    }
    return nil
  }

  func count(_ events: Int) {
    let done = eventsDone.add(events, ordering: .relaxed).newValue
    progress?(done, index.eventCount)
  }

  func fail(_ error: TraceError) {
    failure.withLock { if $0 == nil { $0 = error } }
  }

  /// A new lane of a device.
  func makeLane(_ place: Int) -> DeviceLane { DeviceLane(place: place, shared: shared) }

  /// Notes what a finished lane has seen.
  func note(_ lane: DeviceLane) {
    guard lane.firstLate != nil || lane.firstJump != nil else { return }
    oddTimes.withLock { odd in
      if let late = lane.firstLate { odd.late.append(late) }
      if let jump = lane.firstJump { odd.jumps.append(jump) }
    }
  }

  /// Waits until all earlier parts of the device are applied, and takes its lane; nil if the replay has
  /// failed meanwhile.
  ///
  /// - Parameter spare: A lane that has finished.
  private func takeLane(
    _ place: Int, for block: Int, run: Int, _ spare: inout DeviceLane?
  ) -> DeviceLane? {
    // A device within one block, as a fleet's are, is nobody else's.
    guard index.devices[place].parts.count > 1 else {
      guard let lane = spare.take() else { return makeLane(place) }
      lane.restart(place: place)
      return lane
    }
    let parts = index.devices[place].parts
    var waits = 0
    while true {
      let taken: LaneHandle? = lanes.withLock { lanes in
        var state = lanes[place] ?? LaneState(applied: 0, lane: LaneHandle(lane: makeLane(place)))
        guard let lane = state.lane, parts[state.applied].block == block,
          parts[state.applied].run == run
        else { return nil }
        state.lane = nil
        lanes[place] = state
        return lane
      }
      if let taken { return taken.lane }
      if failure.withLock({ $0 != nil }) { return nil }
      WorkerThread.pause(&waits)
    }
  }

  /// Gives a lane back for the next part, or ends it after the last; says whether it did.
  private func handBack(
    _ lane: DeviceLane, _ place: Int, tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    guard isLast(LaneHandle(lane: lane), place) else { return false }
    try lane.finish(tally: &tally)
    note(lane)
    return true
  }

  /// Whether the part just applied was the device's last; else lays the lane down for the next one.
  private func isLast(_ handle: LaneHandle, _ place: Int) -> Bool {
    let parts = index.devices[place].parts.count
    guard parts > 1 else { return true }
    return lanes.withLock { lanes in
      lanes[place, default: LaneState()].applied += 1
      guard lanes[place]?.applied == parts else {
        lanes[place]?.lane = handle
        return false
      }
      // No part is left to ask for it.
      lanes[place] = nil
      return true
    }
  }
}
