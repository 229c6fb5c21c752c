import WakeEvents

/// Takes events out of one ring and makes blocks of them.
struct RingConsumer {
  /// What became of the events.
  struct Tally {
    var events = 0
    var blocks = 0
    var bytes: Int64 = 0
    /// Events that blocks say were lost.
    var lost: UInt64 = 0
    /// Slots that hold no event that can be read; only where a ring file is damaged.
    var damagedSlots: UInt64 = 0

    mutating func add(_ other: Tally) {
      events += other.events
      blocks += other.blocks
      bytes += other.bytes
      lost += other.lost
      damagedSlots += other.damagedSlots
    }
  }

  let ring: Ring
  let mode: RecorderMode
  private(set) var tally = Tally()

  private let slots: SharedWords
  private var columns = InputColumns()
  private var runs: [DeviceRun] = []

  init(_ ring: Ring, mode: RecorderMode) {
    self.ring = ring
    self.mode = mode
    slots = ring.slots
  }

  /// Slots that were written so far.
  var head: UInt64 { ring.words.acquire(RingLayout.Ring.head) }

  /// Writes all that waits, or a part of it, block by block.
  ///
  /// - Parameters:
  ///   - head: Where to stop: ``head`` as it was before the names were counted.
  ///   - isLast: Whether nothing will be recorded to this stream any more.
  ///   - atLeast: Slots that must wait, else nothing is done.
  mutating func drain(
    upTo head: UInt64, isLast: Bool, atLeast: UInt64 = 1, counts: NameCounts, encoder: BlockEncoder,
    eventsPerBlock: Int, into output: any BlockOutput
  ) throws(TraceError) {
    let lostEnd = ring.words.acquire(RingLayout.Ring.lostEnd)
    // Loss behind the last event can be told by that event's block alone, so where the ring may fill
    // up before the next event, one event stays in it.
    let mayFillUp = mode == .drop && !isLast && head &- ring.progress.tail > ring.capacity / 2
    while true {
      if ring.progress.sequence > UInt32.max {
        // The format numbers no more blocks of a stream.
        var next = ring.progress
        (next.stream, next.sequence) = (RecorderCore.newStream(), 0)
        ring.progress = next
      }
      let progress = ring.progress
      let waits = head &- progress.tail
      guard waits >= max(1, atLeast), waits <= ring.capacity else { return }
      let leave: Leave =
        mayFillUp ? .one : isLast && lostEnd > progress.nextEvent ? .oneBehindOthers : .nothing
      var limit = eventsPerBlock
      while true {
        var next = progress
        var lost = take(&next, upTo: head, counts, limit: limit, leave: leave)
        if columns.count == 0 {
          ring.progress = next
          break
        }
        if isLast, next.tail == head, lostEnd > next.nextEvent {
          lost += lostEnd - next.nextEvent
          next.nextEvent = lostEnd
        }
        let block: BlockEncoder.Block
        do throws(BlockError) {
          block = try encoder.encode(
            columns, runs: runs, stream: progress.stream, sequence: UInt32(progress.sequence),
            lostBefore: lost)
        } catch let error {
          // Names or texts are too long for one block: fewer events, then.
          guard columns.count > 1 else { throw error.located(file: output.name, offset: 0) }
          limit = columns.count / 2
          continue
        }
        next.sequence += 1
        ring.prepare(next)
        do throws(TraceError) {
          try output.write(block)
        } catch let error {
          ring.withdraw()
          throw error
        }
        ring.commit()
        tally.events += columns.count
        tally.blocks += 1
        tally.bytes += Int64(block.scheduling.count + block.details.count)
        tally.lost += lost
        break
      }
      if ring.progress == progress { return }
    }
  }

  /// Which events a block leaves to the next one.
  private enum Leave {
    case nothing
    /// The last one that waits.
    case one
    /// The last one that waits, unless it is the only one.
    case oneBehindOthers
  }

  /// Fills the columns with events that follow each other without a loss between them; returns how
  /// many were lost before them.
  private mutating func take(
    _ progress: inout RingProgress, upTo head: UInt64, _ counts: NameCounts, limit: Int,
    leave: Leave
  ) -> UInt64 {
    columns.removeAll()
    runs.removeAll(keepingCapacity: true)
    var lostBefore: UInt64 = 0
    var text = 0
    let baseDevice = UInt32(truncatingIfNeeded: ring.words.load(RingLayout.Ring.device))
    while progress.tail < head, columns.count < limit {
      let slot = slot(progress.tail)
      guard let count = slot.count, count <= head - progress.tail else {
        tally.damagedSlots += 1
        progress.tail += 1
        continue
      }
      if progress.tail + count == head, leave != .nothing {
        if leave == .one || columns.count > 0 { break }
      }
      let isDense = slot.number == progress.nextEvent
      if !isDense, columns.count > 0 { break }
      let device = self.device(of: slot, at: progress.tail) ?? baseDevice
      if runs.last?.device.index != device {
        guard runs.count < TraceLimits.runsPerBlock else { break }
        runs.append(DeviceRun(device: Device(index: device), rows: columns.count..<columns.count))
      }
      guard device < counts[.device], append(slot, at: progress.tail, counts, text: &text) else {
        if runs.last?.rows.isEmpty == true { runs.removeLast() }
        tally.damagedSlots += count
        progress.tail += count
        continue
      }
      if !isDense, slot.number > progress.nextEvent {
        lostBefore = slot.number - progress.nextEvent
      }
      progress.nextEvent = slot.number + 1
      progress.tail += count
      runs[runs.count - 1].rows = runs[runs.count - 1].rows.lowerBound..<columns.count
      if text > TraceLimits.textBytesPerBlock { break }
    }
    return lostBefore
  }

  @inline(__always)
  private func slot(_ position: UInt64) -> RingSlot {
    RingSlot(slots, Int(position & (ring.capacity - 1)) * 4)
  }

  @inline(__always)
  private func device(of slot: RingSlot, at position: UInt64) -> UInt32? {
    guard slot.marks & RingSlot.Marks.device != 0 else { return nil }
    let second = self.slot(position + 1)
    return UInt32(truncatingIfNeeded: slot.kind <= 1 ? second.word3 : second.word0)
  }

  /// Adds an event to the columns; false if its slots hold none.
  @inline(__always)
  private mutating func append(
    _ slot: RingSlot, at position: UInt64, _ counts: NameCounts, text: inout Int
  ) -> Bool {
    let time = Int64(bitPattern: slot.word0)
    guard Timestamp.validRange.contains(time), let kind = InputKind(rawValue: UInt8(slot.kind))
    else { return false }
    if slot.kind <= 1 {
      guard slot.subject < counts[.type], slot.object < counts[.source] else { return false }
      if slot.marks & ~RingSlot.Marks.device == 0 {
        columns.times.append(time)
        columns.kinds.append(kind.rawValue)
        columns.types.append(slot.subject)
        columns.sources.append(slot.object)
        return true
      }
      return appendSample(slot, at: position, time)
    }
    var record = OtherRecord(kind: kind)
    record.app = slot.subject
    record.argument = slot.word3
    for place in 1..<1 + UInt64(slot.object) {
      let more = self.slot(position + place)
      record.words += [more.word0, more.word2, more.word3]
    }
    if slot.marks & RingSlot.Marks.device != 0, !record.words.isEmpty { record.words.removeFirst() }
    guard let input = record.input(counts) else { return false }
    text += TraceWriter.textBytes(input)
    columns.append(input, at: Timestamp(nanoseconds: time))
    return true
  }

  /// Adds a save that has a start, an end or a value.
  private mutating func appendSample(
    _ slot: RingSlot, at position: UInt64, _ time: Int64
  ) -> Bool {
    guard slot.kind == UInt64(InputKind.save.rawValue) else { return false }
    var sample = Sample(
      type: SampleType(index: slot.subject), source: Source(index: slot.object))
    if slot.marks & RingSlot.Marks.value != 0 {
      let value = Double(bitPattern: slot.word3)
      guard value.isFinite else { return false }
      sample.value = value
    }
    if slot.marks & RingSlot.Marks.second != 0 {
      let second = self.slot(position + 1)
      if slot.marks & RingSlot.Marks.start != 0 {
        sample.start = Timestamp(nanoseconds: Int64(bitPattern: second.word0))
      }
      if slot.marks & RingSlot.Marks.end != 0 {
        sample.end = Timestamp(nanoseconds: Int64(bitPattern: second.word2))
      }
      guard sample.start?.isValid ?? true, sample.end?.isValid ?? true else { return false }
    }
    columns.append(.save(sample), at: Timestamp(nanoseconds: time))
    return true
  }
}
