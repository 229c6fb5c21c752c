import CSystem
import Glibc
import Synchronization
import WakeTrace

/// A part of a file, or anonymous memory, that is mapped as long as this lives.
///
/// A file may be cut short while it is mapped. Zeros then stand in place of the part (`mapping_guard.h`), and
/// ``checkWhole()`` throws.
@safe
final class MappedRegion: @unchecked Sendable {
  // Sendable: the pointer never changes, and the memory is shared by design.
  private let base: UnsafeMutableRawPointer
  private let length: Int
  private let keepsAddresses = Atomic<Bool>(false)
  let name: String
  /// The place in the guard's table; -1 if the memory is no file's.
  private let guardPlace: Int32

  /// Maps a part of a file.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether writes stay in memory and never reach the file.
  ///   - isAtHand: Whether all pages are mapped at once, so that no later access faults.
  ///   - marked: The word that is ``RingLayout/cut`` if the file was cut short; -1 is none.
  init(
    _ descriptor: Int32, offset: Int, length: Int, isPrivate: Bool, isAtHand: Bool = false,
    marked: Int = -1, name: String
  ) throws(TraceError) {
    let sharing = isPrivate ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED
    unsafe base = try Self.map(
      length, sharing | (isAtHand ? MAP_POPULATE : 0), descriptor, offset, name)
    (self.length, self.name) = (length, name)
    guardPlace = unsafe mapping_guard_add(base, length, marked, RingLayout.cut)
    guard guardPlace >= 0 else {
      unsafe _ = munmap(base, length)
      throw TraceError(.tooLarge, name, "too many parts of ring files are mapped into memory")
    }
  }

  /// Maps memory that belongs to no file.
  init(anonymous length: Int) throws(TraceError) {
    unsafe base = try Self.map(length, MAP_PRIVATE | MAP_ANONYMOUS)
    (self.length, name, guardPlace) = (length, "memory", -1)
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
    if guardPlace >= 0 { mapping_guard_remove(guardPlace) }
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

  /// Whether the file was cut short, so that what was read may be zeros that nobody wrote.
  var isCut: Bool { guardPlace >= 0 && mapping_guard_was_cut(guardPlace) }

  /// - Throws: ``TraceError`` with `truncated` if it ``isCut``.
  func checkWhole() throws(TraceError) {
    guard isCut else { return }
    throw TraceError(
      .truncated, name, "was cut short by another process; the events that were in it are lost")
  }

  /// Runs code that accesses mapped files, in a thread that may block SIGBUS.
  static func surviving<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let wasBlocked = mapping_guard_unblock()
    defer { if wasBlocked { mapping_guard_block() } }
    return try body()
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
