import CSystem
import Glibc
import WakeTrace

/// The trace that blocks are appended to: a file, the files of a folder in turn, a pipe or standard output.
///
/// The file is a valid trace after each block. An existing trace is continued, as traces may be joined; any other
/// file is refused.
final class CaptureOutput: BlockOutput {
  /// The path of the current file.
  private(set) var name: String
  /// The number of the current file in its folder, from 1; 0 if the path is no folder.
  private(set) var number: Int
  /// How many files, or emptied states of a file, came before the current one. Each has streams of its own.
  private(set) var generation = 0
  /// Bytes of the file.
  private(set) var length: Int64 = 0
  private var began = ContinuousClock.now
  private let process = getpid()
  private let folder: String
  private let prefix: String
  private var descriptor: Int32 = -1
  private var isRegular = true
  /// Whether the path should lead to the file; not so for standard output.
  private var isByPath = true
  /// Whether the file had blocks when it was opened.
  private(set) var isContinued = false
  /// Whether this created the file.
  private var isNew = false
  /// The loss of a file that was removed, until it is reported.
  private var removal: TraceError?
  /// Whether a torn block at the end of an existing trace is cut off, and how many bytes were.
  private let cutsTornBlock: Bool
  private(set) var bytesCut: Int64 = 0

  /// Opens a trace, or one in a folder.
  ///
  /// - Parameters:
  ///   - number: The number of the first file in a folder, from 1.
  ///   - cutsTornBlock: Whether a torn block, which a killed writer left at the end, is cut off.
  init(
    path: String, prefix: String, number first: Int = 1, cutsTornBlock: Bool = false
  ) throws(TraceError) {
    let isFolder = SystemCalls.sort(of: path) == S_IFDIR
    (folder, self.prefix, self.cutsTornBlock) = (path, prefix, cutsTornBlock)
    number = isFolder ? first : 0
    name = Self.path(of: number, in: path, prefix: prefix)
    try open()
  }

  // A forked child has closed the descriptor, whose number may be another file's there.
  deinit { if getpid() == process { closeFile() } }

  /// The path of a file by its number.
  static func path(of number: Int, in folder: String, prefix: String) -> String {
    guard number > 0 else { return folder }
    let digits = String(10_000 + number).dropFirst()
    return "\(folder)/\(prefix)-\(number < 10_000 ? String(digits) : String(number)).wtrace"
  }

  /// What was done to the file when it was opened, for people; nil if nothing was.
  var notice: String? {
    bytesCut == 0 ? nil : "\(name): ended with \(bytesCut) bytes of a torn block; they were cut off"
  }

  /// Writes a block with one call, so that a kill leaves no torn block; after a failure the file is as before.
  ///
  /// - Throws: ``TraceError``, also if the file ``isGone``: the caller then replaces it and writes again.
  func write(_ block: BlockEncoder.Block) throws(TraceError) {
    let bytes = block.details.isEmpty ? block.scheduling : block.scheduling + block.details
    guard SystemCalls.write(bytes, count: bytes.count, to: descriptor) else {
      let error = TraceError.system("cannot be written", file: name)
      if isRegular { _ = ftruncate(descriptor, Int(length)) }
      throw error
    }
    guard !isGone else {
      throw TraceError(code: .inputOutput, file: name, message: "was removed while it was written")
    }
    length += Int64(bytes.count)
  }

  /// Runs `write`, and again after `replace` if the file had no name any more: its content would be lost.
  func retryIfGone(
    _ replace: () throws(TraceError) -> Void, _ write: () throws(TraceError) -> Void
  ) throws(TraceError) {
    do throws(TraceError) {
      try write()
    } catch let error {
      guard isGone else { throw error }
      try replace()
      try write()
    }
  }

  /// Closes the file, and removes it if this created it and it is empty.
  func end() {
    removeIfNew()
    closeFile()
  }

  /// Removes the file if it is empty and this created it.
  func removeIfNew() {
    if isNew { removeIfEmpty() }
  }

  /// Removes the file if it is empty.
  func removeIfEmpty() {
    if descriptor >= 0, isByPath, length == 0, isInPlace { SystemCalls.remove(name) }
  }

  private func closeFile() {
    guard descriptor >= 0 else { return }
    Self.release(descriptor)
    descriptor = -1
  }

  /// Closes a file, which other recorders may then lock.
  private static func release(_ descriptor: Int32) {
    ProducerCells.forget(descriptor)
    rouse_unlock_and_close(descriptor)
  }
}

// Opening.
extension CaptureOutput {
  private func open() throws(TraceError) {
    // Another process may replace the file before it is locked, but not for ever.
    for _ in 0..<100 {
      try openOnce()
      if isInPlace { return }
      closeFile()
    }
    throw TraceError(code: .inUse, file: name, message: "is replaced all the time")
  }

  private func openOnce() throws(TraceError) {
    isNew = false
    let found = SystemCalls.identity(of: name)
    let isStandardOutput =
      found != nil && SystemCalls.identity(of: STDOUT_FILENO)?.file == found
    if let sort = SystemCalls.sort(of: name), sort != S_IFREG {
      // Another user's pipe cannot be opened again.
      openStream(isStandardOutput: isStandardOutput && [S_IFIFO, S_IFSOCK].contains(sort))
    } else {
      descriptor = SystemCalls.open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
      isNew = descriptor >= 0
      if descriptor < 0 { descriptor = SystemCalls.open(name, O_RDWR | O_CREAT | O_APPEND) }
      if descriptor < 0 { descriptor = SystemCalls.open(name, O_WRONLY | O_APPEND) }
    }
    guard descriptor >= 0, let status = SystemCalls.status(of: descriptor) else {
      throw .system("cannot be written", file: name)
    }
    ProducerCells.closeInChild(descriptor)
    isRegular = status.sort == S_IFREG
    isByPath = isRegular && !isStandardOutput
    length = status.length
    isContinued = false
    guard isRegular else { return }
    guard rouse_lock_byte(descriptor, SystemCalls.recorderLock) else {
      throw TraceError(
        code: .inUse, file: name, message: "is being written by another recorder")
    }
    var beginning = [UInt8](repeating: 0, count: 3)
    let count = SystemCalls.read(descriptor, count: 3, at: 0, into: &beginning) ?? 0
    guard beginning.prefix(count) == [0x1F, 0x8B, 8].prefix(count) else { throw notATrace }
    if length > 0 { try checkEnd() }
    isContinued = isByPath && length > 0
  }

  /// Opens a pipe or device, for writing only: a FIFO that this could read would never report that its reader
  /// has gone. Does not wait for a reader.
  private func openStream(isStandardOutput: Bool) {
    guard !isStandardOutput else {
      descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      return
    }
    descriptor = SystemCalls.open(name, O_WRONLY | O_APPEND | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  private var notATrace: TraceError {
    TraceError(code: .notATrace, file: name, message: "is no trace, so no trace can be added to it")
  }

  /// Refuses a trace that is damaged or ends within a block: readers would not find what follows the damage
  /// without a search.
  ///
  /// - Complexity: O(blocks).
  private func checkEnd() throws(TraceError) {
    var scan = BlockScan(try TraceFile(path: name))
    var hasBlocks = false
    do throws(TraceError) {
      while try scan.next() != nil { hasBlocks = true }
    } catch let error {
      // Another program's gzip file.
      if !hasBlocks, error.code == .notATrace {
        _ = try scan.resume()
        if scan.isAtEnd { throw notATrace }
      }
      if cutsTornBlock, error.code == .truncated {
        let torn = try scan.resume()
        if scan.isAtEnd, ftruncate(descriptor, Int(length - torn)) == 0 {
          length -= torn
          bytesCut += torn
          return
        }
      }
      throw TraceError(
        code: error.code, file: name, offset: error.offset,
        message: "is torn or damaged, so nothing is added to it; "
          + "`rouse recover` makes a whole trace of it (\(error.message))")
    }
  }
}

// Replacing the file: by the next one of the folder, or because its path leads to it no more. Each file has streams
// of its own, so the caller begins new ones.
extension CaptureOutput {
  /// Whether the path leads to the file, as far as the system tells.
  private var isInPlace: Bool {
    guard isByPath, let file = SystemCalls.identity(of: descriptor)?.file else { return true }
    if let found = SystemCalls.identity(of: name) { return found == file }
    return errno != ENOENT && errno != ENOTDIR
  }

  /// Whether the file has no name any more, so that its content is lost when it is closed.
  var isGone: Bool { isByPath && SystemCalls.identity(of: descriptor)?.names == 0 }

  /// Opens a new file if the current one was renamed, removed, replaced or cut short; returns whether it did.
  ///
  /// ``takeRemoval()`` reports what was lost with a file that was removed or cut short. A file that was renamed is
  /// continued if no new one can be created, as in a folder that became read-only.
  ///
  /// - Throws: ``TraceError`` if the file is gone and no new one can be opened.
  func replaceIfMoved() throws(TraceError) -> Bool {
    guard !isInPlace else { return noteIfCut() }
    let (bytes, isGone) = (length, isGone)
    do throws(TraceError) {
      try replace(by: number)
    } catch let error {
      guard isGone else { return false }
      throw error
    }
    if isGone, bytes > 0 {
      removal = TraceError(
        code: .inputOutput, file: name,
        message: "was removed or replaced while it was recorded, with \(bytes) bytes in it; "
          + "what was recorded since is in a new file")
    }
    return true
  }

  /// Notes that another process has cut the file short, as `copytruncate` of logrotate does.
  private func noteIfCut() -> Bool {
    guard isByPath, let now = SystemCalls.status(of: descriptor)?.length, now < length else {
      return false
    }
    removal = TraceError(
      code: .inputOutput, file: name,
      message: "was cut short by \(length - now) bytes while it was recorded; "
        + "what was recorded since is behind what is left")
    length = now
    generation += 1
    return true
  }

  /// Whether ``takeRemoval()`` has something to report.
  var hasRemoval: Bool { removal != nil }

  /// The loss of a file that was removed or cut short; reported once.
  func takeRemoval() -> TraceError? { removal.take() }

  /// Opens the next file of the folder if the current one is as large or as old as given; returns whether it did.
  ///
  /// - Throws: ``TraceError``; the current file then stays.
  func rotateIfDue(bytes: Int64?, time: Duration?) throws(TraceError) -> Bool {
    guard number > 0, length > 0 else { return false }
    let isFull = bytes.map { length >= $0 } ?? false
    let isOld = time.map { .now - began >= $0 } ?? false
    guard isFull || isOld else { return false }
    try replace(by: number + 1)
    return true
  }

  private func replace(by next: Int) throws(TraceError) {
    let old = (
      descriptor: descriptor, name: name, number: number, length: length, isNew: isNew,
      isRegular: isRegular, isByPath: isByPath
    )
    number = next
    name = Self.path(of: number, in: folder, prefix: prefix)
    do throws(TraceError) {
      try open()
    } catch let error {
      closeFile()
      (descriptor, name, number, length, isNew, isRegular, isByPath) = old
      throw error
    }
    generation += 1
    began = .now
    Self.release(old.descriptor)
  }
}
