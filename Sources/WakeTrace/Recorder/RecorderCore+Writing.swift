import WakeEvents

// What the writer does, be it the recorder's own thread or whoever flushes or closes.
extension RecorderCore {
  /// Writes what waits: all of it, or what is due.
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
      // After a failure all that waits is tried: it has not ended because nothing was due.
      let isDue =
        flushing || hadFailed || ContinuousClock.now - taking.lastFlush >= options.flushInterval
      do throws(TraceError) {
        filling = try write(&taking, isDue: isDue, isLast: false)
        // Where a ring may have filled up, the first time left an event in it.
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

  /// What part of a ring's slots waits.
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
    if isLast || isFlush { try beginAnewIfMoved(&taking, output) }
    for place in taking.consumers.indices {
      try rotate(&taking, output)
      // Counted anew for each ring: names are interned before events that have them.
      let head = taking.consumers[place].head
      let ring = taking.consumers[place].ring
      let waits = head &- ring.progress.tail
      filling = max(filling, Filling(waits: waits, of: ring.capacity))
      guard waits >= atLeast else { continue }
      try beginAnewIfMoved(&taking, output)
      func drain(_ taking: inout Taking) throws(TraceError) {
        try taking.consumers[place].drain(
          upTo: head, isLast: isLast, isFlush: isFlush, atLeast: atLeast,
          counts: NameCounts(symbols), encoder: taking.encoder,
          eventsPerBlock: options.eventsPerBlock, into: output)
      }
      do throws(TraceError) {
        try drain(&taking)
      } catch let error {
        // What is in a file that has no name is not written.
        guard output.isGone else { throw error }
        try beginAnewIfMoved(&taking, output)
        try drain(&taking)
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

  /// Begins the next file if it is time; every file has streams of its own.
  private func rotate(_ taking: inout Taking, _ output: CaptureOutput) throws(TraceError) {
    guard try output.rotateIfDue(bytes: options.bytesPerFile, time: options.timePerFile) else {
      return
    }
    file.words.release(UInt64(output.number), at: RingLayout.File.fileNumber)
    for consumer in taking.consumers { consumer.ring.renewStream() }
  }

  /// Begins the file anew if its path leads to it no more.
  private func beginAnewIfMoved(
    _ taking: inout Taking, _ output: CaptureOutput
  ) throws(TraceError) {
    guard try output.beginAnewIfMoved() else { return }
    for consumer in taking.consumers { consumer.ring.renewStream() }
    if output.hasRemoval { tellProducers() }
  }

  /// Lets each producer's next call tell that the trace could not be written.
  private func tellProducers() {
    rings.withLock { rings in
      for handle in rings.handles {
        if let handle { ProducerCells.set(ProducerCell.State.notWritten, handle) }
      }
    }
  }
}
