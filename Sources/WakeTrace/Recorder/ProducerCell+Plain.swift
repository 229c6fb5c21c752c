import Synchronization
import WakeEvents

// The way that nearly all events take: a save or delete that is in order, with room in the ring. What is
// not so goes elsewhere as the last thing that is done, so that no registers have to be saved.
extension ProducerCells {
  /// Records a save or delete that has nothing but type and source.
  @inline(__always)
  static func record(
    _ handle: UInt64, _ kind: InputKind, type: UInt32, source: UInt32, time: Int64
  ) -> RecordStatus {
    guard let cell = unsafe cellKnowingNames(handle), _fastPath(time.isValidTime),
      unsafe _fastPath(type < cell.pointee.typeCount),
      unsafe _fastPath(source < cell.pointee.sourceCount)
    else { return recordSlowly(handle, at: time, type: type, source: source, kind) }
    let ring = unsafe cell.pointee.ring
    let position = ring.load(RingLayout.Ring.reserved)
    ring.store(position &+ 1, at: RingLayout.Ring.reserved)
    atomicMemoryFence(ordering: .acquiringAndReleasing)
    guard _fastPath(ring.load(RingLayout.Ring.head) == position),
      unsafe _fastPath(position < words(of: cell).load(ProducerCell.Shared.limit))
    else {
      return unsafe recordSlowly(
        words(of: cell), at: time, type: type, source: source, reserved: position, kind)
    }
    let place = unsafe Int(truncatingIfNeeded: position & cell.pointee.mask)
    let word = RingLayout.slotsWord &+ place &* 2
    ring.store(UInt64(bitPattern: time), at: word)
    ring.store(RingSlot.head(kind.rawValue, 0, type, source), at: word &+ 1)
    ring.release(position &+ 1, at: RingLayout.Ring.head)
    return .recorded
  }

  // In the order of the parameters of `rouse_save`, so that they stay where they are.
  @inline(never)
  private static func recordSlowly(
    _ handle: UInt64, at time: Int64, type: UInt32, source: UInt32, _ kind: InputKind
  ) -> RecordStatus {
    guard let cell = unsafe cell(handle) else { return refusal(handle) }
    let sample = Sample(type: SampleType(index: type), source: Source(index: source))
    return unsafe cell.pointee.record(kind: kind, sample, time: time, device: nil)
  }

  // The words tell the handle, so that no register has to keep it until here.
  /// Records after a reservation that is of no use.
  @inline(never)
  private static func recordSlowly(
    _ words: SharedWords, at time: Int64, type: UInt32, source: UInt32, reserved position: UInt64,
    _ kind: InputKind
  ) -> RecordStatus {
    let handle = words.load(ProducerCell.Shared.handle)
    guard let cell = unsafe cell(handle) else { return refusal(handle) }
    guard unsafe cell.pointee.withdraw(position) else { return .busy }
    let sample = Sample(type: SampleType(index: type), source: Source(index: source))
    return unsafe cell.pointee.record(kind: kind, sample, time: time, device: nil)
  }
}

extension Int64 {
  /// Whether it is in ``Timestamp/validRange``; one comparison.
  @inline(__always)
  var isValidTime: Bool {
    let range = Timestamp.validRange
    return UInt64(bitPattern: self &- range.lowerBound)
      <= UInt64(bitPattern: range.upperBound &- range.lowerBound)
  }
}
