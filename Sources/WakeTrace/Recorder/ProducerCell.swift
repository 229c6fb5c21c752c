import Glibc
import Synchronization

/// What a producer needs at hand for each event, of its thread alone; before it stand the words that
/// others may look at. What the usual call reads is in one line of cache.
///
/// Cells are never given back to the system, so that a call through a handle that was closed finds out
/// instead of touching memory that is gone.
struct ProducerCell {
  /// Why a call may have to stop.
  enum State {
    static let closed: UInt64 = 1
    /// The writer failed, and this producer was not told yet.
    static let notWritten: UInt64 = 2
  }

  /// The words before the cell.
  enum Shared {
    /// The handle that the cell belongs to, ``none`` if to none; that leads to a place that is never given out.
    static let handle = 0
    static let none: UInt64 = 1 << 63
    /// Set in the handle by a child that was forked off, so that the cell is found no more.
    static let forked: UInt64 = 1 << 62
    /// Where the ring's head may go without a look at anything else: at the consumer, at ``state``, at
    /// whether a number has to be noted. Who sets a state makes this 0.
    static let limit = 1
    /// Reasons to stop.
    static let state = 2
    static let bytes = 32
  }

  /// The ring's page, and its slots behind.
  let ring: SharedWords
  /// For a position, the bits that tell its slot.
  let mask: UInt64
  /// How many names there are at least; there may be more meanwhile.
  var typeCount: UInt32 = 0
  var sourceCount: UInt32 = 0

  let shared: SharedWords
  /// The ring file's header, for how many names there are.
  let file: SharedWords
  let mode: RecorderMode
  let device: UInt32
  /// Whether the next event's number has to be noted before it.
  var owesNumber: Bool
  /// What a position and the number of its event differ by.
  var offset: UInt64
  var lost: UInt64
  /// Where the event's slots begin that are reserved, and where they end.
  private var start: UInt64 = 0
  private var end: UInt64 = 0

  init(_ ring: Ring, of file: RingFile, shared: SharedWords) {
    let words = ring.words
    self.ring = words
    self.shared = shared
    self.file = file.words
    mask = ring.capacity - 1
    mode = file.mode
    device = UInt32(truncatingIfNeeded: words.load(RingLayout.Ring.device))
    let (head, number) = (words.load(RingLayout.Ring.head), words.load(RingLayout.Ring.number))
    offset = number &- head
    // The producer before may have lost events behind its last one.
    owesNumber = number > 0
    lost = words.load(RingLayout.Ring.lost)
  }

  var capacity: UInt64 { mask + 1 }
}

// A call first reserves slots, then looks at the head and at the limit.
//
// - The head is where the slots begin unless this call interrupted another one of the same producer, or
//   was itself interrupted by one between its first two steps.
// - The recorder, when it closes, sets the limit to 0, then waits until nothing is reserved. So what a
//   call recorded is never left behind. The barrier between a call's steps keeps the compiler from
//   reordering and costs nothing on x86-64; the one that the closing thread calls for in all threads
//   does the rest.
extension ProducerCell {
  /// Reserves slots; if it can, ``put(_:_:_:)`` and ``publish()`` must follow.
  mutating func reserve(_ count: UInt64) -> RecordStatus {
    while true {
      let position = ring.load(RingLayout.Ring.reserved)
      // One more, as a number may have to be noted.
      ring.store(position &+ count &+ 1, at: RingLayout.Ring.reserved)
      atomicMemoryFence(ordering: .acquiringAndReleasing)
      guard ring.load(RingLayout.Ring.head) == position else {
        guard withdraw(position) else { return .busy }
        continue
      }
      let status = makeRoom(count, at: position)
      guard status.isRecorded else {
        ring.store(position, at: RingLayout.Ring.reserved)
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

  /// Takes a reservation back that did not begin at the head; whether it is worth trying again.
  @inline(__always)
  func withdraw(_ position: UInt64) -> Bool {
    let head = ring.load(RingLayout.Ring.head)
    ring.store(max(head, position), at: RingLayout.Ring.reserved)
    // The head is behind if this call interrupted one that has not written its event yet.
    return head >= position
  }

  /// Writes a slot of the event.
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

  /// Lets the consumer see the event in the slots that were reserved.
  mutating func publish() {
    // An event has one number, however many slots it takes.
    offset &+= 1 &- (end &- start) &- (owesNumber ? 1 : 0)
    owesNumber = false
    ring.release(end, at: RingLayout.Ring.head)
  }

  // Not inlined, so that what a call that interrupted this one changed is read behind the reservation.
  @inline(never)
  private mutating func makeRoom(_ count: UInt64, at position: UInt64) -> RecordStatus {
    guard position &+ count > shared.load(Shared.limit) || owesNumber else { return .recorded }
    var status = RecordStatus.recorded
    var waits = 0
    while true {
      let limit =
        mode == .overwrite
        ? position &+ capacity / 4 : ring.acquire(RingLayout.Ring.tail) &+ capacity
      shared.storeInOrder(limit, at: Shared.limit)
      // Whoever sets a state sets the limit after it: one of the two is seen.
      let flags = shared.loadInOrder(Shared.state)
      guard flags & State.closed == 0 else {
        shared.store(0, at: Shared.limit)
        return .closed
      }
      if flags != 0 {
        shared.remove(State.notWritten, at: Shared.state)
        status = .notWritten
      }
      if mode == .overwrite {
        // A number in each quarter of the ring, so that one is always there.
        owesNumber = true
        return status
      }
      if position &+ count &+ (owesNumber ? 1 : 0) <= limit { return status }
      guard mode == .block else { return lose(at: position) }
      waits += 1
      if waits < 64 { sched_yield() } else { usleep(50) }
    }
  }

  private mutating func lose(at position: UInt64) -> RecordStatus {
    lost &+= 1
    offset &+= 1
    owesNumber = true
    // A smaller event might have room, but it needs a number before it.
    shared.store(0, at: Shared.limit)
    ring.store(lost, at: RingLayout.Ring.lost)
    ring.release(position &+ offset, at: RingLayout.Ring.lostEnd)
    return .lost
  }

  /// Whether a name was interned.
  func knows(_ index: UInt32, _ sort: NameSort) -> Bool {
    UInt64(index) < file.load(RingLayout.File.nameCounts &+ Int(sort.rawValue))
  }

  /// Takes note of names that were interned since.
  mutating func countNames() {
    func count(_ sort: NameSort) -> UInt32 {
      UInt32(truncatingIfNeeded: file.load(RingLayout.File.nameCounts &+ Int(sort.rawValue)))
    }
    (typeCount, sourceCount) = (count(.type), count(.source))
  }
}
