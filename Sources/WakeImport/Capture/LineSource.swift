internal import Glibc
internal import WakeTrace

/// A file, a pipe or a client whose lines are captured.
final class LineSource {
  /// What came of a reading.
  enum Reading {
    case bytes(Int)
    case nothingYet
    case end
    case failed(ImportError)
  }

  /// No pipe and no socket holds more than so many bytes unless the system was told to.
  static let mostThatWaits = 1 << 20

  /// For messages.
  let name: String
  let stream: TraceCapture.Stream
  private(set) var descriptor: Int32
  private var bytes = 0
  /// Whether the last reading was the first that gave bytes.
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

  /// Whether there may be bytes that were sent and that nobody else will ever read.
  var mayWait: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Reads what is at hand.
  func read(into chunk: inout [UInt8]) -> Reading {
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes { bytes in
        unsafe Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count > 0 {
        hasJustBegun = bytes == 0
        bytes += count
        return .bytes(count)
      }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothingYet
      default: return .failed(.system("cannot be read", file: name))
      }
    }
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
