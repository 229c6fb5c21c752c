import CSystem
import Glibc
import WakeEvents
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

  /// A ring file that is left, and how many events in it its trace does not have.
  public struct Rest: Hashable, Sendable {
    /// The ring file's path.
    public var ring: String
    /// The events that can be recovered.
    public var events: Int
  }

  /// The ring files of processes that have recorded to a trace and have ended without closing it. They are looked for
  /// where recorders make them by default, and beside the trace; they belong to the trace's user, and name it or have
  /// streams of it, also if it was renamed or copied.
  ///
  /// - Complexity: O(files of both folders, slots of the rings and blocks of the trace).
  public static func left(by trace: String) -> [Rest] {
    guard let status = SystemCalls.status(of: trace) else { return [] }
    lazy var blocks = blocks(of: trace)
    // Where a link leads to it, beside that, too.
    let path = SystemCalls.absolute(trace)
    let folders =
      [path, SystemCalls.resolve(path) ?? path].map(SystemCalls.folder(of:))
      + [Recorder.Options(trace: nil).ringFolder]
    return Set(folders).sorted().flatMap { folder in
      (SystemCalls.files(in: folder) ?? []).filter { $0.hasSuffix(".ring") }.sorted()
        .compactMap { name in
          let path = "\(folder)/\(name)"
          guard
            let file = try? RingFile(opening: path, isPrivate: true, owner: status.owner),
            !system_is_byte_locked(file.descriptor, SystemCalls.recorderLock),
            file.tracePaths.contains(where: { SystemCalls.identity(of: $0) == status.identity })
              || file.hasStream(of: blocks),
            let events = try? file.countEvents(notIn: blocks), events > 0
          else { return nil }
          return Rest(ring: path, events: events)
        }
    }
  }

  private static func blocks(of trace: String) -> TraceRecovery.KeptBlocks {
    var blocks = TraceRecovery.KeptBlocks()
    guard let file = try? TraceFile(path: trace, isRegular: true) else { return blocks }
    var scan = BlockScan(file)
    while true {
      do throws(TraceError) {
        guard let block = try scan.next() else { return blocks }
        _ = blocks.insert(block)
      } catch {
        guard (try? scan.resume()) != nil else { return blocks }
      }
    }
  }

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
    if system_is_byte_locked(file.descriptor, SystemCalls.recorderLock) {
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
    guard system_keep_byte_unlocked(file.descriptor, RingFile.consumerLock) else {
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

  /// Opens a regular file, or standard input as `-`; a trace may be compressed.
  public static func open(_ path: String) throws(TraceError) -> TraceFile {
    try TraceFile(path: path, isRegular: true, decompresses: true)
  }

  /// Whether a path leads to a regular file.
  public static func isPlainFile(_ path: String) -> Bool { SystemCalls.sort(of: path) == S_IFREG }

  /// Whether two paths lead to one file.
  public static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let file = SystemCalls.identity(of: first) else { return false }
    return file == SystemCalls.identity(of: second)
  }

  /// Whether two paths name one file, which need not be there yet.
  public static func isSamePath(_ first: String, _ second: String) -> Bool {
    if first == second || isSameFile(first, second) { return true }
    let (one, other) = (parts(of: first), parts(of: second))
    return one.name == other.name && isSameFile(one.folder, other.folder)
  }

  private static func parts(of path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
    return (String(path[...slash]), path[path.index(after: slash)...])
  }
}

extension RingFile {
  /// Whether a ring's last block is of a stream that some blocks are of.
  fileprivate func hasStream(of blocks: TraceRecovery.KeptBlocks) -> Bool {
    !blocks.isEmpty
      && (0..<countRings().whole).contains { index in
        (try? ring(index)).map { blocks.contains(stream: $0.progress.stream) } ?? false
      }
  }

  /// Counts the events that wait and are in none of some blocks, in a file that is open privately.
  fileprivate func countEvents(notIn blocks: TraceRecovery.KeptBlocks) throws(TraceError) -> Int {
    var events = 0
    let symbols = Symbols()
    // Without them events are counted that may be in a block.
    _ = try? readTrustedNames(into: symbols)
    var report = TraceRecovery.Report(file: path)
    for index in 0..<countRings().whole {
      let ring = try ring(index)
      guard ring.isPlausible else { continue }
      try resolve(ring) { blocks.contains(stream: $0, $1) }
      let consumer = RingConsumer(ring, mode: mode)
      let head = consumer.head
      guard head &- ring.progress.tail <= ring.capacity else { continue }
      blocks.skip(ring, upTo: head, NameCounts(symbols), mode: mode, &report)
      var position = ring.progress.tail
      while position < head {
        let event = consumer.event(at: position, upTo: head, 0)
        events += event == nil ? 0 : 1
        position = event?.end ?? position + 1
      }
      try ring.region.checkWhole()
    }
    return events
  }
}
