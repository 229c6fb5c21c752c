import CSystem
import Glibc
import Synchronization

/// The state of one producer, which only its thread accesses. In front of it are words that other threads
/// access too. The fast path reads one cache line.
@usableFromInline
struct ProducerCell {
  /// Flags that make a call stop.
  enum State {
    static let closed: UInt64 = 1
    /// The trace could not be written, and this producer has not reported it.
    static let notWritten: UInt64 = 2
  }

  /// The words in front of the cell.
  @usableFromInline
  enum Shared {
    /// The handle of the cell, or ``none``.
    @inlinable static var handle: Int { 0 }
    static let none: UInt64 = 1 << 63
    /// A flag in the handle: this process was forked off the one that opened the producer.
    static let forked: UInt64 = 1 << 62
    /// The head may advance to here without a look at the consumer, at ``state``, at ``owesNumber`` and at whether the
    /// recorder's thread is asleep.
    /// Whoever sets a state sets this to 0 after it.
    @inlinable static var limit: Int { 1 }
    static let state = 2
    /// In a cell that no producer has: whether a ``WriterSleep`` may have to be ended.
    static let asleep = 3
    @inlinable static var bytes: Int { 32 }
  }

  /// The words of the ring's page, and its slots behind them.
  @usableFromInline let ring: SharedWords
  /// The bits of a position that select its slot.
  @usableFromInline let mask: UInt64
  /// How many names there are; there may be more by now.
  @usableFromInline var typeCount: UInt32 = 0
  @usableFromInline var sourceCount: UInt32 = 0

  let shared: SharedWords
  /// The header of the ring file, which counts the names.
  let file: SharedWords
  let sleep: WriterSleep
  let mode: RecorderMode
  let device: UInt32
  /// Whether a slot with the event's number must precede the next event.
  var owesNumber: Bool
  /// The number of an event minus its position.
  var offset: UInt64
  var lost: UInt64
  /// The slots that are reserved for the event.
  private var start: UInt64 = 0
  private var end: UInt64 = 0

  init(_ ring: Ring, of file: RingFile, shared: SharedWords, sleep: WriterSleep) {
    let words = ring.words
    self.ring = words
    (self.shared, self.sleep) = (shared, sleep)
    self.file = file.words
    mask = ring.capacity - 1
    mode = file.mode
    device = UInt32(truncatingIfNeeded: words.load(RingLayout.Ring.device))
    let (head, number) = (words.load(RingLayout.Ring.head), words.load(RingLayout.Ring.number))
    offset = number &- head
    // The producer before may have lost events after its last one.
    owesNumber = number > 0
    lost = words.load(RingLayout.Ring.lost)
  }

  var capacity: UInt64 { mask + 1 }
}

// A call reserves slots, then checks the head and the limit.
//
// - The head is where the slots begin, unless this call interrupted another one of the same producer in a signal
//   handler, or was interrupted between its first two steps.
// - To close, the recorder sets the limit to 0, runs a memory barrier in all threads (membarrier(2)) and waits
//   until no slots are reserved. So no recorded event is left behind, and the fence between a call's two steps
//   need only stop the compiler, which costs nothing on x86-64.
extension ProducerCell {
  /// Reserves slots; if it succeeds, ``put(_:_:_:)`` and ``publish()`` must follow.
  mutating func reserve(_ count: UInt64) -> RecordStatus {
    while true {
      let position = ring.load(RingLayout.Ring.reserved)
      // One more, for a number.
      ring.store(position &+ count &+ 1, at: RingLayout.Ring.reserved)
      atomicMemoryFence(ordering: .acquiringAndReleasing)
      guard ring.load(RingLayout.Ring.head) == position else {
        if let status = withdraw(position) { return status }
        continue
      }
      let status = makeRoom(count, at: position)
      guard status.isRecorded else {
        if ring.load(RingLayout.Ring.reserved) < RingLayout.cut {
          ring.store(position, at: RingLayout.Ring.reserved)
        }
        return status
      }
      start = position
      if owesNumber {
        putSlot(start, position &+ offset, RingSlot.number << 56)
        start &+= 1
      }
      end = start &+ count
      ring.store(end, at: RingLayout.Ring.reserved)
      return status
    }
  }

  /// Whether another process has cut the ring's file short.
  private var isCut: Bool {
    ring.load(RingLayout.Ring.isWhole) == 0
      || ring.load(RingLayout.Ring.reserved) >= RingLayout.cut
  }

  /// Takes back a reservation that did not begin at the head; returns why the call ends, or nil to try again.
  @inline(__always)
  func withdraw(_ position: UInt64) -> RecordStatus? {
    let head = ring.load(RingLayout.Ring.head)
    ring.store(max(head, position), at: RingLayout.Ring.reserved)
    // The head is behind if this call interrupted one that has not published its event.
    if head >= position { return nil }
    return isCut ? .closed : .busy
  }

  @inline(__always)
  func put(_ place: UInt64, _ word0: UInt64, _ word1: UInt64) {
    putSlot(start &+ place, word0, word1)
  }

  @inline(__always)
  private func putSlot(_ position: UInt64, _ word0: UInt64, _ word1: UInt64) {
    let word = RingLayout.slotsWord &+ Int(truncatingIfNeeded: position & mask) &* 2
    ring.store(word0, at: word)
    ring.store(word1, at: word &+ 1)
  }

  /// Makes the event in the reserved slots visible to the consumer.
  mutating func publish() {
    // An event has one number, however many slots it takes.
    offset &+= 1 &- (end &- start) &- (owesNumber ? 1 : 0)
    owesNumber = false
    ring.release(end, at: RingLayout.Ring.head)
  }

  // Not inlined, so that it reads after the reservation what an interrupting call changed.
  @inline(never)
  private mutating func makeRoom(_ count: UInt64, at position: UInt64) -> RecordStatus {
    guard position &+ count > shared.load(Shared.limit) || owesNumber else { return .recorded }
    var status = RecordStatus.recorded
    var waits = 0
    while true {
      let room = mode == .overwrite ? .max : ring.acquire(RingLayout.Ring.tail) &+ capacity
      let part = capacity / (mode == .overwrite ? 4 : WriterSleep.ringParts)
      shared.storeInOrder(min(room, position &+ part), at: Shared.limit)
      // Another thread sets the limit after the state, so this sees one of the two.
      let flags = shared.loadInOrder(Shared.state)
      guard flags & State.closed == 0, !isCut else {
        shared.store(0, at: Shared.limit)
        return .closed
      }
      if flags != 0 {
        shared.remove(State.notWritten, at: Shared.state)
        status = .notWritten
      }
      if mode == .overwrite {
        // A number in each quarter of the ring, so that the ring always holds one.
        owesNumber = true
        return status
      }
      sleep.end()
      if position &+ count &+ (owesNumber ? 1 : 0) <= room { return status }
      guard mode == .block else { return lose(at: position) }
      waits += 1
      if waits < 64 { sched_yield() } else { system_pause(50_000) }
    }
  }

  private mutating func lose(at position: UInt64) -> RecordStatus {
    lost &+= 1
    offset &+= 1
    owesNumber = true
    // A smaller event could fit, but needs a number before it.
    shared.store(0, at: Shared.limit)
    ring.store(lost, at: RingLayout.Ring.lost)
    ring.release(position &+ offset, at: RingLayout.Ring.lostEnd)
    return .lost
  }

  private func count(_ sort: NameSort) -> UInt64 {
    file.load(RingLayout.File.nameCounts &+ Int(sort.rawValue))
  }

  func knows(_ index: UInt32, _ sort: NameSort) -> Bool { UInt64(index) < count(sort) }

  /// Counts the types and sources that there are now.
  mutating func countNames() {
    typeCount = UInt32(truncatingIfNeeded: count(.type))
    sourceCount = UInt32(truncatingIfNeeded: count(.source))
  }
}
