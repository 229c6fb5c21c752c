import CSystem
import Glibc
public import WakeTrace

/// A ring file that a recorder left when its process ended.
public final class LeftRing {
  /// The file's path.
  public let path: String
  let file: RingFile

  /// Opens a ring file; of one that was cut off, the complete rings.
  ///
  /// - Throws: `TraceError` if the file is no ring file of this version or its header is not complete.
  public init(_ path: String) throws(TraceError) {
    self.path = path
    file = try RingFile(opening: path, isPrivate: true)
  }

  /// The traces that its events went to: those that exist, and the last one.
  public var traces: [String] { file.tracePaths }

  /// Opens one of its ``traces``.
  ///
  /// The path comes from the ring file, whose owner may not be allowed to read what it leads to. So the file must be
  /// the same user's.
  ///
  /// - Throws: `TraceError`, with `anotherUsers` if it is not.
  public func open(_ trace: String) throws(TraceError) -> TraceFile {
    try TraceFile(path: trace, isRegular: true, owner: file.owner)
  }

  /// Keeps other processes from draining the file as long as this exists.
  ///
  /// - Throws: `TraceError` with `inUse` if a process records to it or drains it: events would be missed or
  ///   repeated.
  public func claim() throws(TraceError) {
    if rouse_is_byte_locked(file.descriptor, SystemCalls.recorderLock) {
      let remedy =
        if file.mode == .overwrite {
          "let it take a snapshot, or stop it first"
        } else if file.hasOwnWriter {
          "it writes its own trace; stop it first"
        } else {
          "`rouse record --attach` takes its events; or stop it first"
        }
      throw file.error(
        .inUse, "its process still runs, so nothing is recovered of it: \(remedy)")
    }
    guard rouse_keep_byte_unlocked(file.descriptor, RingFile.consumerLock) else {
      throw file.error(
        .inUse,
        "another process takes its events, so nothing is recovered of it: let that end first")
    }
  }
}

extension TraceRecovery {
  /// Whether a file is a ring file, possibly with an incomplete header.
  ///
  /// - Throws: `TraceError` if it cannot be read.
  public static func isRingFile(_ file: TraceFile) throws(TraceError) -> Bool {
    guard let word = try RingFile.firstWord(of: file) else { return false }
    let isLikely = file.length >= Int64(RingLayout.ringsOffset) || file.name.hasSuffix(".ring")
    // The version is the last byte.
    return word == 0 && isLikely || word << 8 == RingLayout.magic << 8
  }

  /// Opens a regular file, or standard input as `-`.
  public static func open(_ path: String) throws(TraceError) -> TraceFile {
    try TraceFile(path: path, isRegular: true)
  }

  /// Whether a path leads to a regular file.
  public static func isPlainFile(_ path: String) -> Bool { SystemCalls.sort(of: path) == S_IFREG }

  /// Whether two paths lead to one file.
  public static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let file = SystemCalls.identity(of: first) else { return false }
    return file == SystemCalls.identity(of: second)
  }
}
