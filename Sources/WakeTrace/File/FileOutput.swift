import CSystem
import Glibc
import Synchronization

/// A file that is replaced atomically, or standard output.
///
/// The bytes go to a temporary file in the same folder, which ``commit()`` renames. Without a commit, after an error
/// or after an interrupt, neither file is left.
public final class FileOutput {
  /// The path, or `standard output`.
  public let name: String
  private let path: String?
  private let temporaryPath: String
  private var descriptor: Int32
  private var isCommitted = false

  /// Bytes written so far.
  public private(set) var length: Int64 = 0

  /// Starts a file; `-` is standard output.
  ///
  /// A path that is not a regular file, such as a FIFO or `/dev/null`, is written directly. A trace that is being
  /// recorded is never replaced: its recorder would go on writing to an unlinked file.
  ///
  /// - Throws: ``TraceError`` with `inputOutput`, or `inUse` if a recorder writes the file.
  public init(path: String) throws(TraceError) {
    guard path != "-" else {
      (self.path, name, temporaryPath) = (nil, "standard output", "")
      descriptor = dup(STDOUT_FILENO)
      guard descriptor >= 0 else { throw .system("cannot be written", file: name) }
      return
    }
    name = path
    if let sort = SystemCalls.sort(of: path), sort != S_IFREG {
      (self.path, temporaryPath) = (nil, "")
      // Opening a FIFO waits for its reader; a fork must not.
      descriptor = HeldLock.releasedWhile { SystemCalls.open(path, O_WRONLY) }
    } else {
      // A symbolic link stays one: what it leads to is replaced.
      let target = SystemCalls.resolve(path) ?? path
      let replaced = try Self.keepFromRecorders(target, name: path)
      if replaced >= 0 { rouse_unlock_and_close(replaced) }
      self.path = target
      temporaryPath = "\(target).\(getpid()).partial"
      // Before the file is there, as an interrupt may come at once.
      UnfinishedFiles.add(temporaryPath)
      descriptor = SystemCalls.open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC)
    }
    guard descriptor >= 0 else { throw .system("cannot be written", file: name) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if path != nil, !isCommitted {
      SystemCalls.remove(temporaryPath)
      UnfinishedFiles.remove(temporaryPath)
    }
  }

  /// Keeps recorders from beginning to write a file, until the descriptor that this returns is unlocked
  /// and closed; that is negative if there is no file, or none that this may look at.
  private static func keepFromRecorders(_ path: String, name: String) throws(TraceError) -> Int32 {
    let descriptor = SystemCalls.open(path, O_RDONLY)
    guard descriptor >= 0 else { return descriptor }
    guard rouse_keep_byte_unlocked(descriptor, SystemCalls.recorderLock) else {
      close(descriptor)
      throw TraceError(
        code: .inUse, file: name, message: "is being written by a recorder, so it is not replaced")
    }
    return descriptor
  }

  /// Writes bytes at the end.
  public func write(_ bytes: [UInt8]) throws(TraceError) {
    guard SystemCalls.write(bytes, count: bytes.count, to: descriptor) else {
      throw .system("cannot be written", file: name)
    }
    length += Int64(bytes.count)
  }

  /// Gives the file its name.
  ///
  /// - Throws: ``TraceError`` with `inputOutput`, or `inUse` if a recorder writes what has the name.
  public func commit() throws(TraceError) {
    let closed = close(descriptor)
    descriptor = -1
    guard closed == 0 else { throw .system("cannot be written", file: name) }
    guard let path else { return }
    let replaced = try Self.keepFromRecorders(path, name: name)
    defer { if replaced >= 0 { rouse_unlock_and_close(replaced) } }
    guard SystemCalls.rename(temporaryPath, to: path) else {
      throw .system("cannot be put in place", file: name)
    }
    isCommitted = true
    UnfinishedFiles.remove(temporaryPath)
  }
}

/// The paths of temporary files in use, so that a signal handler can remove them.
public enum UnfinishedFiles {
  private static let paths = Mutex<Set<String>>([])

  static func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes all of them; for a command that was interrupted and is about to exit.
  public static func removeAll() {
    paths.withLock { paths in
      for path in paths { SystemCalls.remove(path) }
      paths.removeAll()
    }
  }
}
