import Glibc
import Synchronization

/// What a producer needs at hand for each event: 128 bytes or two, of its thread alone.
///
/// Cells are never given back to the system, so that a call through a handle that was closed finds out
/// instead of touching memory that is gone.
struct ProducerCell: ~Copyable {
  /// Why a call may have to stop.
  enum State {
    static let closed: UInt32 = 1
    static let forked: UInt32 = 2
    /// The writer failed, and this producer was not told yet.
    static let notWritten: UInt32 = 4
  }

  /// The handle that the cell belongs to, 0 if to none.
  let handle: Atomic<UInt64>
  let state: Atomic<UInt32>
  /// The ring's page and its slots.
  var ring: SharedWords
  var slots: SharedWords
  /// The ring file's header, for how many names there are.
  var file: SharedWords
  /// Slots that were written so far, as the ring says too.
  var head: UInt64
  /// Where ``head`` may go without a look at the consumer.
  var limit: UInt64
  var capacity: UInt64
  /// The number of the next event.
  var number: UInt64
  var lost: UInt64
  var device: UInt32
  var mode: RecorderMode
}

// Room in the ring. A call first reserves slots, then looks whether the recorder closes; the recorder
// first closes, then waits until nothing is reserved. So what a call recorded is never left behind.
extension ProducerCell {
  /// Reserves slots; if it can, ``publish(_:)`` must follow.
  @inline(__always)
  mutating func reserve(_ count: UInt64) -> RecordStatus {
    guard state.load(ordering: .relaxed) & ~State.notWritten == 0 else { return refusal }
    guard ring.load(RingLayout.Ring.reserved) == head else { return .busy }
    ring.store(head &+ count, at: RingLayout.Ring.reserved)
    // On x86-64 this keeps the compiler from reordering and costs nothing. The barrier that the
    // closing thread calls for in all threads does the rest.
    atomicMemoryFence(ordering: .acquiringAndReleasing)
    guard state.load(ordering: .relaxed) == 0, head &+ count <= limit else {
      let status = makeRoom(count)
      if !status.isRecorded { ring.store(head, at: RingLayout.Ring.reserved) }
      return status
    }
    return .recorded
  }

  /// Lets the consumer see the event in the slots that were reserved.
  @inline(__always)
  mutating func publish(_ count: UInt64) {
    head &+= count
    number &+= 1
    ring.release(head, at: RingLayout.Ring.head)
  }

  private var refusal: RecordStatus {
    state.load(ordering: .acquiring) & State.forked != 0 ? .forked : .closed
  }

  @inline(never)
  private mutating func makeRoom(_ count: UInt64) -> RecordStatus {
    var status = RecordStatus.recorded
    var waits = 0
    while true {
      let flags = state.load(ordering: .acquiring)
      guard flags & ~State.notWritten == 0 else { return refusal }
      if flags != 0 {
        state.bitwiseAnd(~State.notWritten, ordering: .relaxed)
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
