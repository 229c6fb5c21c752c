import Glibc
import WakeTrace

// The traces that a ring file's events went to. The number in the header may be damaged, so only files that exist
// are listed.
extension RingFile {
  /// The file's name without its extension.
  var name: String {
    path.split(separator: "/").last.map { String($0.dropLast(".ring".utf8.count)) } ?? ""
  }

  /// The number of the last rotated file, 0 if files are not rotated; nil if there is no trace.
  private var lastTraceNumber: Int? {
    let last = words.acquire(RingLayout.File.fileNumber)
    return tracePath == nil || last >= 1 << 24 ? nil : Int(last)
  }

  private func tracePath(_ number: Int) -> String {
    CaptureOutput.path(of: number, in: tracePath ?? "", prefix: name)
  }

  /// The file that was written last, whether or not it exists.
  var lastTracePath: String? { lastTraceNumber.map { tracePath($0) } }

  /// The files that were written and exist, and the last one in any case.
  ///
  /// - Complexity: O(files of the folder).
  var tracePaths: [String] {
    guard let last = lastTraceNumber else { return [] }
    let earlier = last > 1 ? existingTraceNumbers.filter { $0 < last }.sorted() : []
    return (earlier + [last]).map { tracePath($0) }
  }

  /// The first of the files that were written and do not exist.
  ///
  /// - Complexity: O(files of the folder).
  func missingTracePaths(atMost most: Int) -> [String] {
    guard let last = lastTraceNumber else { return [] }
    guard last > 0 else { return SystemCalls.sort(of: tracePath(0)) == nil ? [tracePath(0)] : [] }
    let existing = existingTraceNumbers
    return (1...last).lazy.filter { !existing.contains($0) }.prefix(most).map { tracePath($0) }
  }

  /// The numbers of the rotated files that exist.
  private var existingTraceNumbers: Set<Int> {
    let (start, end) = ("\(name)-", ".wtrace")
    var numbers: Set<Int> = []
    for file in SystemCalls.files(in: tracePath ?? "") ?? []
    where file.hasPrefix(start) && file.hasSuffix(end) {
      guard let number = Int(file.dropFirst(start.count).dropLast(end.count)), number > 0,
        number < 1 << 24, tracePath(number).hasSuffix("/\(file)")
      else { continue }
      numbers.insert(number)
    }
    return numbers
  }
}

// A process that drains another one's rings names its trace in the ring file, so that its successor after a crash
// finds the events that are written.
extension RingFile {
  /// Whether the recorder writes a trace itself, and no other process has taken over.
  var hasOwnWriter: Bool { tracePath != nil && words.acquire(RingLayout.File.isAttached) == 0 }

  /// Stores that events go to a trace from now on.
  ///
  /// - Precondition: No block is in doubt, as the trace before is forgotten.
  func note(trace path: String) throws(TraceError) {
    let bytes = try Self.bytes(ofTrace: path, self.path)
    words.release(1, at: RingLayout.File.isAttached)
    words.release(0, at: RingLayout.File.pathLength)
    for start in stride(from: 0, to: bytes.count, by: 8) {
      let word = UInt64(littleEndianBytes: bytes[start..<min(start + 8, bytes.count)])
      words.store(word, at: RingLayout.File.path + start / 8)
    }
    words.release(UInt64(bytes.count), at: RingLayout.File.pathLength)
  }

  /// Stores which of the rotated files events go to; 0 if files are not rotated.
  func note(fileNumber: Int) {
    words.release(UInt64(fileNumber), at: RingLayout.File.fileNumber)
  }

  /// Which of the rotated files was written last.
  var fileNumber: Int { Int(clamping: words.acquire(RingLayout.File.fileNumber)) }

  /// Searches the file that a block went to, under the path that is noted, or renamed in the same folder; nil if it is gone, or
  /// another user's than the ring file, or cannot be searched.
  ///
  /// - Complexity: O(files of the folder, blocks of the trace).
  private func search(_ identity: SystemCalls.Identity) throws(TraceError) -> SearchedTrace? {
    guard let path = lastTracePath, let slash = path.lastIndex(of: "/") else { return nil }
    let folder = String(path[...slash])
    let files = SystemCalls.files(in: folder) ?? []
    for path in [path] + files.map({ folder + $0 }) where SystemCalls.identity(of: path) == identity
    {
      let trace: TraceFile
      do throws(TraceError) {
        trace = try TraceFile(path: path, isRegular: true, owner: owner)
      } catch {
        // A writer that was killed before its first block leaves an empty file.
        guard error.code == .empty, SystemCalls.identity(of: path) == identity else { continue }
        return SearchedTrace(empty: identity)
      }
      if trace.identity == identity {
        return try SearchedTrace(trace, identity, for: blocksInDoubt)
      }
    }
    return nil
  }

  /// Whether the trace that a block went to has it, whole; nil if there is no such file, or it cannot be searched.
  private func isWritten(_ progress: RingProgress) throws(TraceError) -> Bool? {
    // What went to a pipe cannot be read again.
    guard let identity = progress.trace else { return nil }
    if searched?.identity != identity { searched = try search(identity) }
    return searched?.has(progress.lastBlock)
  }

  /// The blocks of which it is not known whether a killed writer has written them, at most one a ring.
  private var blocksInDoubt: Set<SearchedTrace.BlockNumber> {
    Set((0..<countRings().whole).compactMap { try? ring($0).progressInDoubt?.lastBlock })
  }

  /// Decides which progress of a ring is valid after its consumer was killed.
  ///
  /// - Parameter isKnown: Whether a block is known to be in a trace; if not, the trace is searched.
  /// - Returns: That this could not be decided, as the trace was moved or is a pipe; the events stay in the ring.
  @discardableResult
  func resolve(
    _ ring: Ring, isKnown: (_ stream: UInt64, _ sequence: UInt32) -> Bool = { _, _ in false }
  ) throws(TraceError) -> TraceError? {
    var doubt: TraceError?
    if let doubtful = ring.progressInDoubt {
      var isThere: Bool? = isKnown(doubtful.stream, UInt32(doubtful.sequence - 1))
      if isThere != true { isThere = try isWritten(doubtful) }
      if isThere == nil {
        let events = doubtful.nextEvent &- ring.progress.nextEvent
        doubt = error(
          .repeatedBlock,
          "ring \(ring.index): the trace that was written at the kill is not where it was, or a pipe; "
            + "up to \(events) events may be in it, too")
      }
      if isThere == true { ring.progress = doubtful } else { ring.withdraw() }
    }
    // If nothing was taken, the events that were not overwritten are left.
    if mode == .overwrite, ring.progress.nextEvent == 0 {
      ring.passOverwritten(stream: Ring.newStream())
    }
    return doubt
  }
}
