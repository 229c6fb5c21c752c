import Glibc
import Synchronization
import WakeTrace

/// One ring of a ring file: a queue of slots with one producer and one consumer.
///
/// Another process may write anything into the ring at any time. So each shared word is read once into a copy, and the
/// copy is checked: the consumer's words when the ring is opened, the producer's in each pass. From then on the
/// consumer writes its words and never reads them.
final class Ring {
  /// Above all counts that a recorder can have written, and far from an overflow.
  static let most: UInt64 = 1 << 60

  let region: MappedRegion
  let index: Int
  let capacity: UInt64
  let words: SharedWords
  let slots: SharedWords
  /// The device of events that name none.
  private(set) var device: UInt32
  /// A lower bound of the number of the event at the tail.
  private(set) var firstNumber: UInt64
  /// Whether a recorder can have written the counts.
  private(set) var isPlausible: Bool
  /// The progress that is valid if the trace has the block that is being written; nil if none is.
  private(set) var progressInDoubt: RingProgress?
  private var valid: RingProgress
  /// Which of the two stored progresses is valid.
  private var current: UInt64

  init(_ region: MappedRegion, index: Int, slots: Int) {
    (self.region, self.index, capacity) = (region, index, UInt64(slots))
    let words = region.words()
    (self.words, self.slots) = (words, region.words(at: RingLayout.pageBytes))
    current = words.acquire(RingLayout.Ring.current) & 1
    let isWriting = words.acquire(RingLayout.Ring.isWriting) != 0
    valid = RingProgress(words, current)
    let other = RingProgress(words, 1 - current)
    device = UInt32(truncatingIfNeeded: words.load(RingLayout.Ring.device))
    firstNumber = words.load(RingLayout.Ring.firstNumber)
    let head = words.acquire(RingLayout.Ring.head)
    let counts = [
      head, firstNumber, words.load(RingLayout.Ring.reserved), words.load(RingLayout.Ring.lostEnd),
      valid.tail, valid.nextEvent, other.tail, other.nextEvent,
    ]
    isPlausible =
      counts.allSatisfy { $0 < Self.most } && valid.tail <= head
      && max(valid.sequence, other.sequence) < 1 << 32
    let isNext = isWriting && isPlausible && other.sequence == valid.sequence + 1
    progressInDoubt = isNext ? other : nil
  }

  /// The slot of a position; positions are counted modulo the capacity.
  @inline(__always)
  func slot(_ position: UInt64) -> RingSlot {
    RingSlot(slots, Int(truncatingIfNeeded: position & (capacity &- 1)) &* 2)
  }

  /// Refuses the ring if its file has a hole in place of slots that are said to be written: a forged file of a few bytes
  /// could stand for events without number. Recorders allocate what they write to.
  func refuseHoles(in descriptor: Int32, slotsFrom start: Int) {
    let head = words.acquire(RingLayout.Ring.head)
    guard isPlausible, head > valid.tail else { return }
    let count = min(head - valid.tail, capacity)
    let first = (head - count) & (capacity - 1)
    // Up to the end of the ring, and again from its start.
    for slots in [
      first..<min(first + count, capacity), 0..<max(first + count, capacity) - capacity,
    ]
    where !slots.isEmpty {
      let (from, to) = (
        start + RingLayout.slotBytes * Int(slots.lowerBound),
        start + RingLayout.slotBytes * Int(slots.upperBound)
      )
      // SEEK_HOLE of lseek(2), which Swift does not import.
      let hole = lseek(descriptor, from, 4)
      if from <= hole, hole < to { isPlausible = false }
    }
  }

  /// Prepares a new ring for its first producer.
  func start(stream: UInt64, device: UInt32) {
    words.store(UInt64(device), at: RingLayout.Ring.device)
    words.store(1, at: RingLayout.Ring.isWhole)
    self.device = device
    progress = RingProgress(stream: stream)
  }

  // The consumer's progress is stored twice, like the two slots of a journal: a consumer that is killed leaves one that
  // is valid, and, if it was writing a block, one that is valid if the trace has the block.

  /// How far the consumer has come.
  var progress: RingProgress {
    get { valid }
    set {
      prepare(newValue)
      commit()
    }
  }

  /// Lets the next block begin a new stream.
  func renewStream() {
    var next = progress
    (next.stream, next.sequence) = (Self.newStream(), 0)
    progress = next
  }

  /// Stores the progress that is valid once a block is written.
  func prepare(_ next: RingProgress) {
    next.store(in: words, 1 - current)
    words.release(1, at: RingLayout.Ring.isWriting)
    progressInDoubt = next
  }

  /// Makes the stored progress valid, after the block was written.
  func commit() {
    guard let next = progressInDoubt.take() else { return }
    (valid, current) = (next, 1 - current)
    words.release(current, at: RingLayout.Ring.current)
    words.release(0, at: RingLayout.Ring.isWriting)
    words.release(next.tail, at: RingLayout.Ring.tail)
  }

  /// Discards the stored progress, after the block could not be written.
  func withdraw() {
    words.release(0, at: RingLayout.Ring.isWriting)
    progressInDoubt = nil
  }

  static func newStream() -> UInt64 { UInt64.random(in: 1...(.max)) }

  /// The error for lost events that no block records; nil if there are none.
  func unrecordedLoss(in path: String) -> TraceError? {
    let (end, recorded) = (words.load(RingLayout.Ring.lostEnd), progress.nextEvent)
    guard end > recorded, end < Self.most else { return nil }
    return TraceError(
      .missingBlocks, path, "ring \(index) lost \(end - recorded) events that no block records")
  }
}

extension Ring {
  /// Takes back slots that were reserved for an event which will not come, as where a signal handler left the call by
  /// longjmp. No producer may use the ring.
  func takeBackReservation(mode: RecorderMode) {
    let head = words.load(RingLayout.Ring.head)
    let reserved = words.load(RingLayout.Ring.reserved)
    guard reserved > head, reserved < RingLayout.cut else { return }
    if mode == .overwrite {
      // They are those of the oldest events, too: no part of the event may be read as one of them.
      for position in head..<min(reserved, head + capacity) {
        slots.store(
          RingSlot.more << 56, at: Int(truncatingIfNeeded: position & (capacity &- 1)) &* 2 &+ 1)
      }
    }
    words.store(head, at: RingLayout.Ring.reserved)
  }
}

// Rings whose producer overwrites the oldest events are read in a copy.
extension Ring {
  /// A thread that copies may be kept from running while the producer overwrites nearly all; then it copies again.
  private static let mostCopies = 10

  /// A copy of the ring with its own progress, to be read while the producer goes on.
  ///
  /// - Throws: `TraceError` if the file was cut short, or the producer was faster each time.
  func copied(stream: UInt64) throws(TraceError) -> Ring {
    let bytes = RingLayout.ringBytes(slots: Int(capacity))
    let copy = Ring(try MappedRegion(anonymous: bytes), index: index, slots: Int(capacity))
    let (from, to) = (slots, copy.slots)
    for _ in 0..<Self.mostCopies {
      let head = words.acquire(RingLayout.Ring.head)
      for word in 0..<Int(capacity) * 2 { to.store(from.load(word), at: word) }
      // What is reserved now says which slots may have been overwritten during the copy, as in a seqlock.
      atomicMemoryFence(ordering: .acquiring)
      let reserved = words.load(RingLayout.Ring.reserved)
      try region.checkWhole()
      copy.start(stream: stream, device: device)
      copy.words.store(head, at: RingLayout.Ring.head)
      copy.words.store(reserved, at: RingLayout.Ring.reserved)
      if copy.passOverwritten(stream: stream) { return copy }
    }
    // Events without a number would tell no loss.
    throw TraceError(.inUse, region.name, "is overwritten faster than it can be copied")
  }

  /// Sets the progress to the oldest event that is whole, and stores its number.
  ///
  /// - Returns: Whether the number is known: a slot tells it, or nothing was overwritten.
  @discardableResult
  func passOverwritten(stream: UInt64) -> Bool {
    let head = min(words.load(RingLayout.Ring.head), Self.most)
    let written = max(head, words.load(RingLayout.Ring.reserved))
    var tail = min(head, written > capacity ? written - capacity : 0)
    // The rest of an event whose beginning was overwritten.
    while tail < head, slot(tail).kind == RingSlot.more { tail += 1 }
    progress = RingProgress(tail: tail, stream: stream)

    firstNumber = 0
    var isKnown = tail == 0
    // The producer writes a number in each quarter of the ring; the events before the first one are counted.
    var (position, events): (UInt64, UInt64) = (tail, 0)
    while position < head {
      let slot = slot(position)
      if slot.kind == RingSlot.number {
        // A greater number is damaged.
        firstNumber = slot.word0 >= events && slot.word0 < Self.most ? slot.word0 - events : 0
        isKnown = true
        break
      }
      events += slot.count == nil ? 0 : 1
      position += slot.count ?? 1
    }
    words.store(firstNumber, at: RingLayout.Ring.firstNumber)
    return isKnown
  }
}
