import Synchronization

/// 64-bit words in memory that threads or processes share.
///
/// The caller stays within the words, and keeps their memory mapped.
@safe
struct SharedWords: @unchecked Sendable {
  private let base: UnsafeMutablePointer<Atomic<UInt64>>

  init(_ base: UnsafeMutableRawPointer) {
    unsafe self.base = base.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Reads a word, in no order with other words.
  @inline(__always)
  func load(_ index: Int) -> UInt64 { unsafe base[index].load(ordering: .relaxed) }

  /// Reads a word; what its writer wrote before it can be read afterwards.
  @inline(__always)
  func acquire(_ index: Int) -> UInt64 { unsafe base[index].load(ordering: .acquiring) }

  /// Writes a word, in no order with other words.
  @inline(__always)
  func store(_ value: UInt64, at index: Int) {
    unsafe base[index].store(value, ordering: .relaxed)
  }

  /// Writes a word behind all that was written before.
  @inline(__always)
  func release(_ value: UInt64, at index: Int) {
    unsafe base[index].store(value, ordering: .releasing)
  }

  /// Reads a word, in one order with all that is written and read so.
  @inline(__always)
  func loadInOrder(_ index: Int) -> UInt64 {
    unsafe base[index].load(ordering: .sequentiallyConsistent)
  }

  /// Writes a word, in one order with all that is written and read so.
  func storeInOrder(_ value: UInt64, at index: Int) {
    unsafe base[index].store(value, ordering: .sequentiallyConsistent)
  }

  /// Sets bits of a word that several threads write to.
  func insert(_ bits: UInt64, at index: Int) {
    unsafe base[index].bitwiseOr(bits, ordering: .sequentiallyConsistent)
  }

  /// Clears bits of a word that several threads write to.
  func remove(_ bits: UInt64, at index: Int) {
    unsafe base[index].bitwiseAnd(~bits, ordering: .sequentiallyConsistent)
  }
}
