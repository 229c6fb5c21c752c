import CSystem
import Glibc
import Synchronization
import WakeEvents

/// What a recorder's user, its producers and its writer share.
final class RecorderCore: @unchecked Sendable {
  // Sendable: `rings` and `taking` are reached under their locks alone. Who needs both locks takes
  // that of `taking` first.

  /// Rings by place, and the producers that write to them.
  private struct Rings {
    var all: [Ring] = []
    var handles: [UInt64?] = []
    var isClosed = false
  }

  /// The one who takes events out of the rings.
  private struct Taking {
    var consumers: [RingConsumer] = []
    var encoder: BlockEncoder
    var output: CaptureOutput?
    var lastFlush = ContinuousClock.now
    var fileBegan = ContinuousClock.now
    /// What the last attempt to write threw.
    var failure: TraceError?
    var isEnded = false
  }

  let symbols = Symbols()
  let file: RingFile
  private let options: Recorder.Options
  private let process = getpid()
  private let rings = ThreadLock(Rings())
  private let taking: ThreadLock<Taking>

  private static let started = Atomic<Int>(0)
  private static let hasBarrier = rouse_barrier_start()

  init(_ options: Recorder.Options) throws(TraceError) {
    var options = options
    if let objection = options.objection {
      throw TraceError(code: .invalidOption, file: options.trace ?? "recorder", message: objection)
    }
    var slots = 1
    while slots < options.slotsPerRing { slots *= 2 }
    options.slotsPerRing = slots
    self.options = options
    _ = Self.hasBarrier
    let count = Self.started.add(1, ordering: .relaxed).newValue
    let name = "rouse-\(getpid())-\(SystemCalls.processStart)-\(count)"
    var output: CaptureOutput?
    if let trace = options.trace {
      let absolute = SystemCalls.absolute(trace)
      output = try CaptureOutput(path: absolute, prefix: name)
    }
    file = try RingFile(
      creating: "\(options.ringFolder)/\(name).ring", mode: options.mode,
      slotsPerRing: slots, tracePath: options.trace.map { SystemCalls.absolute($0) })
    file.words.store(UInt64(output?.number ?? 0), at: RingLayout.File.fileNumber)
    ProducerCells.closeInChild(file.descriptor)
    let encoder: BlockEncoder
    do throws(BlockError) {
      encoder = try BlockEncoder(symbols: symbols, level: options.level)
    } catch let error {
      throw error.located(file: file.path, offset: 0)
    }
    if options.trace != nil { _ = file.lockAsConsumer() }
    taking = ThreadLock(Taking(encoder: encoder, output: output))
    _ = try intern(options.device, .device)
  }

  deinit { ProducerCells.forget(file.descriptor) }

  /// Whether this is the process that made the recorder, and not one that was forked off.
  var isOwn: Bool { getpid() == process }

  private var closedError: TraceError {
    TraceError(
      code: .closed, file: file.path,
      message: isOwn
        ? "the recorder is closed" : "the recorder belongs to the process that this was forked off")
  }

  var tracePath: String? {
    guard isOwn else { return nil }
    return taking.withLock { $0.output?.name }
  }

  // MARK: Names and producers

  func intern(_ name: String, _ sort: NameSort) throws(TraceError) -> UInt32 {
    guard isOwn else { throw closedError }
    guard name.utf8.count <= Recorder.nameLimit else {
      throw TraceError(
        code: .tooLarge, file: file.path,
        message: "a name has \(name.utf8.count) bytes; at most \(Recorder.nameLimit) are recorded")
    }
    if let index = symbols.index(of: name, sort) { return index }
    let result: Result<UInt32, TraceError> = rings.withLock { rings in
      if rings.isClosed { return .failure(closedError) }
      if let index = symbols.index(of: name, sort) { return .success(index) }
      do throws(TraceError) {
        // First in the table: whoever sees the name's number in a ring can look it up.
        let index = symbols.intern(name, sort)
        try file.append(name: name, sort: sort)
        return .success(index)
      } catch let error {
        return .failure(error)
      }
    }
    return try result.get()
  }

  func openProducer(device: UInt32?) throws(TraceError) -> UInt64 {
    guard isOwn else { throw closedError }
    let device = device ?? 0
    let result: Result<UInt64, TraceError> = rings.withLock { rings in
      if rings.isClosed { return .failure(closedError) }
      guard device < symbols.count(of: .device) else {
        return .failure(
          TraceError(
            code: .invalidOption, file: file.path, message: "the device's name was not interned"))
      }
      do throws(TraceError) {
        let place = try ring(for: device, &rings)
        guard let handle = ProducerCells.open(rings.all[place], of: file) else {
          throw TraceError(
            code: .tooLarge, file: file.path,
            message: "the process has more than \(ProducerCells.limit) producers")
        }
        rings.handles[place] = handle
        rings.all[place].set(.open)
        return .success(handle)
      } catch let error {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The place of a ring that nobody writes to, or of a new one.
  private func ring(for device: UInt32, _ rings: inout Rings) throws(TraceError) -> Int {
    for place in rings.all.indices where rings.handles[place] == nil {
      if rings.all[place].words.load(RingLayout.Ring.device) == UInt64(device) { return place }
    }
    guard rings.all.count < Recorder.ringLimit else {
      throw TraceError(
        code: .tooLarge, file: file.path,
        message: "more than \(Recorder.ringLimit) threads record at once")
    }
    let ring = try file.addRing()
    ring.start(stream: Self.newStream(), device: device)
    rings.all.append(ring)
    rings.handles.append(nil)
    return rings.all.count - 1
  }

  static func newStream() -> UInt64 { UInt64.random(in: 1...(.max)) }

  /// Gives a producer's ring to the next one; by the producer's own thread.
  func closeProducer(_ handle: UInt64) {
    guard isOwn else {
      ProducerCells.close(handle)
      return
    }
    rings.withLock { rings in
      ProducerCells.close(handle)
      for place in rings.handles.indices where rings.handles[place] == handle {
        rings.handles[place] = nil
      }
    }
  }

  // MARK: Writing

  /// Writes what waits: all of it, or what is due.
  func pass(flushing: Bool) throws(TraceError) {
    guard isOwn else { throw closedError }
    let failure: TraceError? = taking.withLock { taking in
      if taking.isEnded { return flushing ? closedError : nil }
      let hadFailed = taking.failure != nil
      let isDue = flushing || ContinuousClock.now - taking.lastFlush >= options.flushInterval
      do throws(TraceError) {
        try write(&taking, isDue: isDue, isLast: false)
        taking.failure = nil
      } catch let error {
        taking.failure = error
        if !hadFailed { tellProducers() }
      }
      return taking.failure
    }
    if let failure { throw failure }
  }

  private func write(
    _ taking: inout Taking, isDue: Bool, isLast: Bool
  ) throws(TraceError) {
    guard let output = taking.output else { return }
    addConsumers(&taking)
    let atLeast = UInt64(min(options.eventsPerBlock, options.slotsPerRing / 4))
    for place in taking.consumers.indices {
      try rotate(&taking, output)
      // Counted anew for each ring: names are interned before events that have them.
      let head = taking.consumers[place].head
      try taking.consumers[place].drain(
        upTo: head, isLast: isLast, atLeast: isDue || isLast ? 1 : atLeast,
        counts: NameCounts(symbols), encoder: taking.encoder,
        eventsPerBlock: options.eventsPerBlock, into: output)
    }
    if isDue { taking.lastFlush = .now }
  }

  private func addConsumers(_ taking: inout Taking) {
    let known = taking.consumers.count
    let added = rings.withLock { rings in Array(rings.all.dropFirst(known)) }
    for ring in added { taking.consumers.append(RingConsumer(ring, mode: options.mode)) }
  }

  /// Begins the next file if it is time; every file has streams of its own.
  private func rotate(_ taking: inout Taking, _ output: CaptureOutput) throws(TraceError) {
    guard output.number > 0, output.length > 0 else { return }
    let isFull = options.bytesPerFile.map { output.length >= $0 } ?? false
    let isOld = options.timePerFile.map { .now - taking.fileBegan >= $0 } ?? false
    guard isFull || isOld else { return }
    try output.rotate()
    taking.fileBegan = .now
    file.words.release(UInt64(output.number), at: RingLayout.File.fileNumber)
    for consumer in taking.consumers {
      var progress = consumer.ring.progress
      progress.stream = Self.newStream()
      progress.sequence = 0
      consumer.ring.progress = progress
    }
  }

  /// Lets each producer's next call tell that the trace could not be written.
  private func tellProducers() {
    rings.withLock { rings in
      for handle in rings.handles {
        if let handle { ProducerCells.set(ProducerCell.State.notWritten, handle) }
      }
    }
  }

  // MARK: Snapshots, the end, figures

  func snapshot(to path: String) throws(TraceError) -> Recorder.Statistics {
    guard isOwn else { throw closedError }
    let all = rings.withLock { rings in rings.isClosed ? nil : rings.all }
    guard let all else { throw closedError }
    guard options.mode == .overwrite else {
      throw TraceError(
        code: .invalidOption, file: file.path,
        message: "only recorders that overwrite take snapshots; others write a trace")
    }
    let output = try FileOutput(path: path)
    var statistics = Recorder.Statistics()
    do throws(BlockError) {
      let encoder = try BlockEncoder(symbols: symbols, level: options.level)
      for ring in all {
        do throws(TraceError) {
          let copy = try ring.copied(stream: Self.newStream())
          var consumer = RingConsumer(copy, mode: .overwrite)
          try consumer.drain(
            upTo: consumer.head, isLast: true, counts: NameCounts(symbols), encoder: encoder,
            eventsPerBlock: options.eventsPerBlock, into: output)
          statistics.add(consumer.tally)
        } catch let error {
          throw BlockError(error.code, error.message)
        }
      }
    } catch let error {
      throw error.located(file: path, offset: 0)
    }
    try output.commit()
    return statistics
  }

  func close() throws(TraceError) {
    guard isOwn else { return }
    let handles: [UInt64]? = rings.withLock { rings in
      if rings.isClosed { return nil }
      rings.isClosed = true
      return rings.handles.compactMap(\.self)
    }
    guard let handles else { return }
    for handle in handles { ProducerCells.set(ProducerCell.State.closed, handle) }
    // Now a call either sees that the recorder closes, or is seen here to be under way.
    if Self.hasBarrier { rouse_barrier_in_all_threads() } else { usleep(10_000) }
    let all = rings.withLock { $0.all }
    for ring in all {
      while ring.words.acquire(RingLayout.Ring.reserved)
        != ring.words.acquire(RingLayout.Ring.head)
      {
        sched_yield()
      }
    }
    let failure: TraceError? = taking.withLock { taking in
      taking.isEnded = true
      do throws(TraceError) {
        try write(&taking, isDue: true, isLast: true)
        taking.failure = nil
      } catch let error {
        taking.failure = error
      }
      let output = taking.output.take()
      if output?.isEmptyFile == true, let name = output?.name { SystemCalls.remove(name) }
      return taking.failure
    }
    if let failure { throw failure }
    if options.trace != nil || options.mode == .overwrite { SystemCalls.remove(file.path) }
  }

  var statistics: Recorder.Statistics {
    guard isOwn else { return Recorder.Statistics() }
    var statistics = Recorder.Statistics()
    taking.withLock { taking in
      for consumer in taking.consumers { statistics.add(consumer.tally) }
    }
    let all = rings.withLock { $0.all }
    statistics.lost = all.reduce(0) { $0 + $1.words.load(RingLayout.Ring.lost) }
    return statistics
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

extension SystemCalls {
  /// A path from the root on, so that others find the file.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return unsafe "\(String(cString: folder))/\(path)"
  }
}
