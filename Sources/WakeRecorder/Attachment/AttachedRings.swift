import WakeEvents
import WakeTrace

/// Drains the rings of one file in place of its recorder.
final class AttachedRings {
  let file: RingFile
  /// What is wrong with the file; damaged rings are left as they are.
  private(set) var problems: [TraceError] = []
  /// Whether the process has ended and all its events are in a trace.
  private(set) var isDrained = false
  private let options: RingAttachment.Options
  private let output: CaptureOutput
  private let encoder: BlockEncoder
  private let symbols = Symbols()
  private var namesEnd = 0
  private var rings: [RingConsumer] = []

  private let path: String
  /// Whether the ring file names this trace. It does from the first block on, as it then forgets the trace before.
  private var hasTakenOver = false
  /// The ``CaptureOutput/generation`` that the rings' streams belong to.
  private var generation: Int
  /// Rings that were opened, damaged ones included.
  private var ringsSeen = 0

  /// Takes over a ring file; the caller holds its consumer's lock.
  ///
  /// - Parameter shared: The trace of all ring files; nil if each has its own in a folder.
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
    encoder = try BlockEncoder(symbols: symbols, level: options.level, file: file.path)
    try addRings()
  }

  /// Before the first block: names this trace in the ring file, and continues a predecessor's streams if they are
  /// in the same trace.
  private func takeOver() throws(TraceError) {
    guard !hasTakenOver else { return }
    hasTakenOver = true
    let target = CaptureOutput.path(of: output.number, in: path, prefix: file.name)
    let goesOn = !file.hasOwnWriter && file.lastTracePath == target && output.isContinued
    for ring in rings.map(\.ring) where !goesOn && ring.progress.sequence > 0 { ring.renewStream() }
    try file.note(trace: path)
    file.note(fileNumber: output.number)
  }

  /// Opens rings that are new, and completes or undoes the block that a killed predecessor was writing.
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
      try file.resolve(ring)
      rings.append(RingConsumer(ring, mode: file.mode))
    }
  }

  /// Counts of what was written.
  var tally: RingConsumer.Tally {
    rings.reduce(into: RingConsumer.Tally()) { $0.add($1.tally) }
  }

  /// Writes the events that wait.
  ///
  /// - Parameter isDue: Whether few events are written too.
  func pass(isDue: Bool) throws(TraceError) {
    // Read first: if the process has ended, the heads below are final.
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
      try output.retryIfGone(rotate) { () throws(TraceError) in
        try rings[place].drain(
          upTo: heads[place], isLast: isLast, atLeast: atLeast, counts: counts, encoder: encoder,
          eventsPerBlock: TraceLimits.eventsPerBlock, into: output)
      }
    }
    guard isLast, !isDrained else { return }
    for (ring, head) in zip(rings.map(\.ring), heads) { examine(ring, head) }
    isDrained = true
  }

  /// Reports what is left in a ring of a process that has ended.
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

  /// Opens another file if it is time or the current one was moved. Another component may have done so, if they
  /// share the output.
  private func rotate() throws(TraceError) {
    _ = try output.replaceIfMoved()
    _ = try output.rotateIfDue(bytes: options.bytesPerFile, time: options.timePerFile)
    guard output.generation != generation else { return }
    generation = output.generation
    file.note(fileNumber: output.number)
    for consumer in rings { consumer.ring.renewStream() }
  }

  /// The loss of a trace that was removed; reported once.
  func takeRemoval() -> TraceError? { output.takeRemoval() }

  /// Ends the component's own trace, and removes it if it is empty.
  func end() {
    if output.number > 0 { output.end() }
  }
}

extension RingFile {
  /// The file's name without its extension.
  var name: String {
    path.split(separator: "/").last.map { String($0.dropLast(".ring".utf8.count)) } ?? ""
  }
}
