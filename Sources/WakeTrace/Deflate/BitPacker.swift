/// Packs bit fields into memory, least significant bit first, with eight-byte stores.
///
/// Unsafe, since it runs once an event: it checks no bounds and writes up to ``margin`` bytes beyond the packed ones.
@safe struct BitPacker {
  /// Bytes that the memory needs beyond the packed ones.
  static let margin = 8

  private let memory: UnsafeMutableRawPointer
  private var offset = 0
  private var pending: UInt64 = 0
  /// Less than 8 between calls.
  private var pendingBits: UInt64 = 0

  /// Packs to the start of memory that outlives the packer.
  init(_ memory: UnsafeMutableRawPointer) { unsafe self.memory = unsafe memory }

  /// Appends the lowest `bits` of a value that has no higher ones; at most 56.
  @inline(__always)
  mutating func append(_ value: UInt64, bits: UInt64) {
    pending |= value &<< pendingBits
    pendingBits &+= bits
    unsafe memory.storeBytes(of: pending.littleEndian, toByteOffset: offset, as: UInt64.self)
    offset &+= Int(truncatingIfNeeded: pendingBits &>> 3)
    pending &>>= pendingBits & 56
    pendingBits &= 7
  }

  /// Pads the last byte with zeros; returns the number of bytes packed.
  mutating func finish() -> Int {
    if pendingBits > 0 { append(0, bits: 8 - pendingBits) }
    return offset
  }
}
