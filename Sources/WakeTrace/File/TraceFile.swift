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

  /// Opens a file for reading; `-` is standard input. A pipe, and the content of a file that gzip, zip, xz or zstd has
  /// compressed, is first copied to a temporary file. A device is refused.
  ///
  /// - Throws: ``TraceError`` with `inputOutput` if it cannot be opened, `empty` if it is empty.
  public convenience init(path: String) throws(TraceError) {
    try self.init(path: path, isRegular: false, decompresses: true)
  }

  /// Opens a file for reading.
  ///
  /// - Parameters:
  ///   - isRegular: Whether pipes and devices are refused, whose end may never come; `-` is not.
  ///   - owner: The user whose file it must be, however the path leads to it; nil is any.
  ///   - decompresses: Whether a compressed trace is opened.
  /// - Throws: ``TraceError`` as ``init(path:)``, and `anotherUsers`.
  package init(
    path: String, isRegular: Bool, owner: UInt32? = nil, decompresses: Bool = false
  ) throws(TraceError) {
    name = path == "-" ? "standard input" : path
    let opened =
      path == "-"
      ? SystemCalls.duplicate(STDIN_FILENO)
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
    var file = (descriptor: opened, length: status.length)
    if status.sort != S_IFREG {
      file = try Self.spool(opened, isDevice: status.sort == S_IFCHR, name: name)
    }
    if decompresses { file = try Self.decompressed(file, name: name) }
    (descriptor, length) = file
    // From here on the end of the object closes the descriptor.
    guard length > 0 else {
      throw TraceError(code: .empty, file: name, message: "the file is empty; a trace has blocks")
    }
  }

  package var status: SystemCalls.Status? { SystemCalls.status(of: descriptor) }

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

  /// Copies input that cannot be read at arbitrary offsets to a temporary file, and closes it.
  private static func spool(
    _ source: Int32, isDevice: Bool, name: String
  ) throws(TraceError) -> (descriptor: Int32, length: Int64) {
    defer { close(source) }
    let target = try TemporaryFile(folder: TemporaryFile.systemFolder)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      guard let count = SystemCalls.read(source, count: buffer.count, into: &buffer) else {
        throw .system("cannot be read", file: name)
      }
      // Many have no end, such as /dev/zero; /dev/null is empty.
      guard count == 0 || !isDevice else {
        throw TraceError(.inputOutput, name, "is a device; a trace is read from a file or a pipe")
      }
      try target.append(buffer, count: count)
      guard count < buffer.count else { continue }
      let copy = target.release()
      // Decompression reads from here.
      lseek(copy, 0, SEEK_SET)
      return (copy, target.length)
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

  /// `SEEK_DATA` of Linux, which Glibc shows to C alone.
  private static let seekData: Int32 = 3

  /// Where data begin at or behind an offset, as files of any length may be holes (lseek(2)); the length if none do.
  package func data(from offset: Int64) -> Int64 {
    let found = lseek(descriptor, Int(offset), Self.seekData)
    // A file system may not know; a pipe was copied to a file.
    return found >= 0 ? max(offset, Int64(found)) : errno == ENXIO ? length : offset
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

extension TraceFile {
  /// Opens a trace.
  ///
  /// - Parameters:
  ///   - keepsGoing: Whether an empty or damaged file is no error, but told to `onDamage`. One that cannot be opened is an
  ///     error in any case, as it may be there the next time.
  /// - Returns: Nil if it holds nothing that can be read.
  package static func open(
    _ path: String, keepsGoing: Bool, onDamage: (TraceError) -> Void
  ) throws(TraceError) -> TraceFile? {
    do throws(TraceError) {
      return try TraceFile(path: path)
    } catch {
      guard keepsGoing, error.code != .inputOutput else { throw error }
      onDamage(error)
      return nil
    }
  }
}
