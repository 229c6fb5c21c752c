import WakeEvents
import WakeTrace

/// Takes events out of one ring and writes them as blocks.
struct RingConsumer {
  let ring: Ring
  let mode: RecorderMode
  /// What blocks hold, and the lost events that they tell of.
  private(set) var written = Recorder.Statistics()
  /// Slots without a readable event; 0 unless the ring file is damaged.
  private(set) var damagedSlots: UInt64 = 0

  private var columns = InputColumns()
  private var runs: [DeviceRun] = []

  init(_ ring: Ring, mode: RecorderMode) {
    self.ring = ring
    self.mode = mode
  }

  /// The end of the slots that are written.
  var head: UInt64 { ring.words.acquire(RingLayout.Ring.head) }

  /// Writes the events that wait, block by block.
  ///
  /// - Parameters:
  ///   - head: Where to stop: ``head`` as it was before the names were counted.
  ///   - isLast: Whether nothing will be recorded to this stream any more.
  ///   - isFlush: Whether no event may stay, even if a loss is then told one event too early.
  ///   - atLeast: If fewer slots wait, nothing is done.
  ///   - trace: The file that blocks go to.
  /// - Throws: ``TraceError`` if a block cannot be written, or the ring file was cut short.
  mutating func drain(
    upTo head: UInt64, isLast: Bool, isFlush: Bool = false, atLeast: UInt64 = 1, counts: NameCounts,
    encoder: BlockEncoder, eventsPerBlock: Int, into output: any BlockOutput,
    trace: SystemCalls.Identity? = nil
  ) throws(TraceError) {
    let lostEnd = lossBehind(head)
    // A block reports a loss before its events. If events were lost after the last one, or may be lost soon, the last
    // event therefore stays in the ring, for a block of its own or for that of the next event.
    let mayFillUp = mode == .drop && !isLast && head &- ring.progress.tail > ring.capacity / 2
    while true {
      if ring.progress.sequence > UInt32.max {
        // Blocks are numbered by 32 bits.
        ring.renewStream()
      }
      let progress = ring.progress
      let waits = head &- progress.tail
      guard waits >= max(1, atLeast), waits <= ring.capacity else { return }
      let hasLost = lostEnd > progress.nextEvent
      let leave: Leave =
        mayFillUp || hasLost && !isLast && !isFlush ? .one : hasLost ? .oneBehindOthers : .nothing
      var limit = eventsPerBlock
      while true {
        let damagedBefore = damagedSlots
        var (next, lost) = take(progress, upTo: head, counts, limit: limit, leave: leave)
        try ring.region.checkWhole()
        if columns.count == 0 {
          ring.progress = next
          break
        }
        if next.tail == head, lostEnd > next.nextEvent {
          lost += lostEnd - next.nextEvent
          next.nextEvent = lostEnd
        }
        let block: BlockEncoder.Block
        do throws(BlockError) {
          block = try encoder.encode(
            columns, runs: runs, stream: progress.stream, sequence: UInt32(progress.sequence),
            lostBefore: lost)
        } catch let error {
          // Names or texts are too long for one block: try half of the events.
          guard columns.count > 1 else { throw error.located(file: output.name, offset: 0) }
          limit = columns.count / 2
          damagedSlots = damagedBefore
          continue
        }
        next.sequence += 1
        next.trace = trace
        ring.prepare(next)
        do throws(TraceError) {
          try output.write(block)
        } catch let error {
          ring.withdraw()
          damagedSlots = damagedBefore
          throw error
        }
        ring.commit()
        written.add(
          Recorder.Statistics(
            written: columns.count, lost: lost, blocks: 1,
            bytes: Int64(block.bytes)))
        break
      }
      if ring.progress == progress { return }
    }
  }

  /// One more than the number of the last event that was lost after all in the ring; 0 if none was, or if the
  /// producer has gone on.
  private func lossBehind(_ head: UInt64) -> UInt64 {
    // Read before the head, which then includes all events before the loss.
    let lostEnd = ring.words.acquire(RingLayout.Ring.lostEnd)
    return self.head == head && lostEnd < Ring.most ? lostEnd : 0
  }

  /// Which events a block leaves in the ring.
  private enum Leave {
    case nothing
    /// The last one that waits.
    case one
    /// The last one that waits, unless it is the only one.
    case oneBehindOthers
  }

  /// Fills the columns with events up to the next loss.
  ///
  /// - Returns: The progress after them, and how many events were lost before them.
  private mutating func take(
    _ progress: RingProgress, upTo head: UInt64, _ counts: NameCounts, limit: Int, leave: Leave
  ) -> (next: RingProgress, lost: UInt64) {
    var next = progress
    var lost: UInt64 = 0
    var text = 0
    runs.removeAll(keepingCapacity: true)
    columns.resize(to: min(limit, Int(head - next.tail)))
    var row = 0
    let ringDevice = ring.device
    let isPlainAllowed = ringDevice < counts[.device]
    let plainEnd = leave == .nothing ? head : head - 1
    while next.tail < head, row < columns.count {
      if isPlainAllowed, ring.firstNumber <= next.nextEvent,
        row == 0 || runs.last?.device.index == ringDevice
      {
        let first = row
        takePlain(from: next.tail, upTo: plainEnd, counts, row: &row)
        if row > first {
          next.tail += UInt64(row - first)
          next.nextEvent += UInt64(row - first)
          extendRun(of: ringDevice, to: row)
          continue
        }
      }
      guard let event = event(at: next.tail, upTo: head, next.nextEvent) else {
        damagedSlots += 1
        next.tail += 1
        continue
      }
      if event.end == head, leave == .one || leave == .oneBehindOthers && row > 0 { break }
      let number = max(event.number, next.nextEvent)
      if number > next.nextEvent, row > 0 { break }
      let device = device(of: event) ?? ringDevice
      let isNewRun = runs.last?.device.index != device
      if isNewRun, runs.count == TraceLimits.runsPerBlock { break }
      guard device < counts[.device], let input = input(of: event, counts) else {
        damagedSlots += event.end - next.tail
        next.tail = event.end
        continue
      }
      columns.set(input, at: Timestamp(nanoseconds: event.time), row: row)
      row += 1
      extendRun(of: device, to: row)
      lost += number - next.nextEvent
      next.nextEvent = number + 1
      next.tail = event.end
      text += TraceWriter.textBytes(input)
      if text > TraceLimits.textBytesPerBlock { break }
    }
    columns.resizeRows(to: row)
    return (next, lost)
  }

  private mutating func extendRun(of device: UInt32, to row: Int) {
    let last = runs.count - 1
    if last >= 0, runs[last].device.index == device {
      runs[last].rows = runs[last].rows.lowerBound..<row
    } else {
      let first = runs.last?.rows.upperBound ?? 0
      runs.append(DeviceRun(device: Device(index: device), rows: first..<row))
    }
  }

  /// Fills rows with the saves and deletes of one slot that follow each other from a position on.
  private mutating func takePlain(
    from position: UInt64, upTo end: UInt64, _ counts: NameCounts, row: inout Int
  ) {
    let rows = row..<row + max(0, min(columns.count - row, Int(end) - Int(position)))
    row = ring.readPlain(
      from: position, rows, typeCount: counts[.type], sourceCount: counts[.source],
      &columns.times, &columns.kinds, &columns.types, &columns.sources)
  }
}

extension Ring {
  /// Reads slots into rows while each is a save or delete of one slot; returns the first row that is not filled.
  func readPlain(
    from position: UInt64, _ rows: Range<Int>, typeCount: UInt32, sourceCount: UInt32,
    _ times: inout [Int64], _ kinds: inout [UInt8], _ types: inout [UInt32],
    _ sources: inout [UInt32]
  ) -> Int {
    let slots = slots
    let mask = capacity - 1
    var times = times.mutableSpan
    var kinds = kinds.mutableSpan
    var types = types.mutableSpan
    var sources = sources.mutableSpan
    var position = position
    for row in rows {
      let slot = RingSlot(slots, Int(truncatingIfNeeded: position & mask) &* 2)
      let (type, source) = (slot.subject, slot.object)
      let time = Int64(bitPattern: slot.word0)
      guard slot.word1 & RingSlot.notPlain == 0, type < typeCount, source < sourceCount,
        time.isValidTime
      else { return row }
      times[row] = time
      kinds[row] = UInt8(truncatingIfNeeded: slot.kind)
      types[row] = type
      sources[row] = source
      position &+= 1
    }
    return rows.upperBound
  }
}
