import CSystem
import Glibc
import WakeEvents
import WakeTrace

/// The trace that blocks are appended to: a file, the files of a folder in turn, a pipe or standard output.
///
/// The file is a valid trace after each block. An existing trace is continued, as traces may be joined; any other
/// file is refused.
///
/// One file of over 400 lines: writing, rolling back, opening and replacing share state that is private to it.
final class CaptureOutput: BlockOutput {
  private(set) var name: String
  /// The number of the current file in its folder, from 1; 0 if the path is no folder.
  private(set) var number: Int
  /// How many files, or emptied states of a file, came before the current one. Each has streams of its own.
  private(set) var generation = 0
  /// How many files were removed or cut short.
  private(set) var removals = 0
  /// The loss of the last one, until it is reported.
  private var removal: TraceError?
  /// Bytes of a torn block that were cut off the existing trace.
  private var bytesCut: Int64 = 0
  private var began = ContinuousClock.now
  private let process = getpid()
  private let folder: String
  private let prefix: String
  private let options: TraceCapture.Options
  private let cutsTornBlock: Bool
  private var file = OpenFile()

  private struct OpenFile {
    var descriptor: Int32 = -1
    var length: Int64 = 0
    var isRegular = true
    /// Whether the path should lead to the file; not so for standard output.
    var isByPath = true
    /// Whether this created the file.
    var isNew = false
    /// Whether the file had blocks when it was opened.
    var isContinued = false
    /// Bytes of a block that could not be written, at the end of the file.
    var torn: Int64 = 0
    var devices = DeviceHashes()
    /// The existing trace, and by the hash of each of its devices a block whose names were not read yet.
    var earlier: (trace: TraceFile, blocks: [UInt64: BlockEntry])?
  }

  /// Opens a trace, or one in a folder.
  ///
  /// - Parameters:
  ///   - number: The number of the first file in a folder, from 1.
  ///   - options: When the next file of a folder begins.
  ///   - cutsTornBlock: Whether a torn block, which a killed writer left at the end, is cut off.
  init(
    path: String, prefix: String, number first: Int = 1, options: TraceCapture.Options,
    cutsTornBlock: Bool = false
  ) throws(TraceError) {
    let isFolder = SystemCalls.sort(of: path) == S_IFDIR
    (folder, self.prefix, self.options) = (path, prefix, options)
    self.cutsTornBlock = cutsTornBlock
    number = isFolder ? first : 0
    name = Self.path(of: number, in: path, prefix: prefix)
    try open()
  }

  // A forked child has closed the descriptor, whose number may be another file's there.
  deinit { if getpid() == process { Self.release(file) } }

  var length: Int64 { file.length }

  var isContinued: Bool { file.isContinued }

  /// The file, whatever its name; nil if it is none.
  var identity: SystemCalls.Identity? {
    file.isRegular ? SystemCalls.status(of: file.descriptor)?.identity : nil
  }

  static func path(of number: Int, in folder: String, prefix: String) -> String {
    guard number > 0 else { return folder }
    let digits = String(10_000 + number).dropFirst()
    return "\(folder)/\(prefix)-\(number < 10_000 ? String(digits) : String(number)).wtrace"
  }

  /// What was done to the file when it was opened, for people; nil if nothing was.
  var notice: String? {
    bytesCut == 0 ? nil : "\(name): ended with \(bytesCut) bytes of a torn block; they were cut off"
  }

  /// Writes a block with one call, so that a kill leaves no torn block. After a failure the file is as before; if not
  /// even that can be done, nothing more is written until it can.
  ///
  /// - Throws: ``TraceError``, also if the file ``isGone``: the caller then replaces it and writes again.
  func write(_ block: BlockEncoder.Block) throws(TraceError) {
    try checkDevices(of: block)
    try rollBack()
    let bytes =
      block.bytes == block.scheduling.count
      ? block.scheduling : block.scheduling + block.details + block.observations
    let written = SystemCalls.write(bytes, count: bytes.count, to: file.descriptor)
    // After a failed fdatasync(2) the kernel takes the pages for written, so the block is written again, to new ones.
    guard written == bytes.count, !isSynchronized || SystemCalls.synchronize(file.descriptor) else {
      var error = TraceError.system("cannot be written", file: name)
      file.torn = Int64(written)
      do throws(TraceError) {
        try rollBack()
      } catch let other {
        if file.isRegular { error.message += "; the file \(other.message)" }
      }
      throw error
    }
    let status = SystemCalls.status(of: file.descriptor)
    if file.isByPath, status?.names == 0 {
      throw TraceError(.inputOutput, name, "was removed while it was written")
    }
    // Never shorter than the file, so that a rollback cuts off nothing that another process has added.
    file.length = max(length + Int64(bytes.count), file.isRegular ? status?.length ?? 0 : 0)
  }

  /// Refuses a device whose events readers could not tell from those of another device of the file.
  private func checkDevices(of block: BlockEncoder.Block) throws(TraceError) {
    for device in block.devices {
      if let earlier = file.earlier,
        let block = file.earlier?.blocks.removeValue(forKey: NameHash.device(device))
      {
        // A file that another process has cut short may have lost the block.
        try? file.devices.insert(devicesOf: block, in: earlier.trace)
      }
      if let fault = file.devices.insert(device) {
        throw TraceError(fault.code, name, fault.message)
      }
    }
  }

  private var isSynchronized: Bool { options.isDurable && file.isRegular }

  /// Cuts off what a failed write left behind the last whole block. Readers would not find what follows it without a
  /// search, and a later rollback would cut off whole blocks.
  private func rollBack() throws(TraceError) {
    guard file.torn > 0 else { return }
    guard file.isRegular else {
      throw TraceError(.inputOutput, name, "ends with a torn block, so nothing more can follow")
    }
    let end = "ends with \(file.torn) bytes of a torn block"
    guard let now = SystemCalls.status(of: file.descriptor)?.length else {
      throw .system("\(end) that cannot be looked at", file: name)
    }
    guard now <= length + file.torn else {
      throw TraceError(.inputOutput, name, "\(end) and of another process")
    }
    // Standard output may be at a position of its own.
    guard now <= length || SystemCalls.truncate(file.descriptor, to: length),
      lseek(file.descriptor, 0, SEEK_END) >= 0
    else { throw .system("\(end) that cannot be cut off", file: name) }
    file.torn = 0
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

  /// Closes the file, and removes it if it is empty and this created it.
  ///
  /// - Throws: ``TraceError`` if the file system says only now that it could not write.
  func end() throws(TraceError) {
    try? rollBack()
    if file.isNew { removeIfEmpty() }
    defer { file.descriptor = -1 }
    guard Self.release(file) else { throw .system("cannot be written", file: name) }
  }

  /// Removes the file if it has no block. A link that leads to it stays, and so does the file then.
  func removeIfEmpty() {
    guard file.descriptor >= 0, file.isByPath, length == 0,
      let identity = SystemCalls.status(of: file.descriptor)?.identity,
      SystemCalls.status(ofEntry: name)?.identity == identity
    else { return }
    SystemCalls.remove(name)
  }

  /// Closes a file, which other recorders may then lock; false if that fails.
  @discardableResult
  private static func release(_ file: OpenFile) -> Bool {
    guard file.descriptor >= 0 else { return true }
    ProducerCells.forget(file.descriptor)
    return system_unlock_and_close(file.descriptor)
  }
}

// Opening.
extension CaptureOutput {
  private func open() throws(TraceError) {
    // Another process may replace the file before it is locked, but not for ever.
    for _ in 0..<100 {
      file = OpenFile()
      do throws(TraceError) {
        try openOnce()
      } catch let error {
        if file.isNew { removeIfEmpty() }
        throw error
      }
      if isInPlace { return }
      Self.release(file)
    }
    file.descriptor = -1
    throw TraceError(.inUse, name, "is replaced all the time")
  }

  private func openOnce() throws(TraceError) {
    let place = try OutputPlace(name)
    let standardOutput = SystemCalls.status(of: STDOUT_FILENO)?.identity
    let found = place.status
    if let found, found.sort != S_IFREG {
      // Another user's pipe cannot be opened again.
      let isPipe = [S_IFIFO, S_IFSOCK].contains(found.sort)
      openStream(place, isStandardOutput: isPipe && found.identity == standardOutput)
    } else {
      // What every user may write to would not be continued.
      let mode: mode_t = options.isPrivate ? 0o600 : 0o664
      func open(_ flags: Int32) {
        file.descriptor = SystemCalls.open(place.path, flags | O_APPEND | place.flags, mode: mode)
      }
      open(O_RDWR | O_CREAT | O_EXCL)
      file.isNew = file.descriptor >= 0
      if file.descriptor < 0 { open(O_RDWR | O_CREAT) }
      if file.descriptor < 0 {
        let reason = errno
        open(O_WRONLY)
        // It does not say why the file could not be created.
        if errno == ENOENT { errno = reason }
      }
    }
    guard file.descriptor >= 0, let status = SystemCalls.status(of: file.descriptor) else {
      throw .system("cannot be written", file: name)
    }
    ProducerCells.closeInChild(file.descriptor)
    file.isRegular = status.sort == S_IFREG
    try place.refusePlanted(status, name: name)
    let isStandardOutput = status.identity == standardOutput
    file.isByPath = file.isRegular && !isStandardOutput
    file.length = status.length
    guard file.isRegular else { return }
    if file.isByPath, !file.isNew, status.isForeign || status.isOpenToAll {
      throw TraceError(
        .anotherUsers, name,
        (status.isForeign ? "is another user's" : "can be written to by every user")
          + ", so nothing is added to it; name another file")
    }
    // Whoever made an existing one may not have waited for its name.
    if file.isByPath, options.isDurable,
      !SystemCalls.synchronizeFolder(of: place.resolved ?? place.path)
    {
      throw .system("may have no name on the disk", file: name)
    }
    if isStandardOutput { lseek(file.descriptor, 0, SEEK_END) }
    guard system_lock_byte(file.descriptor, SystemCalls.recorderLock) else {
      guard errno == EAGAIN || errno == EACCES else {
        throw .system("cannot be locked", file: name)
      }
      throw TraceError(
        .inUse, name,
        system_keep_byte_unlocked(file.descriptor, SystemCalls.recorderLock)
          ? "is locked by a process that reads it, so nothing is added to it"
          : "is being written by another recorder")
    }
    var beginning = [UInt8](repeating: 0, count: 3)
    let count = SystemCalls.read(file.descriptor, count: 3, at: 0, into: &beginning) ?? 0
    guard beginning.prefix(count) == [0x1F, 0x8B, 8].prefix(count) else { throw notATrace }
    if length > 0 { try checkEnd() }
    file.isContinued = file.isByPath && length > 0
  }

  /// Opens a pipe or device, for writing only: a FIFO that this could read would never report that its reader
  /// has gone. Does not wait for a reader; writes wait by poll(2), which ends when the process exits.
  private func openStream(_ place: OutputPlace, isStandardOutput: Bool) {
    guard !isStandardOutput else {
      file.descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
      return
    }
    file.descriptor = SystemCalls.open(
      place.path, O_WRONLY | O_APPEND | O_NONBLOCK | place.flags)
  }

  private var notATrace: TraceError {
    TraceError(.notATrace, name, "is no trace, so no trace can be added to it")
  }

  /// Refuses a trace that is damaged or ends within a block: readers would not find what follows the damage
  /// without a search.
  ///
  /// - Complexity: O(blocks).
  private func checkEnd() throws(TraceError) {
    let trace = try TraceFile(path: name, isRegular: false)
    guard trace.identity == identity else {
      throw TraceError(.inUse, name, "was replaced while it was opened, so nothing is added to it")
    }
    var scan = BlockScan(trace)
    var blocks: [UInt64: BlockEntry] = [:]
    defer { file.earlier = (trace, blocks) }
    do throws(TraceError) {
      while var block = try scan.next() {
        block.forgetTypes()
        for run in block.joinedHeader.runs where blocks[run.deviceHash] == nil {
          blocks[run.deviceHash] = block
        }
      }
    } catch let error {
      // Another program's gzip file.
      if blocks.isEmpty, error.code == .notATrace {
        _ = try scan.resume()
        if scan.isAtEnd { throw notATrace }
      }
      if cutsTornBlock, error.code == .truncated {
        let torn = try scan.resume()
        if scan.isAtEnd, SystemCalls.truncate(file.descriptor, to: length - torn) {
          file.length -= torn
          bytesCut += torn
          return
        }
      }
      if error.code == .inputOutput { throw error }
      throw TraceError(
        code: error.code, file: name, offset: error.offset,
        message: "is torn or damaged, so nothing is added to it; "
          + "`rouse recover` makes a whole trace of it (\(error.message))")
    }
  }
}

// Replaces the file when it is rotated, renamed or removed. Each file has streams of its own, so the caller begins new
// ones when the generation has changed.
extension CaptureOutput {
  /// Whether the path leads to the file, as far as the system tells.
  private var isInPlace: Bool {
    guard file.isByPath, let open = SystemCalls.status(of: file.descriptor)?.identity else {
      return true
    }
    if let found = SystemCalls.identity(of: name) { return found == open }
    return errno != ENOENT && errno != ENOTDIR
  }

  /// Whether the file has no name any more, so that its content is lost when it is closed.
  private var isGone: Bool {
    file.isByPath && SystemCalls.status(of: file.descriptor)?.names == 0
  }

  /// Opens a new file if the current one was moved, and the next one of the folder if it is as large or as old as
  /// the options say.
  ///
  /// - Throws: ``TraceError``; a file that has its name then stays.
  func advance() throws(TraceError) {
    try replaceIfMoved()
    guard number > 0, length > 0 else { return }
    let isFull = options.bytesPerFile.map { length >= $0 } ?? false
    let isOld = options.timePerFile.map { .now - began >= $0 } ?? false
    if isFull || isOld { try replace(by: number + 1) }
  }

  /// Opens a new file if the current one was renamed, removed, replaced or cut short.
  ///
  /// ``takeRemoval()`` reports what was lost with a file that was removed or cut short. A file that was renamed is
  /// continued if no new one can be created, as in a folder that became read-only.
  ///
  /// - Throws: ``TraceError`` if the file is gone and no new one can be opened.
  func replaceIfMoved() throws(TraceError) {
    guard !isInPlace else { return noteIfCut() }
    let (bytes, isGone) = (length, isGone)
    do throws(TraceError) {
      try replace(by: number)
    } catch let error {
      guard isGone else { return }
      throw error
    }
    if isGone, bytes > 0 {
      noteRemoval(
        "was removed or replaced while it was recorded, with \(bytes) bytes in it; "
          + "events recorded since then are in a new file")
    }
  }

  /// Notes that another process has cut the file short, as `copytruncate` of logrotate does.
  private func noteIfCut() {
    guard file.isByPath, let now = SystemCalls.status(of: file.descriptor)?.length, now < length
    else { return }
    noteRemoval(
      "was cut short by \(length - now) bytes while it was recorded; "
        + "events recorded since then follow the remaining part")
    file.length = now
    generation += 1
  }

  private func noteRemoval(_ message: String) {
    removal = TraceError(.inputOutput, name, message)
    removals += 1
  }

  /// The loss of a file that was removed or cut short; reported once.
  func takeRemoval() -> TraceError? { removal.take() }

  private func replace(by next: Int) throws(TraceError) {
    try? rollBack()
    let old = (file: file, name: name, number: number)
    number = next
    name = Self.path(of: number, in: folder, prefix: prefix)
    do throws(TraceError) {
      try open()
    } catch let error {
      Self.release(file)
      (file, name, number) = old
      throw error
    }
    if file.isNew, let old = SystemCalls.status(of: old.file.descriptor) {
      fchmod(file.descriptor, old.permissions)
    }
    generation += 1
    began = .now
    guard Self.release(old.file) else {
      removal = .system("cannot be written", file: old.name)
      removals += 1
      return
    }
  }
}
