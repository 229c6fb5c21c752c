import WakeEvents
import WakeTrace

// Events of any kind, one at a time.
extension RingConsumer {
  struct Event {
    /// Its first slot, after one with its number.
    var slot: RingSlot
    var start: UInt64
    /// Where the next event begins.
    var end: UInt64
    var number: UInt64

    var time: Int64 { Int64(bitPattern: slot.word0) }
  }

  /// The event that begins at a position; nil if none does.
  ///
  /// - Parameter expected: Its number, unless a slot says otherwise.
  func event(at position: UInt64, upTo head: UInt64, _ expected: UInt64) -> Event? {
    var start = position
    var slot = ring.slot(start)
    var number = max(expected, ring.firstNumber)
    if slot.kind == RingSlot.number {
      number = slot.word0
      start += 1
      guard start < head, number < Ring.most else { return nil }
      slot = ring.slot(start)
    }
    guard let count = slot.count, count <= head - start else { return nil }
    return Event(slot: slot, start: start, end: start + count, number: number)
  }

  /// The device that an event names; nil is the ring's.
  func device(of event: Event) -> UInt32? {
    guard event.slot.marks & RingSlot.Marks.device != 0, event.end > event.start + 1 else {
      return nil
    }
    // The last further slot of saves and deletes, the first one of other inputs.
    let position = event.slot.kind <= 1 ? event.end - 1 : event.start + 1
    return UInt32(truncatingIfNeeded: ring.slot(position).word0)
  }

  /// The input of an event; nil if its slots are damaged.
  func input(of event: Event, _ counts: NameCounts) -> Input? {
    let slot = event.slot
    guard event.time.isValidTime, let kind = InputKind(rawValue: UInt8(slot.kind)) else {
      return nil
    }
    var words: [UInt64] = []
    for position in event.start + 1..<event.end {
      let more = ring.slot(position)
      guard more.kind == RingSlot.more else { return nil }
      words.append(more.word0)
    }
    if slot.kind <= 1 { return sample(kind, slot, words, counts) }
    let fields = words.dropFirst(slot.marks & RingSlot.Marks.device == 0 ? 0 : 1)
    let bytes = fields.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    return counts.codec.decode(kind, bytes)
  }

  private func sample(
    _ kind: InputKind, _ slot: RingSlot, _ words: [UInt64], _ counts: NameCounts
  ) -> Input? {
    guard slot.subject < counts[.type], slot.object < counts[.source] else { return nil }
    let (type, source) = (SampleType(index: slot.subject), Source(index: slot.object))
    guard kind == .save else {
      return slot.marks & ~RingSlot.Marks.device == 0 ? .delete(type: type, source: source) : nil
    }
    var rest = words[...]
    func next(_ mark: UInt64) -> UInt64? { slot.marks & mark == 0 ? nil : rest.popFirst() }
    func time(_ word: UInt64) -> Timestamp { Timestamp(nanoseconds: Int64(bitPattern: word)) }
    let sample = Sample(
      type: type, source: source, start: next(RingSlot.Marks.start).map(time),
      end: next(RingSlot.Marks.end).map(time),
      value: next(RingSlot.Marks.value).map { Double(bitPattern: $0) })
    let isValid =
      Timestamp.areValid(sample.start, sample.end) && sample.value?.isFinite ?? true
    return isValid ? .save(sample) : nil
  }
}
