import WakeEvents
public import WakeTrace

/// Makes a clean trace of ring files and damaged traces, after a crash or a full disk.
///
///     let recovery = try TraceRecovery(to: output)
///     try recovery.add(trace: try TraceFile(path: "capture.wtrace"))
///     try recovery.add(LeftRing("/dev/shm/rouse-4711-815-1.ring"))
///     try output.commit()
///
/// The inputs are only read. Whole blocks of traces are copied, each once. Events of a ring file that its trace does
/// not have become blocks of the same streams; add the trace before the ring file if both go to the result.
public final class TraceRecovery {
  /// What became of a file.
  public struct Report: Hashable, Sendable {
    /// The file.
    public var file: String
    /// Whether it is a ring file.
    public var isRingFile = false
    /// Events that were kept.
    public var events = 0
    /// Blocks that were kept.
    public var blocks = 0
    /// Blocks that were left out because the result has them.
    public var repeatedBlocks = 0
    /// Events of a ring file that were left out because the result has them.
    public var repeatedEvents = 0
    /// Blocks that were left out because they are damaged.
    public var damagedBlocks = 0
    /// Their events, by their headers.
    public var damagedEvents = 0
    /// Bytes that belong to no block; in a ring file, to no event.
    public var strayBytes: Int64 = 0
    /// Events that were lost in recording, by the blocks that were kept.
    public var lostInRecording: UInt64 = 0
    /// What is wrong with the file, by place; the first `TraceVerification.problemsKept`.
    public var problems: [TraceError] = []

    init(file: String) { self.file = file }

    mutating func note(_ problem: TraceError) {
      if problems.count < TraceVerification.problemsKept { problems.append(problem) }
    }

    mutating func note(_ code: TraceError.Code, _ message: String) {
      note(TraceError(code, file, message))
    }
  }

  private let output: FileOutput
  private let level: Int
  private var kept = KeptBlocks()
  /// The devices of all inputs.
  private var devices = DeviceHashes()

  /// Starts a recovery.
  ///
  /// - Parameters:
  ///   - output: Where the clean trace goes; the caller commits it.
  ///   - level: zlib's level for events of ring files.
  public init(to output: FileOutput, level: Int = 6) {
    self.output = output
    self.level = level
  }

  /// Adds the whole blocks of a trace.
  ///
  /// - Throws: `TraceError` if the trace cannot be read or the new one cannot be written; damage is reported.
  public func add(trace file: TraceFile) throws(TraceError) -> Report { try add([file])[0] }

  /// Adds the whole blocks of traces, those of a stream in the order of their numbers: a stream may be spread over
  /// files in any order.
  ///
  /// - Throws: `TraceError` if the output cannot be written; damage is in the reports.
  /// - Complexity: O(bytes and events of the traces).
  public func add(_ traces: [TraceFile]) throws(TraceError) -> [Report] {
    var found: [(file: TraceFile, block: BlockEntry)] = []
    let reports = traces.map { file in report(on: file) { found.append((file, $0)) } }
    // Each place of a stream gets the block that is next in the stream.
    let places = Dictionary(grouping: found.indices) { found[$0].block.header.stream }
    var order = Array(found.indices)
    for places in places.values {
      let sorted = places.sorted {
        found[$0].block.header.sequence < found[$1].block.header.sequence
      }
      for (place, next) in zip(places, sorted) { order[place] = next }
    }
    for (file, block) in order.lazy.map({ found[$0] }) {
      var bytes: [UInt8] = []
      let count = try file.read(block.length, at: block.offset, into: &bytes)
      guard count == block.length else {
        throw TraceError(.truncated, file.name, "was cut short while it was read")
      }
      try output.write(Array(bytes[..<count]))
    }
    return reports
  }

  /// What becomes of a trace.
  ///
  /// - Parameter keep: Takes each block that is kept.
  private func report(on file: TraceFile, _ keep: (BlockEntry) -> Void) -> Report {
    var report = Report(file: file.name)
    var scan = BlockScan(file)
    var checker = BlockChecker(file, devices: devices)
    defer { devices = checker.devices }
    while true {
      var found: BlockEntry?
      do throws(TraceError) {
        found = try scan.next()
      } catch let error {
        report.note(error)
        // Without a next place, the rest cannot be read.
        guard let stray = try? scan.resume() else { return report }
        report.strayBytes += stray
        continue
      }
      guard let block = found else { return report }
      let faults = checker.faults(of: block)
      guard faults.isEmpty else {
        report.damagedBlocks += 1
        report.damagedEvents += block.eventCount
        for fault in faults { report.note(fault) }
        continue
      }
      guard kept.insert(block) else {
        report.repeatedBlocks += 1
        continue
      }
      keep(block)
      report.blocks += 1
      report.events += block.eventCount
      report.lostInRecording.addClamped(block.header.lostBefore)
    }
  }

  /// Adds the events of a ring file that the result does not have.
  ///
  /// - Throws: `TraceError` if the file is in use, all its names are damaged, or the output cannot be written.
  public func add(_ left: LeftRing) throws(TraceError) -> Report {
    try left.claim()
    let (file, path) = (left.file, left.path)
    var report = Report(file: path)
    report.isRingFile = true
    var rings: [Ring] = []
    let (count, cut) = file.countRings()
    for index in 0..<count { rings.append(try file.ring(index)) }
    let heads = rings.map { $0.words.acquire(RingLayout.Ring.head) }
    let symbols = Symbols()
    if let cut { report.note(cut) }
    if let damage = try file.readTrustedNames(into: symbols) { report.note(damage) }
    let encoder = try BlockEncoder(symbols: symbols, level: level, file: path)
    /// Whether the result lacks blocks that the recorder wrote.
    var isIncomplete = false
    for (ring, head) in zip(rings, heads) {
      guard ring.isPlausible else {
        report.note(file.contradiction(in: ring))
        continue
      }
      let stream = ring.progress.stream
      if let doubt = try file.resolve(ring, isKnown: { kept.contains(stream: $0, $1) }) {
        report.note(doubt)
      }
      // With a new stream, an earlier recovery would not be recognized.
      if file.mode == .overwrite, ring.progress.sequence == 0 { ring.progress.stream = stream }
      let before = ring.progress
      isIncomplete =
        isIncomplete
        || before.sequence > 0
          && !kept.contains(stream: before.stream, UInt32(before.sequence - 1))
      kept.skip(ring, upTo: head, NameCounts(symbols), mode: file.mode, &report)
      var consumer = RingConsumer(ring, mode: file.mode)
      let waits = head &- ring.progress.tail
      if waits > ring.capacity {
        report.note(
          .malformed, "ring \(ring.index) says that \(waits) of its \(ring.capacity) slots wait")
      }
      do throws(TraceError) {
        try consumer.drain(
          upTo: head, isLast: true, counts: NameCounts(symbols), encoder: encoder,
          eventsPerBlock: TraceLimits.eventsPerBlock,
          into: RingOutput(output, ring) { [self] block throws(TraceError) in
            for device in block.devices {
              if let fault = devices.insert(device) {
                throw TraceError(fault.code, path, fault.message)
              }
            }
          } insert: { [self] in
            kept.insert($0, numbers: $1)
          })
      } catch let error {
        guard error.file == path else { throw error }
        report.note(error)
      }
      let (written, damagedSlots) = (consumer.written, consumer.damagedSlots)
      report.events += written.written
      report.blocks += written.blocks
      report.lostInRecording.addClamped(written.lost)
      report.strayBytes += Int64(damagedSlots) * Int64(RingLayout.slotBytes)
      if damagedSlots > 0 {
        report.note(
          .damaged, "ring \(ring.index) has \(damagedSlots) slots without a readable event")
      }
      if let loss = ring.unrecordedLoss(in: path) { report.note(loss) }
    }
    let missing = isIncomplete ? file.missingTracePaths(atMost: TraceVerification.problemsKept) : []
    for trace in missing {
      report.note(
        .missingBlocks,
        "its trace \(trace.shown) is not there, and what it held is not in the result")
    }
    return report
  }
}
