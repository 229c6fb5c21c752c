import WakeEvents
import WakeTrace

// What was recorded so far, as a trace and as counts.
extension RecorderCore {
  func snapshot(to path: String) throws(TraceError) -> Recorder.Statistics {
    guard isOwn else { throw closedError }
    let all = rings.withLock { rings in rings.isClosed ? nil : rings.all }
    guard let all else { throw closedError }
    guard options.mode == .overwrite else {
      throw TraceError(
        code: .invalidOption, file: file.path,
        message: "only recorders that overwrite take snapshots; others write a trace")
    }
    // `-` is a file name here: standard output belongs to the component.
    let output = try FileOutput(path: path == "-" ? "./-" : path)
    var statistics = Recorder.Statistics()
    let encoder = try BlockEncoder(symbols: symbols, level: options.level, file: path)
    for ring in all {
      let copy = try ring.copied(stream: Ring.newStream())
      var consumer = RingConsumer(copy, mode: .overwrite)
      try consumer.drain(
        upTo: consumer.head, isLast: true, counts: NameCounts(symbols), encoder: encoder,
        eventsPerBlock: options.eventsPerBlock, into: output)
      statistics.add(consumer.tally)
    }
    try output.commit()
    return statistics
  }

  var statistics: Recorder.Statistics {
    guard isOwn else { return Recorder.Statistics() }
    var statistics = Recorder.Statistics()
    taking.withLockOverWrites { taking in
      for consumer in taking.consumers { statistics.add(consumer.tally) }
    }
    let all = rings.withLock { $0.all }
    statistics.lost = all.reduce(0) { $0 + lost(in: $1) }
    return statistics
  }
}

extension RecorderCore {
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

extension Recorder.Statistics {
  mutating func add(_ tally: RingConsumer.Tally) {
    written += tally.events
    lost += tally.lost
    blocks += tally.blocks
    bytes += tally.bytes
  }
}
