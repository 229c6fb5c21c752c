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
  /// Bytes of the file.
  private(set) var length: Int64 = 0
  private let folder: String
  private let prefix: String
  private var descriptor: Int32 = -1
  private var isRegular = true
  /// Whether the file was not there before.
  private var isNew = false

  /// Opens a trace, or one in a folder.
  ///
  /// - Parameter number: Which of the files in a folder, from 1.
  init(path: String, prefix: String, number first: Int = 1) throws(TraceError) {
    let isFolder = SystemCalls.sort(of: path) == S_IFDIR
    (folder, self.prefix) = (path, prefix)
    number = isFolder ? first : 0
    name = Self.path(of: number, in: path, prefix: prefix)
    try open()
  }

  deinit { closeFile() }

  /// The path of a file by its number.
  static func path(of number: Int, in folder: String, prefix: String) -> String {
    guard number > 0 else { return folder }
    let digits = String(10_000 + number).dropFirst()
    return "\(folder)/\(prefix)-\(number < 10_000 ? String(digits) : String(number)).wtrace"
  }

  private func open() throws(TraceError) {
    descriptor = SystemCalls.open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
    isNew = descriptor >= 0
    if descriptor < 0 { descriptor = SystemCalls.open(name, O_RDWR | O_CREAT | O_APPEND) }
    if descriptor < 0 { descriptor = SystemCalls.open(name, O_WRONLY | O_APPEND) }
    guard descriptor >= 0, let status = SystemCalls.status(of: descriptor) else {
      throw .system("cannot be written", file: name)
    }
    isRegular = status.sort == S_IFREG
    length = status.length
    guard isRegular else { return }
    ProducerCells.closeInChild(descriptor)
    guard rouse_lock_byte(descriptor, RingFile.Lock.recorder) else {
      throw TraceError(
        code: .inUse, file: name, message: "is being written by another recorder")
    }
    var beginning = [UInt8](repeating: 0, count: 3)
    let count = SystemCalls.read(descriptor, count: 3, at: 0, into: &beginning) ?? 0
    guard beginning.prefix(count) == [0x1F, 0x8B, 8].prefix(count) else {
      throw TraceError(
        code: .notATrace, file: name, message: "is no trace, so no trace can be added to it")
    }
  }

  /// Whether this made the file, and nothing is in it.
  var isEmptyFile: Bool { isNew && length == 0 }

  /// Closes the file; one that this made and in which nothing stands is removed.
  func end() {
    if isEmptyFile { SystemCalls.remove(name) }
    closeFile()
  }

  private func closeFile() {
    guard descriptor >= 0 else { return }
    ProducerCells.forget(descriptor)
    close(descriptor)
    descriptor = -1
  }

  /// Goes on in the next file.
  ///
  /// - Throws: ``TraceError``; the file stays the one it was.
  func rotate() throws(TraceError) {
    let (old, oldName, oldLength, wasNew) = (descriptor, name, length, isNew)
    number += 1
    name = Self.path(of: number, in: folder, prefix: prefix)
    do throws(TraceError) {
      try open()
    } catch let error {
      closeFile()
      (descriptor, name, length, isNew) = (old, oldName, oldLength, wasNew)
      number -= 1
      throw error
    }
    ProducerCells.forget(old)
    close(old)
  }

  /// Writes a block with one call, so that a file whose writer is killed is whole; after a failure it
  /// is as it was.
  func write(_ block: BlockEncoder.Block) throws(TraceError) {
    let bytes = block.details.isEmpty ? block.scheduling : block.scheduling + block.details
    guard SystemCalls.write(bytes, count: bytes.count, to: descriptor) else {
      let error = TraceError.system("cannot be written", file: name)
      if isRegular { _ = ftruncate(descriptor, Int(length)) }
      throw error
    }
    length += Int64(bytes.count)
  }

  /// Cuts off a block at the file's end that a crash has torn, as behind it nothing could be added.
  func cutTornBlock(
    _ tell: (_ file: String, _ message: String) -> Void
  ) throws(TraceError) {
    guard isRegular, length > 0 else { return }
    let torn = try BlockScan.tornBytes(of: TraceFile(path: name))
    guard torn > 0 else { return }
    guard ftruncate(descriptor, Int(length - torn)) == 0 else {
      throw .system("cannot be written", file: name)
    }
    length -= torn
    tell(name, "ended with \(torn) bytes of a block that was torn; they were cut off")
  }
}

extension BlockScan {
  /// Bytes of a block at a file's end that is not whole; 0 if the file ends with a block, or with
  /// something else.
  static func tornBytes(of file: TraceFile) throws(TraceError) -> Int64 {
    var scan = BlockScan(file)
    while true {
      var isTorn = false
      do throws(TraceError) {
        guard try scan.next() != nil else { return 0 }
        continue
      } catch let error {
        isTorn = error.code == .truncated
      }
      let passed = try scan.resume()
      if isTorn, scan.isAtEnd { return passed }
    }
  }
}
