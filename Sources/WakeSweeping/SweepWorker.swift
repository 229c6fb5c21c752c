import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// What one thread of a sweep's round does: it decodes some blocks, and feeds all of them to its policies.
struct SweepWorker: ~Copyable {
  private let round: SweepRound
  private let thread: Int
  private let rows: [SweptRow]
  private let decoder: BlockDecoder
  /// The devices in progress, by their index.
  private var devices: [Int: Progress] = [:]
  private var outcome = SweepRound.Outcome()

  /// A device in progress.
  private final class Progress {
    /// By policy.
    var schedulers: [SweptDevice]
    var locks = LockedTime()
    var partsLeft: Int
    /// The times of its first input and, so far, of its latest.
    var first: Int64?
    var latest = Int64.min

    init(_ schedulers: [SweptDevice], parts: Int) {
      self.schedulers = schedulers
      partsLeft = parts
    }
  }

  init(_ round: SweepRound, _ thread: Int) {
    self.round = round
    self.thread = thread
    let setting = round.setting
    rows = stride(from: thread, to: round.policies.count, by: round.threads).map { place in
      SweptRow(
        round.policies[place], setting.symbols, setting.windows, findsGains: round.gainSink != nil,
        setting.accelerations)
    }
    decoder = BlockDecoder(symbols: setting.symbols)
  }

  mutating func run() {
    for first in stride(from: 0, to: round.blocks.count, by: round.threads) {
      let last = min(first + round.threads, round.blocks.count)
      if first + thread < last { decode(round.blocks[first + thread]) }
      round.barrier.wait()
      guard !round.hasFailed else { return }
      for place in first..<last {
        feed(round.setting.index.blocks[round.blocks[place]], round.slots[place - first])
      }
      round.barrier.wait()
    }
    do throws(TraceError) {
      try runMerged()
    } catch {
      round.fail(error)
    }
  }

  private mutating func decode(_ place: Int) {
    let begin = MonotonicClock.now()
    let index = round.setting.index
    let block = index.blocks[place]
    let slot = round.slots[thread]
    decoder.exchange(for: &slot.decoded)
    do throws(TraceError) {
      // Only predicates look at details and sources.
      try decoder.decode(
        block.entry, of: index.files[block.file], details: index.startsPredicates,
        sources: index.startsPredicates)
    } catch {
      round.fail(error)
    }
    decoder.exchange(for: &slot.decoded)
    outcome.decodeTime += MonotonicClock.now() - begin
  }

  private mutating func feed(_ block: TraceIndex.Block, _ slot: SweepRound.Slot) {
    let begin = MonotonicClock.now()
    let decoded = slot.decoded
    for (run, device) in block.devices.enumerated() {
      let place = Int(device)
      guard place >= 0, round.setting.isSwept[place], !round.setting.index.needsMerge(place) else {
        continue
      }
      let progress = progress(of: place)
      feed(
        decoded.columns, rows: decoded.runs[run].rows, device: decoded.runs[run].device, place,
        decoded.orderliness, progress)
      progress.partsLeft -= 1
      if progress.partsLeft == 0 { finish(place, progress) }
    }
    outcome.scheduleTime += MonotonicClock.now() - begin
    if thread == 0 { round.reportDone(block.entry.header.events) }
  }

  /// Feeds rows of a device to all policies.
  private mutating func feed(
    _ columns: borrowing InputColumns, rows: Range<Int>, device: Device, _ place: Int,
    _ orderliness: Orderliness?, _ progress: Progress
  ) {
    guard !rows.isEmpty else { return }
    note(columns, rows: rows, isSorted: orderliness != nil, progress)
    let hash = round.setting.index.devices[place].hash
    for scheduler in progress.schedulers {
      scheduler.schedule(
        columns, rows: rows, device: device, hash: hash, orderliness: orderliness,
        locks: progress.locks)
    }
  }

  /// Notes what the inputs say whatever the policy.
  private mutating func note(
    _ columns: borrowing InputColumns, rows: Range<Int>, isSorted: Bool,
    _ progress: Progress
  ) {
    if progress.first == nil { progress.first = columns.times[rows.lowerBound] }
    if isSorted {
      progress.latest = max(progress.latest, columns.times[rows.upperBound - 1])
      return
    }
    for row in rows {
      progress.latest = max(progress.latest, columns.times[row])
      guard let kind = InputKind(rawValue: columns.kinds[row]), kind != .save, kind != .delete
      else { continue }
      outcome.facts.take(columns.others[Int(columns.types[row])])
      progress.locks.take(kind, at: progress.latest)
    }
  }

  private mutating func progress(of place: Int) -> Progress {
    if let progress = devices[place] { return progress }
    let schedulers = rows.map { row in row.spare.take() ?? SweptDevice(row) }
    let progress = Progress(schedulers, parts: round.setting.index.partCount(of: place))
    devices[place] = progress
    return progress
  }

  private mutating func finish(_ place: Int, _ progress: Progress) {
    devices[place] = nil
    for (number, scheduler) in progress.schedulers.enumerated() {
      let gains = scheduler.finish(place: place)
      round.gainSink?(thread + number * round.threads, place, gains)
      rows[number].spare = scheduler
    }
    outcome.devices += 1
    if let first = progress.first { outcome.deviceTime += Int128(progress.latest - first) }
  }

  /// Replays the devices whose streams overlap in time.
  private mutating func runMerged() throws(TraceError) {
    let (index, symbols) = (round.setting.index, round.setting.symbols)
    var cache: BlockCache?
    for place in index.devices.indices where round.setting.isSwept[place] && index.needsMerge(place)
    {
      let blocks =
        cache
        ?? BlockCache(index, symbols: symbols) { block, decoder throws(TraceError) in
          try decoder.decode(
            block.entry, of: index.files[block.file], details: index.startsPredicates,
            sources: index.startsPredicates)
          return true
        }
      cache = blocks
      let progress = progress(of: place)
      let cursor = try DeviceCursor(device: place, from: blocks)
      while true {
        let begin = MonotonicClock.now()
        guard let batch = try cursor.next() else { break }
        let now = MonotonicClock.now()
        outcome.decodeTime += now - begin
        feed(batch.columns, rows: batch.rows, device: batch.device, place, nil, progress)
        outcome.scheduleTime += MonotonicClock.now() - now
        if thread == 0 { round.reportDone(batch.rows.count) }
      }
      finish(place, progress)
    }
  }

  /// Ends the thread's part of the round.
  consuming func finish() -> SweepRound.Outcome {
    for row in rows {
      row.spare = nil
      var tally = SweepTally()
      swap(&tally, &row.tally)
      tally.summary.digest.value &+= tally.hasher.takeDigest()
      outcome.tallies.append(SweepRound.TallyBox(tally))
    }
    return outcome
  }
}
