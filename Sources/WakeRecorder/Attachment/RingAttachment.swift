import Glibc
import WakeEvents
public import WakeTrace

/// Drains the ring files of a folder: of processes that record, until they end, and of those that have ended.
///
///     let attachment = try RingAttachment(to: "/dev/shm", output: "all.wtrace") { note in ... }
///     while !attachment.isDone {
///       try attachment.pass()
///       // wait a little
///     }
///     try attachment.finish()
///
/// A recorder that writes its own trace is left alone until its process ends. Each ring file says how far it was
/// drained, so that every event is taken once, also after a crash.
public final class RingAttachment {
  /// How events are written.
  public struct Options: Sendable {
    /// How traces are written, and when a component's next file begins.
    public var trace = TraceCapture.Options()
    /// How long events may wait to be written.
    public var flushInterval = Duration.seconds(1)
    /// Whether ring files of other users, or ones that others may write to, are drained too.
    public var takesAllUsers = false
    /// Whether drained ring files of processes that have ended are kept.
    public var keepsRings = false

    /// Makes the usual options.
    public init() {}
  }

  /// What happened to a ring file or a trace.
  public struct Note: Hashable, Sendable {
    /// What happened, and to which file.
    public var message: String
    /// Whether events could not be taken.
    public var isProblem: Bool

    init(_ message: String, isProblem: Bool = false) {
      (self.message, self.isProblem) = (message, isProblem)
    }
  }

  /// Ring files that are or were drained.
  public private(set) var components = 0
  private let folder: String
  private let path: String
  private let options: Options
  private let shared: CaptureOutput?
  private let tell: (Note) -> Void
  private var attached: [AttachedRings] = []
  /// What the files that are no longer drained gave.
  private var past = Recorder.Statistics()
  /// Files that are drained or cannot be. Like the sets below, it holds only files that are in the folder, as names may
  /// come and go without end.
  private(set) var refused: Set<String> = []
  /// Files of recorders that overwrite, after a note about it.
  private var overwritten: Set<String> = []
  /// Files that other processes drain, after a note about it.
  private var drainedByOthers: Set<String> = []
  /// Files that could not be opened for now, after a note about it.
  private var postponed: Set<String> = []
  /// Looks in a row that found nothing to drain while files were postponed.
  private var fruitlessLooks = 0
  /// The ring file of each stream that is taken: a copy of a file has the same streams.
  private var fileOfStream: [UInt64: String] = [:]
  /// Files of other users that were told of.
  private var foreignFiles = 0
  /// Files with an unfinished header, and how often they were seen.
  private var unfinished: [String: Int] = [:]
  private var lastLook: ContinuousClock.Instant?
  private var lastFlush = ContinuousClock.now

  private static let lookInterval = Duration.milliseconds(100)
  /// Scans after which an unfinished header counts as damaged.
  private static let patience = 5
  /// Files of other users that are told of, as these may make some without end.
  private static let mostForeignFiles = 100

  /// Prepares to drain the ring files of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the ring files.
  ///   - path: A trace for all events, or a folder in which each component gets its own; `-` is standard output.
  ///   - options: How often it writes, and how.
  ///   - tell: Called with what happens to single files.
  /// - Throws: `TraceError` if the folder cannot be read or the trace cannot be written.
  public init(
    to folder: String, output path: String, options: Options = .init(),
    tell: @escaping (Note) -> Void
  ) throws(TraceError) {
    self.folder = folder
    let isStandardOutput = path == "-"
    let path = isStandardOutput ? "/dev/stdout" : SystemCalls.absolute(path)
    self.path = isStandardOutput ? Self.standardOutput : path
    var options = options
    // What was in a ring file stays as private as that was.
    options.trace.isPrivate = true
    self.options = options
    self.tell = tell
    guard SystemCalls.files(in: folder) != nil else {
      throw .system("cannot be read", file: folder)
    }
    if SystemCalls.sort(of: path) == S_IFDIR {
      try OutputPlace.check(folder: path)
      shared = nil
    } else {
      shared = try CaptureOutput(
        path: path, prefix: "", options: options.trace, cutsTornBlock: true)
    }
    if let notice = shared?.notice { tell(Note(notice)) }
  }

  deinit { try? shared?.end() }

  /// What ring files name in place of standard output, which is another file in every process: its path if it is a
  /// regular file, else a text that is no path.
  private static var standardOutput: String {
    guard let path = SystemCalls.resolve("/dev/stdout"), SystemCalls.sort(of: path) == S_IFREG
    else { return "standard output" }
    return path
  }

  /// Whether all ring files are drained and their processes have ended.
  public var isDone: Bool {
    lastLook != nil && attached.isEmpty && unfinished.isEmpty
      && (postponed.isEmpty || fruitlessLooks > Self.patience)
  }

  /// Whether other processes drain all ring files that could be drained.
  public var isLeftToOthers: Bool { components == 0 && !drainedByOthers.isEmpty }

  /// What was written so far, and the losses that blocks tell of.
  public var statistics: Recorder.Statistics {
    attached.reduce(into: past) { $0.add($1.drain.written) }
  }

  /// Writes the events that wait, and now and then looks for new ring files.
  ///
  /// - Throws: `TraceError` if a trace cannot be written; the events stay in the rings.
  public func pass() throws(TraceError) {
    if lastLook.map({ .now - $0 >= Self.lookInterval }) ?? true {
      try look()
      lastLook = .now
    }
    let isDue = .now - lastFlush >= options.flushInterval
    try drain(isDue: isDue)
    if isDue { lastFlush = .now }
  }

  /// Writes the events that wait, and closes the ring files.
  ///
  /// - Throws: `TraceError`, the first one, if a trace cannot be written or ended; the others are ended even so.
  public func finish() throws(TraceError) {
    var first: TraceError?
    func attempt(_ body: () throws(TraceError) -> Void) {
      do throws(TraceError) { try body() } catch { first = first ?? error }
    }
    attempt { () throws(TraceError) in try drain(isDue: true) }
    for rings in attached { attempt { () throws(TraceError) in try letGo(rings) } }
    for (file, _) in unfinished.sorted(by: { $0.key < $1.key }) {
      tell(Note("\(file.shown): ring file's header was not finished"))
    }
    unfinished = [:]
    attempt { () throws(TraceError) in try shared?.end() }
    if let first { throw first }
  }

  private func drain(isDue: Bool) throws(TraceError) {
    for rings in attached {
      do throws(TraceError) {
        try rings.pass(isDue: isDue)
        if let removal = rings.drain.output.takeRemoval() {
          tell(Note("\(removal)", isProblem: true))
        }
      } catch let error {
        // Where nothing can be written, no component's trace can be.
        let isOfTrace = error.file != rings.file.path
        if isOfTrace, shared != nil || error.code == .inputOutput { throw error }
        refuse(rings.file.path, for: error, isProblem: true)
        try letGo(rings)
        continue
      }
      guard rings.isDrained else { continue }
      try letGo(rings)
      for problem in rings.problems { tell(Note("\(problem)", isProblem: true)) }
      tellEnd(of: rings)
    }
  }

  private func letGo(_ rings: AttachedRings) throws(TraceError) {
    attached.removeAll { $0 === rings }
    past.add(rings.drain.written)
    try rings.end()
  }

  /// Removes a ring file that is fully drained, and says so.
  private func tellEnd(of rings: AttachedRings) {
    let written = rings.drain.written
    let damaged = rings.drain.consumers.reduce(0) { $0 + $1.damagedSlots }
    var message = "\(rings.file.path.shown): its process has ended; "
    message += "\(written.written) events were taken, \(written.lost) lost"
    if damaged > 0 { message += ", \(damaged) slots hold no readable event" }
    let isWhole = rings.problems.isEmpty && damaged == 0
    if isWhole, !options.keepsRings, rings.file.remove() {
      message += "; the ring file is drained, and removed"
    } else {
      refused.insert(rings.file.path)
      message += isWhole ? "; the ring file is drained" : "; the ring file is left"
    }
    tell(Note(message, isProblem: damaged > 0))
  }

  private func look() throws(TraceError) {
    guard let names = SystemCalls.files(in: folder) else {
      // What is short now may be free when rings are drained.
      if !attached.isEmpty, [EMFILE, ENFILE, ENOMEM].contains(errno) { return }
      throw .system("cannot be read", file: folder)
    }
    let paths = names.filter { $0.hasSuffix(".ring") }.sorted().map { "\(folder)/\($0)" }
    let there = Set(paths)
    refused.formIntersection(there)
    overwritten.formIntersection(there)
    drainedByOthers.formIntersection(there)
    postponed.formIntersection(there)
    fileOfStream = fileOfStream.filter { there.contains($0.value) }
    unfinished = unfinished.filter { there.contains($0.key) }
    defer { fruitlessLooks = attached.isEmpty ? fruitlessLooks + 1 : 0 }
    let known = refused.union(attached.map(\.file.path))
    for path in paths where !known.contains(path) {
      do throws(TraceError) {
        try attach(path)
        unfinished[path] = nil
        postponed.remove(path)
      } catch let error {
        // It was removed meanwhile.
        if error.code == .inputOutput, SystemCalls.sort(of: path) == nil { continue }
        if error.code == .truncated, unfinished[path, default: 0] < Self.patience {
          unfinished[path, default: 0] += 1
          continue
        }
        unfinished[path] = nil
        let isForeign = error.file == path && Self.isForeign(path, error)
        // It may pass, such as that too many files are open.
        if error.code == .inputOutput, !isForeign {
          if postponed.insert(path).inserted {
            tell(Note("\(Self.naming(path, error)); it is tried again", isProblem: true))
          }
          continue
        }
        refuse(path, for: error, isProblem: !isForeign)
      }
    }
  }

  /// Gives up a ring file because of an error in it or in its component's own trace.
  private func refuse(_ path: String, for error: TraceError, isProblem: Bool) {
    refused.insert(path)
    if !isProblem {
      foreignFiles += 1
      guard foreignFiles <= Self.mostForeignFiles else { return }
    }
    tell(Note(Self.naming(path, error), isProblem: isProblem))
    if foreignFiles == Self.mostForeignFiles, !isProblem {
      tell(Note("\(folder.shown): more such files are left alone without a line"))
    }
  }

  /// An error in words that name the ring file, which an error of a trace does not.
  private static func naming(_ path: String, _ error: TraceError) -> String {
    error.file == path ? "\(error)" : "\(path.shown): its events are left: \(error)"
  }

  /// Whether a file is skipped without a problem: of another user or version, or without events.
  private static func isForeign(_ path: String, _ error: TraceError) -> Bool {
    switch error.code {
    case .unknownVersion, .notATrace, .anotherUsers: true
    case .inputOutput: unsafe access(path, R_OK | W_OK) != 0 && errno == EACCES
    // With a complete header it is a file that was cut off.
    case .truncated:
      (try? RingFile.firstWord(of: TraceFile(path: path, isRegular: false))) != RingLayout.magic
    default: false
    }
  }

  private func attach(_ path: String) throws(TraceError) {
    let file = try RingFile(
      opening: path, isPrivate: false, owner: options.takesAllUsers ? nil : geteuid())
    if !file.lockAsRecorder() {
      // A recorder with its own writer may not have locked the file yet.
      if file.hasOwnWriter { return }
      if file.mode == .overwrite {
        guard overwritten.insert(path).inserted else { return }
        tell(Note("\(path.shown): is overwritten, so its process alone takes snapshots of it"))
        return
      }
    }
    guard file.lockAsConsumer() else {
      guard drainedByOthers.insert(path).inserted else { return }
      tell(Note("\(path.shown): another process takes its events"))
      return
    }
    drainedByOthers.remove(path)
    let rings = try AttachedRings(
      file, to: self.path, shared: shared, options: options.trace, tell: tell)
    do throws(TraceError) {
      try refuseCopy(rings)
    } catch {
      try? rings.end()
      throw error
    }
    attached.append(rings)
    components += 1
  }

  /// Refuses a file with rings of one whose events were taken: they would be in the trace twice.
  private func refuseCopy(_ rings: AttachedRings) throws(TraceError) {
    let path = rings.file.path
    let streams = rings.streams
    if let other = streams.lazy.compactMap({ self.fileOfStream[$0] }).first(where: { $0 != path }) {
      throw TraceError(
        .repeatedBlock, path,
        "has the events of \(other.shown), which were taken; it is a copy, and left alone")
    }
    for stream in streams { fileOfStream[stream] = path }
  }
}
