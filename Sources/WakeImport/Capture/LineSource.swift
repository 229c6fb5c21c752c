internal import Glibc
internal import WakeRecorder
internal import WakeTrace

/// A file, pipe or client whose lines are captured.
final class LineSource {
  /// More than a pipe or socket holds by default.
  static let mostThatWaits = 1 << 20

  let name: String
  let stream: TraceCapture.Stream
  private(set) var descriptor: Int32
  private var bytes = 0
  /// Whether the last read was the first with bytes.
  private(set) var hasJustBegun = false
  var splitter: LineSplitter
  var hasEnded: Bool { descriptor < 0 }

  init(_ name: String, _ descriptor: Int32, stream: TraceCapture.Stream, _ maximumLength: Int) {
    self.name = name
    self.descriptor = descriptor
    self.stream = stream
    splitter = LineSplitter(file: name, maximumLength: maximumLength)
  }

  deinit { close() }

  /// Whether unread bytes would be lost: everything but a regular file.
  var mayWait: Bool { SystemCalls.status(of: descriptor)?.sort != S_IFREG }

  /// Reads the available bytes; 0 is the end, nil is none yet.
  func read(into chunk: inout [UInt8]) -> Result<Int, ImportError>? {
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 {
        hasJustBegun = bytes == 0 && count > 0
        bytes += count
        return .success(count)
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return nil
      default: return .failure(.system("cannot be read", file: name))
      }
    }
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
