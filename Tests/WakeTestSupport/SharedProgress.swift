import Foundation
import Synchronization

/// Words in a file that outlive whoever is killed while writing them.
@safe
public final class SharedProgress: Sendable {
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let count: Int

  /// Opens a file, made if it is not there, of `count` words.
  ///
  /// - Throws: `POSIXError` if that fails.
  public init(path: String, count: Int) throws {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    guard descriptor >= 0, ftruncate(descriptor, count * 8) == 0,
      let mapped = unsafe mmap(
        nil, count * 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe mapped != MAP_FAILED
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    unsafe words = mapped.assumingMemoryBound(to: Atomic<UInt64>.self)
    self.count = count
  }

  deinit { unsafe _ = munmap(words, count * 8) }

  /// Writes a word behind all that was written before.
  public func set(_ index: Int, _ value: UInt64) {
    precondition(0..<count ~= index)
    unsafe words[index].store(value, ordering: .releasing)
  }

  /// Reads a word; what its writer wrote before it can be read afterwards.
  public subscript(index: Int) -> UInt64 {
    precondition(0..<count ~= index)
    return unsafe words[index].load(ordering: .acquiring)
  }
}
