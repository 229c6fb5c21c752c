import Glibc
import Synchronization

/// A part of a file that is mapped into memory as long as this lives.
@safe
final class MappedRegion: @unchecked Sendable {
  // Sendable: the pointer never changes, and what it leads to is shared by design.
  private let base: UnsafeMutableRawPointer
  let length: Int
  private let outlives = Atomic<Bool>(false)

  /// Maps a part of a file.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether what is written stays in memory and never reaches the file.
  ///   - isAtHand: Whether all pages are mapped at once, so that touching them never takes long.
  init(
    _ descriptor: Int32, offset: Int, length: Int, isPrivate: Bool, isAtHand: Bool = false,
    name: String
  ) throws(TraceError) {
    let sharing = isPrivate ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED
    let mapped = unsafe mmap(
      nil, length, PROT_READ | PROT_WRITE, sharing | (isAtHand ? MAP_POPULATE : 0), descriptor,
      offset)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      throw .system("cannot be mapped into memory", file: name)
    }
    unsafe base = mapped
    self.length = length
  }

  /// Takes memory that is no file's.
  init(anonymous length: Int) throws(TraceError) {
    let mapped = unsafe mmap(
      nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      throw .system("cannot be had", file: "memory")
    }
    unsafe base = mapped
    self.length = length
  }

  deinit {
    if outlives.load(ordering: .acquiring) {
      letGo()
    } else {
      unsafe _ = munmap(base, length)
    }
  }

  /// Gives the memory back, and keeps the addresses for memory that takes none until it is touched.
  func letGo() {
    let (all, sharing) = (PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)
    unsafe _ = mmap(base, length, all, sharing | MAP_FIXED, -1, 0)
  }

  /// Keeps the region's addresses for good, without what is there: for those who may still be about to use
  /// them when this ends.
  func keepAddresses() { outlives.store(true, ordering: .releasing) }

  /// The region's words from a byte on.
  func words(at byte: Int = 0) -> SharedWords { unsafe SharedWords(base + byte) }

  /// Copies bytes into the region.
  func write(_ bytes: some Collection<UInt8>, at start: Int) {
    precondition(start >= 0 && start + bytes.count <= length, "bytes lie within the region")
    for (index, byte) in bytes.enumerated() {
      unsafe base.storeBytes(of: byte, toByteOffset: start + index, as: UInt8.self)
    }
  }

  /// Bytes of the region.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "bytes lie within the region")
    return unsafe Array(UnsafeRawBufferPointer(start: base, count: length)[range])
  }
}
