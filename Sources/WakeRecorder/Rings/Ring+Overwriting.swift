import Synchronization
import WakeTrace

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
