public import Synchronization
package import WakeEvents

/// The memory of the producers' cells, in which a handle finds its cell.
///
/// A handle is the byte offset of a cell in the lower 24 bits and a generation above them, so no two are equal.
/// Cells are never freed: a call with a closed handle finds a cell that has another handle. The C API passes
/// memory at an address that the linker knows, so that its calls do not load the address first.
///
/// It is SPI and not `package`, as Swift does not inline `package` functions into other modules.
@safe @_spi(RouseC)
public struct ProducerMemory: @unchecked Sendable {
  // Sendable: the pointer never changes; ``ProducerCell`` says who may access what it points to.
  @usableFromInline let base: UnsafeMutableRawPointer

  /// Producers that may be open at once.
  package static let cellCount = 65_536
  /// Bytes of a cell, including its shared words.
  @inlinable
  public static var cellBytes: Int { 128 }
  package static var byteCount: Int { cellCount * cellBytes }
  /// The bits of a handle that hold the offset.
  @inlinable
  static var offsetMask: UInt64 { 65_535 * 128 }

  /// - Parameter base: The start of ``byteCount`` bytes that are zero at first and are never freed.
  @inlinable
  public init(_ base: UnsafeMutableRawPointer) { unsafe self.base = base }

  @inlinable @inline(__always)
  func cell(at offset: Int) -> UnsafeMutablePointer<ProducerCell> {
    unsafe (base + offset + ProducerCell.Shared.bytes)
      .assumingMemoryBound(to: ProducerCell.self)
  }

  /// The words in front of a cell, which other threads access too.
  @inlinable @inline(__always)
  static func words(of cell: UnsafeMutablePointer<ProducerCell>) -> SharedWords {
    unsafe SharedWords(UnsafeMutableRawPointer(cell) - ProducerCell.Shared.bytes)
  }

  /// The cell of a handle; nil if it is closed. The handle 0 finds a cell that is never used and knows no names.
  @inlinable @inline(__always)
  func cellOrUnused(_ handle: UInt64) -> UnsafeMutablePointer<ProducerCell>? {
    let cell = unsafe cell(at: Int(handle & Self.offsetMask))
    guard unsafe _fastPath(Self.words(of: cell).load(ProducerCell.Shared.handle) == handle) else {
      return nil
    }
    return unsafe cell
  }

  /// The cell of a handle; nil if the handle is 0, closed or of a parent process.
  func cell(_ handle: UInt64) -> UnsafeMutablePointer<ProducerCell>? {
    handle == 0 || handle & ProducerCell.Shared.forked != 0 ? nil : unsafe cellOrUnused(handle)
  }

  /// Why ``cell(_:)`` found no cell.
  func refusal(_ handle: UInt64) -> RecordStatus {
    let cell = unsafe cell(at: Int(handle & Self.offsetMask))
    let found = unsafe Self.words(of: cell).load(ProducerCell.Shared.handle)
    return found == handle | ProducerCell.Shared.forked ? .forked : .closed
  }
}

// The path of nearly all events: a save or delete without details, and room in the ring. It is inlined into the
// functions of the C API, as a call between modules would cost a tenth of it. Everything else is a tail call, so
// that no registers are saved.
extension ProducerMemory {
  /// Records a save or delete that has only a type and a source.
  ///
  /// - Parameter kind: The raw value of `InputKind.save` or `.delete`.
  @inlinable @inline(__always)
  public func record(
    _ handle: UInt64, kind: UInt8, type: UInt32, source: UInt32, time: Int64
  ) -> RecordStatus {
    guard let cell = unsafe cellOrUnused(handle), _fastPath(time.isValidTime),
      unsafe _fastPath(type < cell.pointee.typeCount),
      unsafe _fastPath(source < cell.pointee.sourceCount)
    else { return recordSlowly(handle, at: time, type: type, source: source, kind) }
    let ring = unsafe cell.pointee.ring
    let position = ring.load(RingLayout.Ring.reserved)
    ring.store(position &+ 1, at: RingLayout.Ring.reserved)
    atomicMemoryFence(ordering: .acquiringAndReleasing)
    guard _fastPath(ring.load(RingLayout.Ring.head) == position),
      unsafe _fastPath(position < Self.words(of: cell).load(ProducerCell.Shared.limit))
    else {
      return unsafe Self.recordSlowly(
        Self.words(of: cell), at: time, type: type, source: source, reserved: position, kind)
    }
    let slot = unsafe Int(truncatingIfNeeded: position & cell.pointee.mask)
    let word = RingLayout.slotsWord &+ slot &* 2
    ring.store(UInt64(bitPattern: time), at: word)
    ring.store(RingSlot.head(kind, 0, type, source), at: word &+ 1)
    ring.release(position &+ 1, at: RingLayout.Ring.head)
    return RecordStatus(rawValue: 0)
  }

  // The parameters are in the order of those of `rouse_save`, so that they stay in their registers.
  @usableFromInline @inline(never)
  func recordSlowly(
    _ handle: UInt64, at time: Int64, type: UInt32, source: UInt32, _ kind: UInt8
  ) -> RecordStatus {
    guard let cell = unsafe cell(handle) else { return refusal(handle) }
    return unsafe Self.record(cell, kind, type, source, time)
  }

  /// Records after a reservation that cannot be used.
  // The words in place of memory and handle, so that all parameters fit into registers.
  @usableFromInline @inline(never)
  static func recordSlowly(
    _ words: SharedWords, at time: Int64, type: UInt32, source: UInt32, reserved position: UInt64,
    _ kind: UInt8
  ) -> RecordStatus {
    let handle = words.load(ProducerCell.Shared.handle)
    guard handle & ProducerCell.Shared.forked == 0 else { return .forked }
    guard handle != ProducerCell.Shared.none else { return .closed }
    let cell = unsafe words.pointer(ProducerCell.self, atByte: ProducerCell.Shared.bytes)
    if let status = unsafe cell.pointee.withdraw(position) { return status }
    return unsafe record(cell, kind, type, source, time)
  }

  private static func record(
    _ cell: UnsafeMutablePointer<ProducerCell>, _ kind: UInt8, _ type: UInt32, _ source: UInt32,
    _ time: Int64
  ) -> RecordStatus {
    let sample = Sample(type: SampleType(index: type), source: Source(index: source))
    let kind = kind == 0 ? InputKind.save : .delete
    return unsafe cell.pointee.record(kind: kind, sample, time: time, device: nil)
  }
}

extension ProducerMemory {
  /// Records a save with a value.
  package func save(
    _ handle: UInt64, at time: Int64, type: UInt32, source: UInt32, value: Double
  ) -> RecordStatus {
    guard let cell = unsafe cell(handle) else { return refusal(handle) }
    let sample = Sample(
      type: SampleType(index: type), source: Source(index: source), value: value)
    return unsafe cell.pointee.record(kind: .save, sample, time: time, device: nil)
  }

  /// Records any input.
  package func record(
    _ handle: UInt64, _ input: Input, time: Int64, device: UInt32?
  ) -> RecordStatus {
    guard let cell = unsafe cell(handle) else { return refusal(handle) }
    return unsafe cell.pointee.record(input, time: time, device: device)
  }
}

extension Int64 {
  /// Whether it is in `Timestamp.validRange`, by one comparison.
  @inlinable @inline(__always)
  var isValidTime: Bool {
    UInt64(bitPattern: self &+ 4_000_000_000_000_000_000) <= 8_000_000_000_000_000_000
  }
}
