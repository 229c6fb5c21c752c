import WakeTrace

// Each event is kept once. Blocks are identified by stream and number; a ring's events by their numbers in the blocks
// of its stream, such as those of an earlier recovery.
extension TraceRecovery {
  /// The blocks of the result.
  struct KeptBlocks {
    /// By stream and sequence: how many event numbers a block takes, including lost events.
    private var numbers: [UInt64: [UInt32: UInt64]] = [:]

    private static let most: UInt64 = 1 << 60

    var isEmpty: Bool { numbers.isEmpty }

    func contains(stream: UInt64) -> Bool { numbers[stream] != nil }

    func contains(stream: UInt64, _ sequence: UInt32) -> Bool {
      numbers[stream]?[sequence] != nil
    }

    /// Adds a block of a trace; false if the result has it.
    mutating func insert(_ block: BlockEntry) -> Bool {
      let header = block.header
      guard !contains(stream: header.stream, header.sequence) else { return false }
      let lost = min(header.lostBefore, Self.most)
      numbers[header.stream, default: [:]][header.sequence] = lost + UInt64(block.eventCount)
      return true
    }

    /// Adds a block of a ring's events after a progress.
    mutating func insert(_ progress: RingProgress, numbers count: UInt64) {
      numbers[progress.stream, default: [:]][UInt32(progress.sequence)] = count
    }

    /// Skips the events of a ring that the result has.
    ///
    /// - Complexity: O(slots of the ring and blocks of its stream).
    func skip(
      _ ring: Ring, upTo head: UInt64, _ counts: NameCounts, mode: RecorderMode,
      _ report: inout Report
    ) {
      let start = ring.progress
      guard let blocks = numbers[start.stream], head &- start.tail <= ring.capacity else { return }
      var end = start
      while end.sequence <= UInt32.max, end.nextEvent < Self.most,
        let count = blocks[UInt32(end.sequence)]
      {
        end.nextEvent += min(count, Self.most)
        end.sequence += 1
      }
      // After a missing block, the event numbers of later blocks are unknown.
      let isBroken = blocks.keys.contains { $0 >= end.sequence }
      guard end != start || isBroken else { return }
      let consumer = RingConsumer(ring, mode: mode)
      var expected = start.nextEvent
      var dropped = 0
      while end.tail < head {
        guard let event = consumer.event(at: end.tail, upTo: head, expected) else {
          end.tail += 1
          continue
        }
        let number = max(event.number, expected)
        if number >= end.nextEvent, !isBroken { break }
        end.tail = event.end
        if consumer.device(of: event) ?? ring.device < counts[.device],
          consumer.input(of: event, counts) != nil
        {
          expected = number + 1
          if number < end.nextEvent { report.repeatedEvents += 1 } else { dropped += 1 }
        }
      }
      if isBroken {
        end.nextEvent = max(end.nextEvent, expected)
        report.note(
          .missingBlocks,
          "ring \(ring.index): the result has later blocks of its stream but not block "
            + "\(end.sequence); \(dropped) events are left out, as some would be there twice")
      }
      ring.progress = end
    }
  }

  /// An output that looks at each block of a ring before, and reports it after it is written.
  final class RingOutput: BlockOutput {
    private let output: FileOutput
    private let ring: Ring
    private let check: (BlockEncoder.Block) throws(TraceError) -> Void
    private let insert: (_ progress: RingProgress, _ numbers: UInt64) -> Void

    init(
      _ output: FileOutput, _ ring: Ring,
      check: @escaping (BlockEncoder.Block) throws(TraceError) -> Void,
      insert: @escaping (_ progress: RingProgress, _ numbers: UInt64) -> Void
    ) {
      (self.output, self.ring, self.check, self.insert) = (output, ring, check, insert)
    }

    var name: String { output.name }

    func write(_ block: BlockEncoder.Block) throws(TraceError) {
      try check(block)
      try output.write(block)
      // The ring has stored the progress after the block.
      guard let next = ring.progressInDoubt else { return }
      insert(ring.progress, next.nextEvent - ring.progress.nextEvent)
    }
  }
}
