import Glibc

/// Words in a file that outlive whoever is killed while writing them; for tests.
package final class SharedProgress: Sendable {
  private let region: MappedRegion

  /// Opens a file, made if it is not there, of `count` words.
  package init(path: String, count: Int) throws(TraceError) {
    let descriptor = SystemCalls.open(path, O_RDWR | O_CREAT)
    defer { close(descriptor) }
    guard descriptor >= 0, ftruncate(descriptor, count * 8) == 0 else {
      throw .system("cannot be made", file: path)
    }
    region = try MappedRegion(
      descriptor, offset: 0, length: count * 8, isPrivate: false, name: path)
  }

  package func set(_ index: Int, _ value: UInt64) { region.words().release(value, at: index) }

  package subscript(index: Int) -> UInt64 { region.words().acquire(index) }
}
