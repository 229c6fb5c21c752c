import WakeEvents
import WakeTrace

// Writing, by the recorder's thread, a flush or the closing thread.
extension RecorderCore {
  /// Writes the events that wait: all of them, or those that are due.
  ///
  /// - Returns: How full the fullest ring was.
  @discardableResult
  func pass(flushing: Bool) throws(TraceError) -> Filling {
    guard isOwn else { throw closedError }
    var filling = Filling.none
    var removal: TraceError?
    let failure: TraceError? = taking.withLockOverWrites { taking in
      if taking.isEnded { return flushing ? closedError : nil }
      let hadFailed = taking.failure != nil
      // After a failure everything is tried, as a pass with nothing due would clear the failure.
      let isDue =
        flushing || hadFailed || ContinuousClock.now - taking.lastFlush >= options.flushInterval
      do throws(TraceError) {
        filling = try write(&taking, isDue: isDue, isLast: false)
        // The first pass leaves an event in a ring that may fill up.
        if flushing { try write(&taking, isDue: true, isLast: false, isFlush: true) }
        taking.failure = nil
        if flushing { removal = taking.output?.takeRemoval() }
      } catch let error {
        taking.failure = error
        if !hadFailed { tellProducers() }
      }
      return taking.failure
    }
    if let failure { throw failure }
    if let removal { throw removal }
    return filling
  }

  /// The part of a ring's slots that waits.
  struct Filling: Comparable {
    static let none = Filling(waits: 0, of: 1)
    static let sixteenth = Filling(waits: 1, of: 16)
    static let quarter = Filling(waits: 1, of: 4)

    private let part: Double

    init(waits: UInt64, of capacity: UInt64) { part = Double(waits) / Double(capacity) }

    static func < (left: Filling, right: Filling) -> Bool { left.part < right.part }
  }

  @discardableResult
  func write(
    _ taking: inout Taking, isDue: Bool, isLast: Bool, isFlush: Bool = false
  ) throws(TraceError) -> Filling {
    var filling = Filling.none
    guard let output = taking.output else { return filling }
    addConsumers(&taking)
    let atLeast =
      isDue || isLast ? 1 : UInt64(min(options.eventsPerBlock, options.slotsPerRing / 4))
    if isLast || isFlush { try replaceIfMoved(&taking, output) }
    for place in taking.consumers.indices {
      try rotate(&taking, output)
      // The head is read before the names are counted, so that they include those of all events up to it.
      let head = taking.consumers[place].head
      let ring = taking.consumers[place].ring
      let waits = head &- ring.progress.tail
      filling = max(filling, Filling(waits: waits, of: ring.capacity))
      guard waits >= atLeast else { continue }
      try replaceIfMoved(&taking, output)
      do throws(TraceError) {
        try drain(&taking)
      } catch let error {
        // The content of a file without a name is lost: write again to a new one.
        guard output.isGone else { throw error }
        try replaceIfMoved(&taking, output)
        try drain(&taking)
      }
      func drain(_ taking: inout Taking) throws(TraceError) {
        try taking.consumers[place].drain(
          upTo: head, isLast: isLast, isFlush: isFlush, atLeast: atLeast,
          counts: NameCounts(symbols), encoder: taking.encoder,
          eventsPerBlock: options.eventsPerBlock, into: output)
      }
    }
    if isDue { taking.lastFlush = .now }
    return filling
  }

  private func addConsumers(_ taking: inout Taking) {
    let known = taking.consumers.count
    let added = rings.withLock { rings in Array(rings.all.dropFirst(known)) }
    for ring in added { taking.consumers.append(RingConsumer(ring, mode: options.mode)) }
  }

  /// Opens the next file if it is time; every file has streams of its own.
  private func rotate(_ taking: inout Taking, _ output: CaptureOutput) throws(TraceError) {
    guard try output.rotateIfDue(bytes: options.bytesPerFile, time: options.timePerFile) else {
      return
    }
    file.words.release(UInt64(output.number), at: RingLayout.File.fileNumber)
    for consumer in taking.consumers { consumer.ring.renewStream() }
  }

  /// Opens a new file if the current one was moved.
  private func replaceIfMoved(
    _ taking: inout Taking, _ output: CaptureOutput
  ) throws(TraceError) {
    guard try output.replaceIfMoved() else { return }
    for consumer in taking.consumers { consumer.ring.renewStream() }
    if output.hasRemoval { tellProducers() }
  }

  /// Makes each producer's next call return ``RecordStatus/notWritten``.
  private func tellProducers() {
    rings.withLock { rings in
      for handle in rings.handles {
        if let handle { cells.set(ProducerCell.State.notWritten, handle) }
      }
    }
  }
}
