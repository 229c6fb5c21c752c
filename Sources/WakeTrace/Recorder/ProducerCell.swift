import Glibc
import Synchronization

/// What a producer needs at hand for each event, of its thread alone; before it stand the words that
/// others may look at.
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
    /// The handle that the cell belongs to, 0 if to none.
    static let handle = 0
    /// Set in the handle by a child that was forked off, so that the cell is found no more.
    static let forked: UInt64 = 1 << 62
    /// Reasons to stop.
    static let state = 1
    static let bytes = 16
  }

  let shared: SharedWords
  /// The ring's page and its slots.
  let ring: SharedWords
  let slots: SharedWords
  /// The ring file's header, for how many names there are.
  let file: SharedWords
  /// Slots that were written so far, as the ring says too.
  var head: UInt64
  /// Where ``head`` may go without a look at the consumer.
  var limit: UInt64
  let capacity: UInt64
  /// The number of the next event.
  var number: UInt64
  var lost: UInt64
  let device: UInt32
  let mode: RecorderMode
}

// Room in the ring. A call first reserves slots, then looks whether the recorder closes; the recorder
// first closes, then waits until nothing is reserved. So what a call recorded is never left behind.
extension ProducerCell {
  /// Reserves slots; if it can, ``publish(_:)`` must follow.
  @inline(__always)
  mutating func reserve(_ count: UInt64) -> RecordStatus {
    guard ring.load(RingLayout.Ring.reserved) == head else { return .busy }
    ring.store(head &+ count, at: RingLayout.Ring.reserved)
    // On x86-64 this keeps the compiler from reordering and costs nothing. The barrier that the
    // closing thread calls for in all threads does the rest.
    atomicMemoryFence(ordering: .acquiringAndReleasing)
    guard shared.load(Shared.state) == 0, head &+ count <= limit else {
      let status = makeRoom(count)
      if !status.isRecorded { ring.store(head, at: RingLayout.Ring.reserved) }
      return status
    }
    return .recorded
  }

  /// Reserves a slot as ``reserve(_:)`` does, if nothing stands in the way.
  @inline(__always)
  mutating func reserveAtOnce() -> Bool {
    let head = head
    guard head < limit, ring.load(RingLayout.Ring.reserved) == head else { return false }
    ring.store(head &+ 1, at: RingLayout.Ring.reserved)
    atomicMemoryFence(ordering: .acquiringAndReleasing)
    if shared.load(Shared.state) == 0 { return true }
    ring.store(head, at: RingLayout.Ring.reserved)
    return false
  }

  /// Lets the consumer see the event in the slots that were reserved.
  @inline(__always)
  mutating func publish(_ count: UInt64) {
    head &+= count
    number &+= 1
    ring.release(head, at: RingLayout.Ring.head)
  }

  @inline(never)
  private mutating func makeRoom(_ count: UInt64) -> RecordStatus {
    var status = RecordStatus.recorded
    var waits = 0
    while true {
      let flags = shared.acquire(Shared.state)
      guard flags & State.closed == 0 else { return .closed }
      if flags != 0 {
        shared.remove(State.notWritten, at: Shared.state)
        status = .notWritten
      }
      if mode == .overwrite {
        limit = .max
      } else {
        limit = ring.acquire(RingLayout.Ring.tail) + capacity
      }
      if head + count <= limit { return status }
      guard mode == .block else {
        lost += 1
        number += 1
        ring.store(lost, at: RingLayout.Ring.lost)
        ring.release(number, at: RingLayout.Ring.lostEnd)
        return .lost
      }
      waits += 1
      if waits < 64 { sched_yield() } else { usleep(50) }
    }
  }

  /// Writes a slot behind those that are written.
  @inline(__always)
  func put(_ place: UInt64, _ word0: UInt64, _ word1: UInt64, _ word2: UInt64, _ word3: UInt64) {
    let start = Int((head &+ place) & (capacity &- 1)) &* 4
    slots.store(word0, at: start)
    slots.store(word1, at: start &+ 1)
    slots.store(word2, at: start &+ 2)
    slots.store(word3, at: start &+ 3)
  }

  /// Whether a name was interned.
  @inline(__always)
  func knows(_ index: UInt32, _ sort: NameSort) -> Bool {
    UInt64(index) < file.load(RingLayout.File.nameCounts &+ Int(sort.rawValue))
  }
}
