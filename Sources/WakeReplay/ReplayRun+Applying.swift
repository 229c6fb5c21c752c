import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

// How a thread applies a decoded block to its devices.
extension ReplayRun {
  /// Applies a block's runs to their devices, as far as those are free; returns whether all are applied.
  func apply(
    _ claimed: ClaimedBlock, _ workspace: inout Workspace, _ tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    let block = index.blocks[claimed.place]
    if claimed.state == .claimed, try !countOrDecode(claimed, block, &workspace, &tally) {
      return false
    }
    let decoded = claimed.state == .decoded ? claimed.decoded : nil
    let numbers = EventNumbers(first: block.firstEvent)
    let isFiltered = workspace.filter.applies(to: block.entry.header)
    let others = workspace.others
    // Out of the object, so that Swift does not check exclusive access to it for each run.
    var sampler = claimed.sampler.take()
    defer { claimed.sampler = sampler }
    if let decoded, !isFiltered, others.isEmpty, shared.isUnobserved {
      return try decoded.columns.withRowColumns { (columns) throws(TraceError) in
        try applyRuns(of: claimed, block, &workspace, &tally) {
          (run, device, _, tally) throws(TraceError) in
          try device.scheduleUnobserved(
            columns, rows: decoded.runs[run].rows, device: decoded.runs[run].device,
            numbers: numbers, orderliness: decoded.orderliness, tally: &tally, sampler: &sampler)
        }
      }
    }
    return try applyRuns(of: claimed, block, &workspace, &tally) {
      (run, device, filter, tally) throws(TraceError) in
      guard let decoded else { return }
      let (rows, name) = (decoded.runs[run].rows, decoded.runs[run].device)
      guard isFiltered else {
        return try device.scheduleAll(
          decoded.columns, rows: rows, device: name, numbers: numbers,
          orderliness: decoded.orderliness, tally: &tally, others: others,
          sampler: &sampler)
      }
      let kept = filter.pick(decoded.columns, rows: rows, numbers: numbers)
      try device.scheduleAll(
        kept.columns, rows: 0..<kept.columns.count, device: name, numbers: kept.numbers,
        orderliness: decoded.orderliness, tally: &tally, others: others, sampler: &sampler)
    }
  }

  /// Calls `schedule` with each run and its device, as far as devices are free; returns whether all runs are applied.
  // Inlined, so that `schedule` is no closure.
  @inline(__always)
  private func applyRuns(
    of claimed: ClaimedBlock, _ block: TraceIndex.Block, _ workspace: inout Workspace,
    _ tally: inout ReplayTally,
    _ schedule: (
      _ run: Int, _ device: DeviceReplay, _ filter: inout RowFilter, _ tally: inout ReplayTally
    ) throws(TraceError) -> Void
  ) throws(TraceError) -> Bool {
    // One clock reading for all runs: a run of a fleet is shorter than a few readings.
    var begin: UInt64?
    var events = 0
    defer {
      // Of many runs together.
      tally.tellBegan()
      if let begin { tally.scheduleTime += MonotonicClock.now() - begin }
      if events > 0 { reportDone(events) }
    }
    let header = block.entry.header
    // Out of the workspace, of which `schedule` changes another part.
    var lent = LentDevices()
    swap(&lent, &workspace.lent)
    defer { swap(&lent, &workspace.lent) }
    while claimed.run < block.devices.count {
      let first = claimed.run
      guard claimed.places[first].spread != TraceIndex.RunPlace.elsewhere else {
        claimed.run += 1
        continue
      }
      let isSpread = claimed.places[first].spread != TraceIndex.RunPlace.alone
      if isSpread {
        checkOut(claimed, block, from: first, into: &lent, &workspace.spares)
        if lent.isEmpty { return false }
      }
      if begin == nil { begin = MonotonicClock.now() }
      if isSpread {
        try scheduleLent(&lent) { (place, device) throws(TraceError) in
          events += header.runs[first + place].events
          try schedule(first + place, device, &workspace.filter, &tally)
        }
        claimed.run += lent.count
        checkIn(claimed, block, from: first, applied: lent.count, &lent)
        try finish(&lent, tally: &tally, others: workspace.others, &workspace.spares)
      } else {
        let device = makeDevice(Int(block.devices[first]), &workspace.spares)
        events += header.runs[first].events
        try schedule(first, device, &workspace.filter, &tally)
        try device.finishAll(tally: &tally, others: workspace.others)
        workspace.spares.append(device)
        claimed.run += 1
      }
    }
    return true
  }

  /// Calls `schedule` with each replay that was lent and its place, while what comes next is fetched.
  @inline(__always)
  private func scheduleLent(
    _ lent: inout LentDevices,
    _ schedule: (_ place: Int, DeviceReplay) throws(TraceError) -> Void
  ) throws(TraceError) {
    // One check for all of them that nobody shares the memory.
    var lent = lent.mutableSpan
    for place in lent.indices {
      Self.prefetch(lent.span, after: place)
      // Taken out meanwhile, as its reference would be counted.
      guard let device = lent[place].take() else { continue }
      try schedule(place, device)
      lent[place] = consume device
    }
  }

  /// Counts a block from its header if that gives the same result, else decodes it; returns false if an
  /// earlier block of its device is not applied yet.
  private func countOrDecode(
    _ claimed: ClaimedBlock, _ block: TraceIndex.Block, _ workspace: inout Workspace,
    _ tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    checkOut(claimed, block, from: 0, into: &workspace.lent, &workspace.spares)
    guard let device = workspace.lent.first?.map({ $0 }) else { return false }
    let counts = try workspace.headerCounts.counts(of: block, in: index.files[block.file])
    if let counts, device.takeCounts(counts) {
      tally.skipped.add(ReplayResult.Skipped(blocks: 1, events: counts.events))
      claimed.state = .counted
    }
    returnUnused(claimed, block, from: 0, &workspace.lent)
    if claimed.state == .claimed { try decode(claimed, workspace.decoder, &tally) }
    return true
  }
}
