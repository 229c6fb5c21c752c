import CSystem
import Glibc

/// The trace that a recorder's blocks go to: valid after each of them, never written anew.
///
/// A file that is there already is gone on with, as traces may be joined; what is no trace is refused.
final class CaptureOutput: BlockOutput {
  /// The path of the file that is written now.
  private(set) var name: String
  /// Which of the rotated files this is, from 1; 0 if the path is a file.
  private(set) var number: Int
  /// How often the file was left for another one.
  private(set) var generation = 0
  /// Bytes of the file.
  private(set) var length: Int64 = 0
  /// When this recording began the file.
  private var began = ContinuousClock.now
  private let process = getpid()
  private let folder: String
  private let prefix: String
  private var descriptor: Int32 = -1
  private var isRegular = true
  /// Whether the path must lead to the file: not if that is standard output, which somebody else opened.
  private var isByPath = true
  /// Whether blocks stood in the file when it was opened.
  private(set) var isContinued = false
  /// Whether the file was not there before.
  private var isNew = false
  /// What was lost with a file that was removed, and that nobody was told of yet.
  private var removal: TraceError?

  /// Whether a block that is torn at the end of the file is cut off, and how many bytes were.
  private let cutsTornBlock: Bool
  private(set) var bytesCut: Int64 = 0

  /// Opens a trace, or one in a folder.
  ///
  /// - Parameters:
  ///   - number: Which of the files in a folder, from 1.
  ///   - cutsTornBlock: Whether a trace is gone on with that a killed writer left with a torn block at
  ///     its end, without that block.
  init(
    path: String, prefix: String, number first: Int = 1, cutsTornBlock: Bool = false
  ) throws(TraceError) {
    let isFolder = SystemCalls.sort(of: path) == S_IFDIR
    (folder, self.prefix, self.cutsTornBlock) = (path, prefix, cutsTornBlock)
    number = isFolder ? first : 0
    name = Self.path(of: number, in: path, prefix: prefix)
    try open()
  }

  // A child that was forked off has closed it; its number may be another file's there.
  deinit { if getpid() == process { closeFile() } }

  /// The path of a file by its number.
  static func path(of number: Int, in folder: String, prefix: String) -> String {
    guard number > 0 else { return folder }
    let digits = String(10_000 + number).dropFirst()
    return "\(folder)/\(prefix)-\(number < 10_000 ? String(digits) : String(number)).wtrace"
  }

  private func open() throws(TraceError) {
    // Whoever moves the file before it is locked may do so again, but not for ever.
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
      // A pipe of somebody else's cannot be opened again.
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
    guard rouse_lock_byte(descriptor, RingFile.Lock.recorder) else {
      throw TraceError(
        code: .inUse, file: name, message: "is being written by another recorder")
    }
    var beginning = [UInt8](repeating: 0, count: 3)
    let count = SystemCalls.read(descriptor, count: 3, at: 0, into: &beginning) ?? 0
    guard beginning.prefix(count) == [0x1F, 0x8B, 8].prefix(count) else {
      throw notATrace
    }
    if length > 0 { try checkEnd() }
    isContinued = isByPath && length > 0
  }

  /// Opens what is no file for writing alone: who could read a FIFO would be its own reader, and never told
  /// that there is no other. Nor does this wait for one.
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

  /// Refuses a trace whose blocks do not follow each other up to its end: what is added to it could not
  /// be found without a search.
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

  /// Removes the file if it is empty and was not there before.
  func removeIfNew() {
    if isNew { removeIfEmpty() }
  }

  /// Removes the file if nothing is in it.
  func removeIfEmpty() {
    if descriptor >= 0, isByPath, length == 0, isInPlace { SystemCalls.remove(name) }
  }

  /// What was done to the file as it was opened, for people; nil if nothing was.
  var notice: String? {
    bytesCut == 0 ? nil : "\(name): ended with \(bytesCut) bytes of a torn block; they were cut off"
  }

  /// Whether the file is the one that its path leads to, as far as that can be found out.
  private var isInPlace: Bool {
    guard isByPath, let file = SystemCalls.identity(of: descriptor)?.file else { return true }
    if let found = SystemCalls.identity(of: name) { return found == file }
    return errno != ENOENT && errno != ENOTDIR
  }

  /// Whether the file has no name any more, and so will be gone with what is in it.
  var isGone: Bool { isByPath && SystemCalls.identity(of: descriptor)?.names == 0 }

  /// Begins the file anew if its path leads to it no more, as it was renamed, removed or replaced; says
  /// whether it did. The new one has streams of its own.
  ///
  /// What is in a file that was renamed is not lost; of one that was removed, and of one in its place that was
  /// cut short, ``takeRemoval()`` tells. Where no new file can be made, as in a folder that the process may
  /// not write to any more, one that was renamed is gone on with.
  ///
  /// - Throws: ``TraceError`` if the file is gone and a new one cannot be had.
  func beginAnewIfMoved() throws(TraceError) -> Bool {
    guard !isInPlace else { return beginAnewIfCut() }
    let bytes = length
    let isGone = isGone
    do throws(TraceError) {
      try replace(by: number)
    } catch let error {
      guard isGone else { return false }
      throw error
    }
    began = .now
    if isGone, bytes > 0 {
      removal = TraceError(
        code: .inputOutput, file: name,
        message: "was removed or replaced while it was recorded, with \(bytes) bytes in it; "
          + "what was recorded since is in a new file")
    }
    return true
  }

  /// Begins streams anew in a file that somebody has cut short, as by copying and emptying it.
  private func beginAnewIfCut() -> Bool {
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

  /// Whether something was lost with a file that was removed.
  var hasRemoval: Bool { removal != nil }

  /// What was lost with a file that was removed; told once.
  func takeRemoval() -> TraceError? { removal.take() }

  /// Closes the file; one that this made and in which nothing stands is removed.
  func end() {
    removeIfNew()
    closeFile()
  }

  private func closeFile() {
    guard descriptor >= 0 else { return }
    Self.release(descriptor)
    descriptor = -1
  }

  /// Closes a file, which others may then record to.
  private static func release(_ descriptor: Int32) {
    ProducerCells.forget(descriptor)
    rouse_unlock_and_close(descriptor)
  }

  /// Goes on in the next file of the folder once this one has so many bytes or was begun so long ago; says
  /// whether it did. Every file has streams of its own, so those of the caller must begin anew.
  ///
  /// - Throws: ``TraceError``; the file stays the one it was.
  func rotateIfDue(bytes: Int64?, time: Duration?) throws(TraceError) -> Bool {
    guard number > 0, length > 0 else { return false }
    let isFull = bytes.map { length >= $0 } ?? false
    let isOld = time.map { .now - began >= $0 } ?? false
    guard isFull || isOld else { return false }
    try replace(by: number + 1)
    began = .now
    return true
  }

  /// Goes on in another file of the folder, or in a new one of the same name.
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
    Self.release(old.descriptor)
  }

  /// Writes a block with one call, so that a file whose writer is killed is whole; after a failure it
  /// is as it was.
  ///
  /// - Throws: ``TraceError``, also if the file ``isGone``: then it is to be begun anew, and the block to be
  ///   written again.
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
}
