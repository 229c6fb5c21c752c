import Glibc
import WakeTrace

/// A file or standard input, read from beginning to end.
///
/// A compressed one is decompressed as it is read: gzip, zip, and by the programs of these names xz and zstd, told by its
/// first bytes. Of a zip archive the file is read that begins like what is expected.
public final class InputFile {
  /// The path, or `standard input`.
  public let name: String
  /// The length of a regular file in bytes; nil for a pipe.
  public let length: Int64?
  /// Whether it is a file that not everybody may read.
  public let isPrivate: Bool
  /// Bytes of the file read so far, compressed ones if it is compressed.
  public var position: Int64 { reader?.position ?? 0 }
  private let descriptor: Int32
  private let content: ExpectedContent
  /// Nil until the first read, as a pipe may have no bytes yet.
  private var reader: InputReader?
  /// Why reading has failed.
  private var failure: ImportError?

  /// Opens a file of JSON; `-` is standard input.
  ///
  /// - Throws: ``ImportError`` with `unreadable`.
  public convenience init(path: String) throws(ImportError) {
    try self.init(path: path, .json)
  }

  /// Opens a file to import; `-` is standard input.
  ///
  /// - Throws: ``ImportError`` with `unreadable`.
  public convenience init(path: String, form: TraceImport.Form) throws(ImportError) {
    try self.init(path: path, form == .appleHealth ? .appleHealth : .json)
  }

  private init(path: String, _ content: ExpectedContent) throws(ImportError) {
    name = path == "-" ? "standard input" : path
    self.content = content
    descriptor =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      : SystemCalls.open(path, O_RDONLY)
    guard descriptor >= 0, let status = SystemCalls.status(of: descriptor) else {
      throw .system("cannot be opened", file: name)
    }
    length = status.sort == S_IFREG ? status.length : nil
    isPrivate = status.isPrivate
  }

  deinit {
    // Before the descriptor that it reads.
    reader = nil
    if descriptor >= 0 { close(descriptor) }
  }

  /// Reads the next bytes of the content into `span`, which is not empty, and returns their number; 0 is the end.
  ///
  /// - Throws: ``ImportError`` with `unreadable`, as for a folder, `truncated` or `malformed` if it is compressed and cut
  ///   short or damaged.
  public func read(into span: inout MutableSpan<UInt8>) throws(ImportError) -> Int {
    do throws(TraceError) {
      let reader = try opened()
      guard !reader.isTrace else {
        throw TraceError(
          .inputOutput, name,
          "is a trace, not \(content.name); 'rouse export' makes JSON Lines of it"
        )
      }
      return try reader.read(into: &span)
    } catch {
      let error = importError(error)
      failure = error
      throw error
    }
  }

  /// What is wrong with a compressed file, which is read to its end for that: its content may be wrong as the file is
  /// damaged. Nil if reading has found nothing, or it is a pipe, whose end may never come.
  ///
  /// - Parameter progress: Called after each 16 MB.
  /// - Complexity: O(bytes), at most 200 times the file's length or 256 MB, and at most 4 GB.
  func damage(_ progress: () -> Void = {}) -> ImportError? {
    if let failure { return failure }
    guard let reader, let length else { return nil }
    do throws(TraceError) {
      try reader.checkRest(ofFile: length, progress)
      return nil
    } catch {
      return importError(error)
    }
  }

  /// An error of the content. In a compressed pipe damage may be its cause, which is not looked for there, as the rest of a pipe
  /// is not read (``damage(_:)``): the message says so then.
  func explained(_ error: ImportError) -> ImportError {
    guard length == nil, reader?.isCompressed == true else { return error }
    var error = error
    error.message +=
      "; or the pipe's compressed bytes are damaged: import them as a file to find out"
    return error
  }

  private func importError(_ error: TraceError) -> ImportError {
    let code: ImportError.Code =
      switch error.code {
      case .truncated: .truncated
      case .damaged: .malformed
      case .empty: .empty
      default: .unreadable
      }
    let place = error.offset.map { "byte \($0): " } ?? ""
    // Only what is compressed has checks.
    let isDamage = code == .truncated || code == .malformed
    return ImportError(
      code: code, file: name, byteOffset: error.offset.map(Int.init),
      message: place + error.message + (isDamage ? "; copy, download or export it again" : ""))
  }

  private func opened() throws(TraceError) -> InputReader {
    if let reader { return reader }
    let reader = try InputReader(descriptor, name: name, holding: content)
    self.reader = reader
    return reader
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
