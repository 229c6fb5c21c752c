import WakeEvents
import WakeTrace

// Writing, by the recorder's thread, a flush or the closing thread.
extension RecorderCore {
  /// What a pass found.
  struct Pass {
    /// How full the fullest ring was, from 0 to 1.
    var filling = 0.0
    /// The part of its ring that the busiest producer had filled since the last pass; more than 1 in several rounds.
    var arrived = 0.0
    /// The time until events that came since then are due.
    var untilDue = Duration.zero
  }

  /// Writes the events that wait: all of them, or those that are due.
  ///
  /// - Parameter writesAll: Whether all that wait are due.
  @discardableResult
  func pass(flushing: Bool, writesAll: Bool = false) throws(TraceError) -> Pass {
    guard isOwn else { throw closedError }
    var pass = Pass()
    var removal: TraceError?
    let failure: TraceError? = taking.withLockOverWrites { taking in
      if taking.isEnded { return flushing ? closedError : nil }
      let hadFailed = taking.failure != nil
      // After a failure everything is tried, as a pass with nothing due would clear the failure.
      let isDue =
        flushing || writesAll || hadFailed
        || ContinuousClock.now - taking.lastFlush >= options.flushInterval
      do throws(TraceError) {
        pass = try write(&taking, isDue: isDue)
        // The first pass leaves an event in a ring that may fill up.
        if flushing { try write(&taking, isDue: true, isFlush: true) }
        taking.failure = nil
        if flushing { removal = taking.drain?.output.takeRemoval() }
        pass.untilDue = taking.lastFlush + options.flushInterval - .now
      } catch let error {
        taking.failure = error
        if !hadFailed { tellProducers() }
      }
      return taking.failure
    }
    if let failure { throw failure }
    if let removal { throw removal }
    return pass
  }

  @discardableResult
  func write(
    _ taking: inout Taking, isDue: Bool, isLast: Bool = false, isFlush: Bool = false
  ) throws(TraceError) -> Pass {
    guard let drain = taking.drain else {
      // Nobody reads the rings here, so the length tells.
      if let cut = file.countRings().cut { throw cut }
      try file.checkWhole(rings.withLock { $0.all })
      return Pass()
    }
    let known = drain.consumers.count
    for ring in rings.withLock({ $0.all.dropFirst(known) }) { drain.add(ring) }
    let removals = drain.output.removals
    defer { if drain.output.removals != removals { tellProducers() } }
    if isLast || isFlush { try drain.advance() }
    // The heads are read before the names are counted, so that they include those of all events up to them.
    let heads = drain.consumers.map(\.head)
    let before = taking.heads + Array(repeating: 0, count: heads.count - taking.heads.count)
    taking.heads = heads
    let slots = Double(options.slotsPerRing)
    let pass = Pass(
      filling: Double(drain.mostWaiting(upTo: heads)) / slots,
      arrived: Double(zip(heads, before).map { $0 &- $1 }.max() ?? 0) / slots)
    try drain.write(
      upTo: heads, atLeast: isDue ? 1 : drain.fullBlock, isLast: isLast, isFlush: isFlush,
      counts: NameCounts(symbols))
    if isDue { taking.lastFlush = .now }
    return pass
  }

  /// Makes each producer's next call return ``RecordStatus/notWritten``.
  private func tellProducers() {
    rings.withLock { rings in
      for case let handle? in rings.handles { cells.set(ProducerCell.State.notWritten, handle) }
    }
  }
}

// What was recorded so far, as a trace and as counts.
extension RecorderCore {
  func snapshot(to path: String) throws(TraceError) -> Recorder.Statistics {
    guard isOwn else { throw closedError }
    let all = rings.withLock { rings in rings.isClosed ? nil : rings.all }
    guard let all else { throw closedError }
    guard options.mode == .overwrite else {
      throw file.error(
        .invalidOption, "only recorders that overwrite take snapshots; others write a trace")
    }
    // `-` is a file name here: standard output belongs to the component.
    let output = try FileOutput(
      path: path == "-" ? "./-" : path, isPrivate: true, isDurable: options.isDurable)
    var statistics = Recorder.Statistics()
    let encoder = try BlockEncoder(symbols: symbols, level: options.level, file: path)
    for ring in all {
      let copy = try ring.copied(stream: Ring.newStream())
      var consumer = RingConsumer(copy, mode: .overwrite)
      try consumer.drain(
        upTo: consumer.head, isLast: true, counts: NameCounts(symbols), encoder: encoder,
        eventsPerBlock: options.eventsPerBlock, into: output)
      statistics.add(consumer.written)
    }
    try output.commit()
    return statistics
  }

  var statistics: Recorder.Statistics {
    guard isOwn else { return Recorder.Statistics() }
    var statistics = taking.withLockOverWrites { $0.drain?.written } ?? .init()
    let all = rings.withLock { $0.all }
    statistics.lost = all.reduce(0) { $0 + lost(in: $1) }
    return statistics
  }

  /// Events of a ring that are lost; in the mode `overwrite`, by a snapshot of this moment.
  ///
  /// - Complexity: O(1), and O(slots) in the mode `overwrite`.
  private func lost(in ring: Ring) -> UInt64 {
    guard options.mode == .overwrite else { return ring.words.load(RingLayout.Ring.lost) }
    // Without memory for a copy, a snapshot fails too.
    guard let copy = try? ring.copied(stream: 0) else { return 0 }
    return copy.words.load(RingLayout.Ring.firstNumber)
  }
}
