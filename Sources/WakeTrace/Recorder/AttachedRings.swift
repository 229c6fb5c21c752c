import WakeEvents

/// The rings of one file, from which events are taken instead of by the recorder itself.
final class AttachedRings {
  let file: RingFile
  /// What is wrong with the file; rings that it is about are left as they are.
  private(set) var problems: [TraceError] = []
  /// Whether the process has ended and every event of it stands in a trace.
  private(set) var isDrained = false
  private let options: RingAttachment.Options
  private let output: CaptureOutput
  private let encoder: BlockEncoder
  private let symbols = Symbols()
  private var namesEnd = 0
  private var rings: [RingConsumer] = []

  private let path: String
  /// Whether the ring file says where its events go now. It does as soon as there are some, and not
  /// before, as it then forgets where earlier ones went.
  private var hasTakenOver = false
  /// Which of the output's files the rings' streams stand in.
  private var generation: Int

  /// Rings that were looked at, including those that are damaged.
  private var ringsSeen = 0

  /// Takes over a ring file whose consumer's lock is held.
  ///
  /// - Parameter shared: The trace that all rings go to; nil if each file has its own in a folder.
  init(
    _ file: RingFile, to path: String, shared: CaptureOutput?, options: RingAttachment.Options,
    tell: (RingAttachment.Note) -> Void
  ) throws(TraceError) {
    self.file = file
    self.path = path
    self.options = options
    if let shared {
      output = shared
    } else {
      let isSame = file.tracePath == path && !file.hasOwnWriter
      output = try CaptureOutput(
        path: path, prefix: file.name, number: isSame ? max(1, file.fileNumber) : 1,
        cutsTornBlock: true)
      if let notice = output.notice { tell(.init(notice)) }
    }
    generation = output.generation
    do throws(BlockError) {
      encoder = try BlockEncoder(symbols: symbols, level: options.level)
    } catch let error {
      throw error.located(file: file.path, offset: 0)
    }
    try addRings()
  }

  /// Before the first block, goes on with the streams of a predecessor if they stand in the same file.
  private func takeOver() throws(TraceError) {
    guard !hasTakenOver else { return }
    hasTakenOver = true
    let target = CaptureOutput.path(of: output.number, in: path, prefix: file.name)
    let goesOn = !file.hasOwnWriter && file.lastTracePath == target && output.isContinued
    for ring in rings.map(\.ring) where !goesOn && ring.progress.sequence > 0 { ring.renewStream() }
    try file.note(trace: path)
    file.note(fileNumber: output.number)
  }

  /// Adds rings that are new, and settles what a killed predecessor left in doubt.
  private func addRings() throws(TraceError) {
    for index in ringsSeen..<max(ringsSeen, file.ringCount) {
      let ring = try file.ring(index)
      ringsSeen += 1
      guard ring.isPlausible else {
        problems.append(
          TraceError(
            code: .malformed, file: file.path,
            message: "ring \(index) is damaged: its counts contradict each other"))
        continue
      }
      try file.settle(ring)
      rings.append(RingConsumer(ring, mode: file.mode))
    }
  }

  /// What was written so far.
  var tally: RingConsumer.Tally {
    rings.reduce(into: RingConsumer.Tally()) { $0.add($1.tally) }
  }

  /// Writes what waits.
  ///
  /// - Parameter isDue: Whether few events are written too.
  func pass(isDue: Bool) throws(TraceError) {
    // Asked first: what a process that has ended recorded is all there.
    let isLast = file.isAbandoned
    try addRings()
    let heads = rings.map(\.head)
    namesEnd = try file.readNames(from: namesEnd, into: symbols)
    let atLeast =
      isDue || isLast ? 1 : UInt64(min(TraceLimits.eventsPerBlock, file.slotsPerRing / 4))
    let counts = NameCounts(symbols)
    for place in rings.indices {
      guard heads[place] &- rings[place].ring.progress.tail >= atLeast else { continue }
      try takeOver()
      try rotate()
      func drain() throws(TraceError) {
        try rings[place].drain(
          upTo: heads[place], isLast: isLast, atLeast: atLeast, counts: counts, encoder: encoder,
          eventsPerBlock: TraceLimits.eventsPerBlock, into: output)
      }
      do throws(TraceError) {
        try drain()
      } catch let error {
        // What is in a file that has no name is not written.
        guard output.isGone else { throw error }
        try rotate()
        try drain()
      }
    }
    guard isLast, !isDrained else { return }
    for (ring, head) in zip(rings.map(\.ring), heads) { examine(ring, head) }
    isDrained = true
  }

  /// Notes what is left in a ring of a process that has ended.
  private func examine(_ ring: Ring, _ head: UInt64) {
    let left = head &- ring.progress.tail
    if left > 0 {
      problems.append(
        TraceError(
          code: .malformed, file: file.path,
          message: "ring \(ring.index) has \(left) slots that cannot be taken"))
    }
    let lostEnd = ring.words.load(RingLayout.Ring.lostEnd)
    if lostEnd > ring.progress.nextEvent {
      problems.append(
        TraceError(
          code: .missingBlocks, file: file.path,
          message: "ring \(ring.index) lost \(lostEnd - ring.progress.nextEvent) events that no "
            + "block tells of"))
    }
  }

  /// Begins the next file of this component if it is time, or a new one where the path leads to this one
  /// no more. Another component may have done so, if they share it.
  private func rotate() throws(TraceError) {
    _ = try output.beginAnewIfMoved()
    _ = try output.rotateIfDue(bytes: options.bytesPerFile, time: options.timePerFile)
    guard output.generation != generation else { return }
    generation = output.generation
    file.note(fileNumber: output.number)
    for consumer in rings { consumer.ring.renewStream() }
  }

  /// What was lost with a trace that was removed; told once.
  func takeRemoval() -> TraceError? { output.takeRemoval() }

  /// Ends the component's own trace; one in which nothing stands is removed.
  func end() {
    if output.number > 0 { output.end() }
  }
}

extension RingFile {
  /// The file's name without what all ring files end with.
  var name: String {
    path.split(separator: "/").last.map { String($0.dropLast(".ring".utf8.count)) } ?? ""
  }
}
