import Synchronization
import WakeTrace

/// One ring of a ring file: a queue of slots with one producer and one consumer.
struct Ring {
  let region: MappedRegion
  let index: Int
  let capacity: UInt64

  init(_ region: MappedRegion, index: Int, slots: Int) {
    self.region = region
    self.index = index
    capacity = UInt64(slots)
  }

  var words: SharedWords { region.words() }
  var slots: SharedWords { region.words(at: RingLayout.pageBytes) }

  /// The slot of a position; positions are counted modulo the capacity.
  @inline(__always)
  func slot(_ position: UInt64) -> RingSlot {
    RingSlot(slots, Int(truncatingIfNeeded: position & (capacity &- 1)) &* 2)
  }

  /// Prepares a new ring for its first producer.
  func start(stream: UInt64, device: UInt32) {
    words.store(UInt64(device), at: RingLayout.Ring.device)
    progress = RingProgress(stream: stream)
  }
}

// The consumer's progress is stored twice, like the two slots of a journal: a consumer that is killed leaves one
// that is valid, and, if it was writing a block, one that is valid if the trace has the block.
extension Ring {
  /// The error that no recorder can have written its counts; nil if one can.
  func contradiction(in path: String) -> TraceError? {
    let (most, mostBlocks): (UInt64, UInt64) = (1 << 60, 1 << 32)
    let words = words
    let progresses = [read(0), read(1)]
    let counts: [UInt64] = [
      words.load(RingLayout.Ring.head), words.load(RingLayout.Ring.reserved),
      words.load(RingLayout.Ring.lostEnd), words.load(RingLayout.Ring.firstNumber),
      progresses[0].tail, progresses[0].nextEvent, progresses[1].tail, progresses[1].nextEvent,
    ]
    if counts.allSatisfy({ $0 < most }), progresses.allSatisfy({ $0.sequence < mostBlocks }),
      progress.tail <= words.load(RingLayout.Ring.head)
    {
      return nil
    }
    return TraceError(
      .malformed, path, "ring \(index) is damaged: its counts contradict each other")
  }

  /// The error for lost events that no block records; nil if there are none.
  func unrecordedLoss(in path: String) -> TraceError? {
    let (end, recorded) = (words.load(RingLayout.Ring.lostEnd), progress.nextEvent)
    guard end > recorded else { return nil }
    return TraceError(
      .missingBlocks, path, "ring \(index) lost \(end - recorded) events that no block records")
  }

  /// How far the consumer has come.
  var progress: RingProgress {
    get { read(words.acquire(RingLayout.Ring.current) & 1) }
    nonmutating set {
      prepare(newValue)
      commit()
    }
  }

  /// The progress that is valid if the trace has the block that was being written; nil if none was.
  var progressInDoubt: RingProgress? {
    guard words.acquire(RingLayout.Ring.isWriting) != 0 else { return nil }
    let other = read(1 - words.load(RingLayout.Ring.current) & 1)
    return other.sequence == progress.sequence + 1 ? other : nil
  }

  /// Lets the next block begin a new stream.
  func renewStream() {
    var next = progress
    (next.stream, next.sequence) = (Self.newStream(), 0)
    progress = next
  }

  /// Stores the progress that is valid once a block is written.
  func prepare(_ next: RingProgress) {
    let place = place(1 - words.load(RingLayout.Ring.current) & 1)
    words.store(next.tail, at: place)
    words.store(next.stream, at: place + 1)
    words.store(next.sequence, at: place + 2)
    words.store(next.nextEvent, at: place + 3)
    words.release(1, at: RingLayout.Ring.isWriting)
  }

  /// Makes the stored progress valid, after the block was written.
  func commit() {
    words.release(1 - words.load(RingLayout.Ring.current) & 1, at: RingLayout.Ring.current)
    words.release(0, at: RingLayout.Ring.isWriting)
    words.release(progress.tail, at: RingLayout.Ring.tail)
  }

  /// Discards the stored progress, after the block could not be written.
  func withdraw() {
    words.release(0, at: RingLayout.Ring.isWriting)
  }

  static func newStream() -> UInt64 { UInt64.random(in: 1...(.max)) }

  private func place(_ which: UInt64) -> Int {
    which == 0 ? RingLayout.Ring.progress.0 : RingLayout.Ring.progress.1
  }

  private func read(_ which: UInt64) -> RingProgress {
    let place = place(which)
    return RingProgress(
      tail: words.load(place), stream: words.load(place + 1), sequence: words.load(place + 2),
      nextEvent: words.load(place + 3))
  }
}

// Rings whose producer overwrites the oldest events are read in a copy.
extension Ring {
  /// A copy of the ring with its own progress, to be read while the producer goes on.
  func copied(stream: UInt64) throws(TraceError) -> Ring {
    let bytes = RingLayout.ringBytes(slots: Int(capacity))
    let copy = Ring(try MappedRegion(anonymous: bytes), index: index, slots: Int(capacity))
    let head = words.acquire(RingLayout.Ring.head)
    let (from, to) = (slots, copy.slots)
    for word in 0..<Int(capacity) * 2 { to.store(from.load(word), at: word) }
    // What is reserved now says which slots may have been overwritten during the copy, as in a seqlock.
    atomicMemoryFence(ordering: .acquiring)
    let reserved = words.load(RingLayout.Ring.reserved)
    copy.start(stream: stream, device: UInt32(words.load(RingLayout.Ring.device)))
    copy.words.store(head, at: RingLayout.Ring.head)
    copy.words.store(reserved, at: RingLayout.Ring.reserved)
    copy.passOverwritten(stream: stream)
    return copy
  }

  /// Sets the progress to the oldest event that is whole, and stores its number.
  func passOverwritten(stream: UInt64) {
    let head = words.load(RingLayout.Ring.head)
    let written = max(head, words.load(RingLayout.Ring.reserved))
    var tail = min(head, written > capacity ? written - capacity : 0)
    // The rest of an event whose beginning was overwritten.
    while tail < head, slot(tail).kind == RingSlot.more { tail += 1 }
    progress = RingProgress(tail: tail, stream: stream)

    // The producer writes a number in each quarter of the ring; the events before the first one are counted.
    var (position, events): (UInt64, UInt64) = (tail, 0)
    var first: UInt64 = 0
    while position < head {
      let slot = slot(position)
      if slot.kind == RingSlot.number {
        // A greater number is damaged.
        first = slot.word0 >= events && slot.word0 < 1 << 60 ? slot.word0 - events : 0
        break
      }
      events += slot.count == nil ? 0 : 1
      position += slot.count ?? 1
    }
    words.store(first, at: RingLayout.Ring.firstNumber)
  }
}
