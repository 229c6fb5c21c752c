import Glibc
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Files of bytes, one after another, under one name.
final class ScratchTrace {
  private let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("scratch.wtrace")
  }

  /// Makes the bytes the file's whole content.
  func hold(_ bytes: [UInt8]) throws {
    // A new file each time, as some systems wait for the disk when one is cut and written anew.
    SystemCalls.remove(path)
    let descriptor = SystemCalls.open(path, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(descriptor) }
    guard SystemCalls.write(bytes, count: bytes.count, to: descriptor) == bytes.count else {
      throw TestFailure("\(path) cannot be written")
    }
  }

  /// The events that can be read of bytes, and what stands in place of the others.
  func read(
    _ bytes: [UInt8], symbols: Symbols
  ) throws -> (contents: TraceContents, errors: [TraceError]) {
    try hold(bytes)
    return TraceMaking.read(path, symbols: symbols)
  }

  func verify(_ bytes: [UInt8]) throws -> TraceVerification {
    try hold(bytes)
    return TraceVerification(of: try TraceFile(path: path))
  }
}
