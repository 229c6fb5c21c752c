import Glibc
import Synchronization
import WakeTrace

/// A part of a file, or anonymous memory, that is mapped as long as this lives.
@safe
final class MappedRegion: @unchecked Sendable {
  // Sendable: the pointer never changes, and the memory is shared by design.
  private let base: UnsafeMutableRawPointer
  private let length: Int
  private let keepsAddresses = Atomic<Bool>(false)

  /// Maps a part of a file.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether writes stay in memory and never reach the file.
  ///   - isAtHand: Whether all pages are mapped at once, so that no later access faults.
  init(
    _ descriptor: Int32, offset: Int, length: Int, isPrivate: Bool, isAtHand: Bool = false,
    name: String
  ) throws(TraceError) {
    let sharing = isPrivate ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED
    unsafe base = try Self.map(
      length, sharing | (isAtHand ? MAP_POPULATE : 0), descriptor, offset, name)
    self.length = length
  }

  /// Maps memory that belongs to no file.
  init(anonymous length: Int) throws(TraceError) {
    unsafe base = try Self.map(length, MAP_PRIVATE | MAP_ANONYMOUS)
    self.length = length
  }

  /// Maps zeros for the rest of the process's life; pages take memory when they are written.
  static func permanent(_ length: Int) throws(TraceError) -> ProducerMemory {
    unsafe ProducerMemory(try map(length, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE))
  }

  private static func map(
    _ length: Int, _ flags: Int32, _ descriptor: Int32 = -1, _ offset: Int = 0,
    _ name: String = "memory"
  ) throws(TraceError) -> UnsafeMutableRawPointer {
    let mapped = unsafe mmap(nil, length, PROT_READ | PROT_WRITE, flags, descriptor, offset)
    guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
      throw .system("cannot be mapped into memory", file: name)
    }
    return unsafe mapped
  }

  deinit {
    if keepsAddresses.load(ordering: .acquiring) {
      letGo()
    } else {
      unsafe _ = munmap(base, length)
    }
  }

  /// Frees the memory and maps zeros in its place.
  func letGo() {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED
    unsafe _ = mmap(base, length, PROT_READ | PROT_WRITE, flags, -1, 0)
  }

  /// Keeps the addresses mapped for ever, for calls that may still use them when this ends.
  func keepAddresses() { keepsAddresses.store(true, ordering: .releasing) }

  /// The region's words from a byte on.
  func words(at byte: Int = 0) -> SharedWords { unsafe SharedWords(base + byte) }

  func write(_ bytes: some Collection<UInt8>, at start: Int) {
    precondition(start >= 0 && start + bytes.count <= length, "bytes lie within the region")
    for (index, byte) in bytes.enumerated() {
      unsafe base.storeBytes(of: byte, toByteOffset: start + index, as: UInt8.self)
    }
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "bytes lie within the region")
    return unsafe Array(UnsafeRawBufferPointer(start: base, count: length)[range])
  }
}
