import WakeEvents
import WakeTrace

/// Takes the events of one file's rings and appends them to a trace.
///
/// The caller holds the lock of the rings' consumer, and calls from one thread at a time.
final class RingDrain {
  let file: RingFile
  let output: CaptureOutput
  private(set) var consumers: [RingConsumer] = []
  private let encoder: BlockEncoder
  private let eventsPerBlock: Int
  /// The ``CaptureOutput/generation`` that the rings' streams belong to.
  private var generation: Int

  init(
    _ file: RingFile, to output: CaptureOutput, symbols: Symbols, level: Int,
    eventsPerBlock: Int = TraceLimits.eventsPerBlock
  ) throws(TraceError) {
    (self.file, self.output, self.eventsPerBlock) = (file, output, eventsPerBlock)
    encoder = try BlockEncoder(symbols: symbols, level: level, file: file.path)
    generation = output.generation
  }

  func add(_ ring: Ring) { consumers.append(RingConsumer(ring, mode: file.mode)) }

  /// What blocks hold, and the lost events that they tell of.
  var written: Recorder.Statistics {
    consumers.reduce(into: Recorder.Statistics()) { $0.add($1.written) }
  }

  /// The slots that wait in the fullest ring, up to these heads.
  func mostWaiting(upTo heads: [UInt64]) -> UInt64 {
    zip(consumers, heads).map { $1 &- $0.ring.progress.tail }.max() ?? 0
  }

  /// Slots that wait before a pass with nothing due writes them.
  var fullBlock: UInt64 { UInt64(min(eventsPerBlock, file.slotsPerRing / 4)) }

  /// Writes the events that wait before these heads; the other parameters are those of `RingConsumer.drain`.
  ///
  /// - Throws: ``TraceError`` if the trace cannot be written, or with `sameDeviceHash` if it may not have a device; or,
  ///   after all others were written, if the ring file was cut short.
  func write(
    upTo heads: [UInt64], atLeast: UInt64, isLast: Bool, isFlush: Bool = false, counts: NameCounts
  ) throws(TraceError) {
    for place in consumers.indices
    where !consumers[place].ring.region.isCut
      && heads[place] &- consumers[place].ring.progress.tail >= atLeast
    {
      try advance()
      do throws(TraceError) {
        try output.retryIfGone(advance) { () throws(TraceError) in
          try consumers[place].drain(
            upTo: heads[place], isLast: isLast, isFlush: isFlush, atLeast: atLeast, counts: counts,
            encoder: encoder, eventsPerBlock: eventsPerBlock, into: output, trace: output.identity)
        }
      } catch let error where error.code == .sameDeviceHash {
        // Other rings' events can go to the trace.
        throw file.error(error.code, "\(error.message) in \(output.name.shown)")
      }
    }
    try file.checkWhole(consumers.map(\.ring))
  }

  /// Opens another file if it is time or the current one was moved. Another component may have done so, if they
  /// share the output. Every file has streams of its own.
  func advance() throws(TraceError) {
    try output.advance()
    guard output.generation != generation else { return }
    generation = output.generation
    file.note(fileNumber: output.number)
    for consumer in consumers { consumer.ring.renewStream() }
  }
}
