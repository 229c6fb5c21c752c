import Glibc

/// A file in memory that is written again for each input, with a path for readers that open one.
final class MemoryFile: @unchecked Sendable {
  static let shared = MemoryFile()

  private let descriptor: Int32
  let path: String

  private init() {
    let name = "/dev/shm/rouse-fuzz-\(getpid())"
    descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    _ = unsafe unlink(name)
    expect(descriptor >= 0, "no file in memory could be made")
    path = "/proc/self/fd/\(descriptor)"
  }

  /// The path of a file with this content.
  func hold(_ bytes: [UInt8]) -> String {
    expect(ftruncate(descriptor, 0) == 0, "the file in memory cannot be cut")
    let written = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
    }
    expect(written == bytes.count, "the file in memory cannot be written")
    return path
  }
}
