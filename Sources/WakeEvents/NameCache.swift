/// Finds the symbols of names met lately by their UTF-8 bytes, without making a `String` and without the lock of a
/// ``SymbolTable``.
@usableFromInline
package struct NameCache<Namespace> {
  @usableFromInline var slots = NameSlots()

  package init() {}

  /// The hash by which names are found: multiplication and shift, eight bytes at a time.
  @inlinable
  package static func hash(_ name: Span<UInt8>) -> UInt64 {
    var hash = UInt64(name.count)
    for place in stride(from: 0, to: name.count, by: 8) {
      hash = (hash ^ name.nameWord(at: place)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 32
    }
    return hash
  }

  /// The symbol of a name, if it is in the cache.
  ///
  /// - Parameter hash: The name's ``hash(_:)``.
  /// - Complexity: O(length of the name).
  @inlinable @inline(__always)
  package func symbol(of name: Span<UInt8>, hash: UInt64) -> Symbol<Namespace>? {
    slots.index(of: name, hash: hash).map { Symbol(index: $0) }
  }

  /// The symbol of a name, from `intern` if it is not in the cache.
  ///
  /// - Complexity: O(length of the name).
  @inlinable
  package mutating func symbol<Failure>(
    of name: Span<UInt8>, intern: () throws(Failure) -> Symbol<Namespace>
  ) throws(Failure) -> Symbol<Namespace> {
    let hash = Self.hash(name)
    if let known = symbol(of: name, hash: hash) { return known }
    let symbol = try intern()
    insert(name, hash: hash, symbol)
    return symbol
  }

  /// Adds a name that is not in the cache.
  @inlinable
  package mutating func insert(_ name: Span<UInt8>, hash: UInt64, _ symbol: Symbol<Namespace>) {
    slots.insert(name, hash: hash, index: symbol.index)
  }
}

/// The indices of names by their hashes: a hash table of fixed size with open addressing. A name whose slots are all taken
/// replaces the first of them.
///
/// Not generic as ``NameCache`` is, so that other modules need no metadata of its types for each name.
@usableFromInline
struct NameSlots {
  @usableFromInline
  struct Slot {
    @usableFromInline var hash: UInt64 = 0
    /// The range of the name in ``bytes``.
    @usableFromInline var start: UInt32 = 0
    @usableFromInline var length: UInt32 = 0
    @usableFromInline var index = UInt32.max

    @inlinable var isFree: Bool { index == .max }

    init() {}
  }

  @inlinable static var slotBits: UInt64 { 10 }
  /// The slots, one after the other, that a name may be in.
  @inlinable static var probes: Int { 4 }
  /// When the names together need more bytes, the cache is emptied.
  private static var maximumBytes: Int { 1 << 18 }

  /// Empty before the first name.
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var bytes: [UInt8] = []

  @usableFromInline init() {}

  /// The index of a name, if it has a slot.
  @inlinable @inline(__always)
  func index(of name: Span<UInt8>, hash: UInt64) -> UInt32? {
    if slots.isEmpty { return nil }
    let first = Self.firstSlot(hash)
    for place in first..<first + Self.probes {
      let slot = slots[place]
      if slot.isFree { break }
      guard slot.hash == hash, Int(slot.length) == name.count else { continue }
      let known = bytes.span.extracting(Int(slot.start)..<Int(slot.start) + name.count)
      if known.isSameName(as: name) { return slot.index }
    }
    return nil
  }

  /// Adds a name that has no slot.
  @usableFromInline
  mutating func insert(_ name: Span<UInt8>, hash: UInt64, index: UInt32) {
    guard name.count <= Self.maximumBytes else { return }
    if slots.isEmpty || bytes.count + name.count > Self.maximumBytes {
      slots = [Slot](repeating: Slot(), count: 1 << Self.slotBits + Self.probes - 1)
      bytes.removeAll(keepingCapacity: true)
    }
    let first = Self.firstSlot(hash)
    let slot = (first..<first + Self.probes).first { slots[$0].isFree } ?? first
    slots[slot].hash = hash
    slots[slot].start = UInt32(bytes.count)
    slots[slot].length = UInt32(name.count)
    slots[slot].index = index
    for place in name.indices { bytes.append(name[place]) }
  }

  @inlinable @inline(__always)
  static func firstSlot(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> (64 - slotBits))
  }
}

extension Span<UInt8> {
  /// The eight bytes from `place` on, the first lowest; zeros stand for bytes beyond the end.
  @inlinable @inline(__always)
  func nameWord(at place: Int) -> UInt64 {
    if place + 8 <= count { return unaligned(at: place) }
    if count >= 8 { return unaligned(at: count - 8) &>> UInt64(8 * (place + 8 - count)) }
    var word: UInt64 = 0
    for index in (place..<count).reversed() { word = word &<< 8 | UInt64(self[index]) }
    return word
  }

  @inlinable @inline(__always)
  func unaligned(at place: Int) -> UInt64 {
    // Unsafe by name only: the range is checked, and any eight bytes are an integer.
    unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  @inlinable @inline(__always)
  func isSameName(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for place in stride(from: 0, to: count, by: 8)
    where nameWord(at: place) != other.nameWord(at: place) {
      return false
    }
    return true
  }
}
