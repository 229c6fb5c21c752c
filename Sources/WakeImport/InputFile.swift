import Glibc
import WakeTrace

/// A file or standard input, read from beginning to end.
public final class InputFile {
  /// The path, or `standard input`.
  public let name: String
  /// The length of a regular file in bytes; nil for a pipe.
  public let length: Int64?
  /// Whether it is a file that not everybody may read.
  public let isPrivate: Bool
  /// Bytes read so far.
  public private(set) var position: Int64 = 0
  private let descriptor: Int32

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: ``ImportError`` with `unreadable`.
  public init(path: String) throws(ImportError) {
    name = path == "-" ? "standard input" : path
    descriptor = path == "-" ? dup(STDIN_FILENO) : SystemCalls.open(path, O_RDONLY)
    guard descriptor >= 0, let status = SystemCalls.status(of: descriptor) else {
      throw .system("cannot be opened", file: name)
    }
    length = status.sort == S_IFREG ? status.length : nil
    isPrivate = status.isPrivate
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads the next bytes into `span` and returns their number; 0 is the end.
  ///
  /// - Throws: ``ImportError`` with `unreadable`, as for a folder.
  public func read(into span: inout MutableSpan<UInt8>) throws(ImportError) -> Int {
    while true {
      let count = unsafe span.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        position += Int64(count)
        return count
      }
      if errno != EINTR { throw .system("cannot be read", file: name) }
    }
  }

  /// Reads the whole file; more than `limit` bytes are an error.
  public func readAll(limit: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let chunk = try readChunk(64 << 10)
      if chunk.isEmpty { return bytes }
      bytes += chunk
      guard bytes.count <= limit else {
        throw ImportError(code: .tooLong, file: name, message: "is longer than \(limit) bytes")
      }
    }
  }

  /// Reads the next bytes; an empty array is the end.
  func readChunk(_ size: Int) throws(ImportError) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: size)
    var span = chunk.mutableSpan
    let count = try read(into: &span)
    chunk.removeLast(size - count)
    return chunk
  }
}
