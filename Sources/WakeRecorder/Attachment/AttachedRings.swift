import WakeEvents
import WakeTrace

/// Drains the rings of one file in place of its recorder.
final class AttachedRings {
  let file: RingFile
  /// What is wrong with the file; damaged rings are left as they are.
  private(set) var problems: [TraceError] = []
  /// Whether the process has ended and all its events are in a trace.
  private(set) var isDrained = false
  private let path: String
  private let tell: (RingAttachment.Note) -> Void
  let drain: RingDrain
  private let symbols = Symbols()
  private var namesEnd = 0
  /// Whether the ring file names this trace. It does from the first block on, as it then forgets the trace before.
  private var hasTakenOver = false
  /// Rings that were opened, damaged ones included.
  private var ringsSeen = 0

  /// Takes over a ring file; the caller holds its consumer's lock.
  ///
  /// - Parameter shared: The trace of all ring files; nil if each has its own in a folder.
  init(
    _ file: RingFile, to path: String, shared: CaptureOutput?, options: TraceCapture.Options,
    tell: @escaping (RingAttachment.Note) -> Void
  ) throws(TraceError) {
    (self.file, self.path, self.tell) = (file, path, tell)
    let output: CaptureOutput
    if let shared {
      output = shared
    } else {
      let isSame = file.tracePath == path && !file.hasOwnWriter
      output = try Self.openTrace(
        in: path, for: file, from: isSame ? max(1, file.fileNumber) : 1, options, tell)
      if let notice = output.notice { tell(.init(notice)) }
    }
    drain = try RingDrain(file, to: output, symbols: symbols, level: options.level)
    try addRings()
  }

  /// Names of files that are not the component's are passed over, as another user may have made files of them.
  private static let mostNamesTaken = 100

  /// Opens the component's own trace, with the first number from one on whose file can be written.
  private static func openTrace(
    in folder: String, for file: RingFile, from first: Int, _ options: TraceCapture.Options,
    _ tell: (RingAttachment.Note) -> Void
  ) throws(TraceError) -> CaptureOutput {
    var number = first
    var taken: TraceError?
    while true {
      do throws(TraceError) {
        let output = try CaptureOutput(
          path: folder, prefix: file.name, number: number, options: options, cutsTornBlock: true)
        if let taken { tell(.init("\(taken); \(output.name.shown) is written instead")) }
        return output
      } catch {
        let isTaken = [.anotherUsers, .notATrace].contains(error.code)
        guard isTaken, number - first < mostNamesTaken else { throw error }
        taken = taken ?? error
        number += 1
      }
    }
  }

  /// The streams of its rings.
  var streams: [UInt64] { drain.consumers.map(\.ring.progress.stream) }

  /// Before the first block: names this trace in the ring file, and continues a predecessor's streams if they are
  /// in the same trace.
  private func takeOver() throws(TraceError) {
    guard !hasTakenOver else { return }
    hasTakenOver = true
    let output = drain.output
    for ring in drain.consumers.map(\.ring) where ring.progress.sequence > 0 {
      let goesOn = output.isContinued && ring.progress.trace == output.identity
      if !goesOn { ring.renewStream() }
    }
    try file.note(trace: path)
    file.note(fileNumber: output.number)
  }

  /// Opens rings that are new, and completes or undoes the block that a killed predecessor was writing.
  private func addRings() throws(TraceError) {
    for index in ringsSeen..<max(ringsSeen, file.countRings().whole) {
      let ring = try file.ring(index)
      ringsSeen += 1
      guard ring.isPlausible else {
        problems.append(file.contradiction(in: ring))
        continue
      }
      if let doubt = try file.resolve(ring) { tell(.init("\(doubt)")) }
      drain.add(ring)
    }
  }

  /// Writes the events that wait.
  ///
  /// - Parameter isDue: Whether few events are written too.
  func pass(isDue: Bool) throws(TraceError) {
    // Read first: if the process has ended, the heads below are final.
    let isLast = file.lockAsRecorder()
    try addRings()
    let heads = drain.consumers.map(\.head)
    namesEnd = try file.readNames(from: namesEnd, into: symbols)
    let atLeast = isDue || isLast ? 1 : drain.fullBlock
    if drain.mostWaiting(upTo: heads) >= atLeast { try takeOver() }
    try drain.write(upTo: heads, atLeast: atLeast, isLast: isLast, counts: NameCounts(symbols))
    guard isLast, !isDrained else { return }
    for (ring, head) in zip(drain.consumers.map(\.ring), heads) {
      let left = head &- ring.progress.tail
      if left > 0 {
        problems.append(
          file.error(.malformed, "ring \(ring.index) has \(left) slots that cannot be taken"))
      }
      if let loss = ring.unrecordedLoss(in: file.path) { problems.append(loss) }
    }
    isDrained = true
  }

  /// Ends the component's own trace, and removes it if it is empty.
  func end() throws(TraceError) {
    if drain.output.number > 0 { try drain.output.end() }
  }
}
