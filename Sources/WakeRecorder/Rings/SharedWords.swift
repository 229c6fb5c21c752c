public import Synchronization

/// 64-bit words in memory that threads or processes share.
///
/// ``load(_:)`` and ``store(_:at:)`` are relaxed, ``acquire(_:)`` and ``release(_:at:)`` ordered as named, all others
/// sequentially consistent. The caller stays within the words and keeps their memory mapped.
@safe @usableFromInline
struct SharedWords: @unchecked Sendable {
  // Sendable: every access is atomic.
  @usableFromInline let base: UnsafeMutablePointer<Atomic<UInt64>>

  @inlinable @inline(__always)
  init(_ base: UnsafeMutableRawPointer) {
    unsafe self.base = base.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// What stands behind the words, at a byte from their start.
  func pointer<Value>(_: Value.Type, atByte byte: Int) -> UnsafeMutablePointer<Value> {
    unsafe (UnsafeMutableRawPointer(base) + byte).assumingMemoryBound(to: Value.self)
  }

  @inlinable @inline(__always)
  func load(_ index: Int) -> UInt64 { unsafe base[index].load(ordering: .relaxed) }

  @inline(__always)
  func acquire(_ index: Int) -> UInt64 { unsafe base[index].load(ordering: .acquiring) }

  @inlinable @inline(__always)
  func store(_ value: UInt64, at index: Int) {
    unsafe base[index].store(value, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  func release(_ value: UInt64, at index: Int) {
    unsafe base[index].store(value, ordering: .releasing)
  }

  @inline(__always)
  func loadInOrder(_ index: Int) -> UInt64 {
    unsafe base[index].load(ordering: .sequentiallyConsistent)
  }

  func storeInOrder(_ value: UInt64, at index: Int) {
    unsafe base[index].store(value, ordering: .sequentiallyConsistent)
  }

  /// Sets bits of a word that several threads write.
  func insert(_ bits: UInt64, at index: Int) {
    unsafe base[index].bitwiseOr(bits, ordering: .sequentiallyConsistent)
  }

  /// Clears bits of a word that several threads write.
  func remove(_ bits: UInt64, at index: Int) {
    unsafe base[index].bitwiseAnd(~bits, ordering: .sequentiallyConsistent)
  }
}
