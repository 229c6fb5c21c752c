import Glibc

/// An unlinked temporary file, for data that exceeds memory. The system removes it when it is closed, after a crash too.
package final class TemporaryFile {
  private var descriptor: Int32
  private let folder: String
  package private(set) var length: Int64 = 0

  package static var systemFolder: String { SystemCalls.environment("TMPDIR") ?? "/tmp" }

  package init(folder: String) throws(TraceError) {
    self.folder = folder
    descriptor = SystemCalls.openNameless(in: folder)
    guard descriptor >= 0 else {
      throw .system("no temporary file can be made there", file: folder)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Gives up the descriptor, which the caller must close.
  func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  package func append(_ bytes: [UInt8], count: Int) throws(TraceError) {
    guard SystemCalls.write(bytes, count: count, to: descriptor) == count else {
      throw .system("a temporary file there cannot be written", file: folder)
    }
    length += Int64(count)
  }

  /// Fills `buffer` from its start with `count` bytes at `offset`, all of which were written before.
  package func read(_ count: Int, at offset: Int64, into buffer: inout [UInt8]) throws(TraceError) {
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count + count / 4) }
    guard SystemCalls.read(descriptor, count: count, at: offset, into: &buffer) == count else {
      throw .system("a temporary file there cannot be read back", file: folder)
    }
  }
}

extension TemporaryFile: BlockOutput {
  package var name: String { "temporary file" }

  package func write(_ block: BlockEncoder.Block) throws(TraceError) {
    try append(block.scheduling, count: block.scheduling.count)
    try append(block.details, count: block.details.count)
    try append(block.observations, count: block.observations.count)
  }
}
