import Glibc

/// An open trace file; any number of threads may read it.
///
/// Uses `pread`, not `mmap`: if the file shrinks meanwhile, reading fails instead of raising SIGBUS.
public final class TraceFile: Sendable {
  /// The path, or `standard input`.
  public let name: String
  /// Bytes in the file when it was opened.
  public let length: Int64
  /// Whether it is a file that not everybody may read.
  package let isPrivate: Bool
  private let descriptor: Int32

  /// Opens a file for reading; `-` is standard input. Input that is not a regular file is first copied to a temporary
  /// file.
  ///
  /// - Throws: ``TraceError`` with `inputOutput` if it cannot be opened, `empty` if it is empty.
  public convenience init(path: String) throws(TraceError) {
    try self.init(path: path, isRegular: false)
  }

  /// Opens a file for reading.
  ///
  /// - Parameters:
  ///   - isRegular: Whether pipes and devices are refused, whose end may never come; `-` is not.
  ///   - owner: The user whose file it must be, however the path leads to it; nil is any.
  /// - Throws: ``TraceError`` as ``init(path:)``, and `anotherUsers`.
  package init(path: String, isRegular: Bool, owner: UInt32? = nil) throws(TraceError) {
    name = path == "-" ? "standard input" : path
    let opened =
      path == "-"
      ? dup(STDIN_FILENO)
      // Opening a FIFO waits for its writer.
      : SystemCalls.open(path, O_RDONLY | (isRegular ? O_NONBLOCK : 0))
    guard opened >= 0 else { throw .system("cannot be opened", file: name) }
    guard let status = SystemCalls.status(of: opened), status.sort != S_IFDIR else {
      close(opened)
      throw TraceError(code: .inputOutput, file: name, message: "is not a file that can be read")
    }
    isPrivate = status.isPrivate
    guard owner == nil || status.owner == owner else {
      close(opened)
      throw TraceError(.anotherUsers, name, "belongs to another user than its ring file")
    }
    guard !isRegular || path == "-" || status.sort == S_IFREG else {
      close(opened)
      throw TraceError(.inputOutput, name, "is no regular file; `-` reads standard input")
    }
    if status.sort == S_IFREG {
      (descriptor, length) = (opened, status.length)
    } else {
      defer { close(opened) }
      (descriptor, length) = try Self.spool(opened, name: name)
    }
    // From here on the end of the object closes the descriptor.
    guard length > 0 else {
      throw TraceError(code: .empty, file: name, message: "the file is empty; a trace has blocks")
    }
  }

  package var identity: SystemCalls.Identity? { SystemCalls.status(of: descriptor)?.identity }

  init(_ temporary: TemporaryFile) {
    name = temporary.name
    isPrivate = true
    length = temporary.length
    descriptor = temporary.release()
  }

  deinit {
    close(descriptor)
  }

  /// Copies input that cannot be read at arbitrary offsets to a temporary file.
  private static func spool(
    _ source: Int32, name: String
  ) throws(TraceError) -> (descriptor: Int32, length: Int64) {
    let target = try TemporaryFile(folder: TemporaryFile.systemFolder)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      guard let count = SystemCalls.read(source, count: buffer.count, into: &buffer) else {
        throw .system("cannot be read", file: name)
      }
      try target.append(buffer, count: count)
      if count < buffer.count { return (target.release(), target.length) }
    }
  }

  /// Reads a block's header again, with the list of types that the entry may have dropped.
  package func readHeader(of block: BlockEntry) throws(TraceError) -> BlockHeader {
    var bytes: [UInt8] = []
    let count = try read(block.scheduling.payloadStart, at: block.offset, into: &bytes)
    do throws(BlockError) {
      return try GzipMember.decodeHeader(bytes, count: count).header
    } catch let error {
      throw error.located(file: name, offset: block.offset)
    }
  }

  /// Fills `buffer` from its start with up to `count` bytes at `offset`; returns how many there were.
  package func read(
    _ count: Int, at offset: Int64, into buffer: inout [UInt8]
  ) throws(TraceError) -> Int {
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count + count / 4) }
    guard let got = SystemCalls.read(descriptor, count: count, at: offset, into: &buffer) else {
      throw .system("cannot be read", file: name, offset: offset)
    }
    return got
  }
}
