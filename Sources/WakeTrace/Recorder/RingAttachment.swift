import Glibc

/// Takes events out of the ring files of a folder, as long as processes record to them, and what dead
/// ones left.
///
///     let attachment = try RingAttachment(to: "/dev/shm", output: "all.wtrace") { note in ... }
///     while !attachment.isDone {
///       try attachment.pass()
///       // wait a little
///     }
///     try attachment.finish()
///
/// Recorders that write traces of their own are left alone until they are dead. How far each ring was
/// drained stands in the ring file, so that every event is taken once, also by who comes after a crash.
public final class RingAttachment {
  /// How events are written.
  public struct Options: Sendable {
    /// zlib's level, from 0 to 9.
    public var level = 1
    /// Events that are written once they wait for so long.
    public var flushInterval = Duration.seconds(1)
    /// In a folder, bytes after which a component's next file begins; nil is never.
    public var bytesPerFile: Int64?
    /// In a folder, the time after which a component's next file begins; nil is never.
    public var timePerFile: Duration?
    /// Whether ring files of dead processes stay when they are drained.
    public var keepsRings = false

    /// Makes the usual options.
    public init() {}
  }

  /// Something to tell.
  public struct Note: Hashable, Sendable {
    /// What happened, and to which file.
    public var message: String
    /// Whether it means that something could not be taken.
    public var isProblem = false

    init(_ message: String) { self.message = message }

    init(problem: TraceError) { (message, isProblem) = ("\(problem)", true) }
  }

  /// Ring files that were drained, or are.
  public private(set) var components = 0
  private let folder: String
  private let path: String
  private let options: Options
  private let shared: CaptureOutput?
  private let tell: (Note) -> Void
  private var attached: [AttachedRings] = []
  private var past = RingConsumer.Tally()
  /// Files that are done with, or cannot be drained.
  private var refused: Set<String> = []
  /// Files whose recorders overwrite, of which that was said.
  private var overwritten: Set<String> = []
  /// Files that other processes drain, of which that was said.
  private var drainedByOthers: Set<String> = []
  /// Files whose headers were not finished when they were first seen.
  private var unfinished: [String: Int] = [:]
  private var lastLook: ContinuousClock.Instant?
  private var lastFlush = ContinuousClock.now

  /// Between two looks at the folder.
  private static let lookInterval = Duration.milliseconds(100)
  /// Looks after which a header counts as one that will never be finished.
  private static let patience = 5

  /// Prepares to drain the ring files of a folder.
  ///
  /// - Parameters:
  ///   - path: A trace that all events go to, or a folder in which each component has its own; `-` is
  ///     standard output.
  ///   - tell: Takes what happens to single files.
  /// - Throws: ``TraceError`` if the folder cannot be read or the trace not be written.
  public init(
    to folder: String, output path: String, options: Options = .init(),
    tell: @escaping (Note) -> Void
  ) throws(TraceError) {
    self.folder = folder
    let isStandardOutput = path == "-"
    let path = isStandardOutput ? "/dev/stdout" : SystemCalls.absolute(path)
    self.path = isStandardOutput ? Self.standardOutput : path
    self.options = options
    self.tell = tell
    guard SystemCalls.files(in: folder) != nil else {
      throw .system("cannot be read", file: folder)
    }
    shared =
      SystemCalls.sort(of: path) == S_IFDIR
      ? nil : try CaptureOutput(path: path, prefix: "", cutsTornBlock: true)
    if let notice = shared?.notice { tell(Note(notice)) }
  }

  deinit { shared?.end() }

  /// What ring files are told of this process's standard output: its file, or what is no path, as that of
  /// standard output would be another file to whoever looks there.
  private static var standardOutput: String {
    guard let path = SystemCalls.resolve("/dev/stdout"), SystemCalls.sort(of: path) == S_IFREG
    else { return "standard output" }
    return path
  }

  /// Whether every process whose events are taken has ended, and all of them are.
  public var isDone: Bool { lastLook != nil && attached.isEmpty && unfinished.isEmpty }

  /// Whether there was nothing to take, as other processes drain every ring file that could be drained.
  public var isLeftToOthers: Bool { components == 0 && !drainedByOthers.isEmpty }

  /// What was written so far; what was lost is as blocks tell it.
  public var statistics: Recorder.Statistics {
    var statistics = Recorder.Statistics()
    statistics.add(past)
    for rings in attached { statistics.add(rings.tally) }
    return statistics
  }

  /// Looks for new ring files now and then, and takes what waits in those that are known.
  ///
  /// - Throws: ``TraceError`` if a trace cannot be written; nothing is lost by that.
  public func pass() throws(TraceError) {
    if lastLook.map({ .now - $0 >= Self.lookInterval }) ?? true {
      try look()
      lastLook = .now
    }
    let isDue = .now - lastFlush >= options.flushInterval
    try drain(isDue: isDue)
    if isDue { lastFlush = .now }
  }

  /// Takes what waits once more, and lets go of the ring files.
  public func finish() throws(TraceError) {
    try drain(isDue: true)
    for rings in attached { letGo(rings) }
    for (file, _) in unfinished.sorted(by: { $0.key < $1.key }) {
      tell(
        Note(
          "\(TraceError(code: .truncated, file: file, message: "ring file's header was not finished"))"
        ))
    }
    unfinished = [:]
    shared?.end()
  }

  private func drain(isDue: Bool) throws(TraceError) {
    for rings in attached {
      do throws(TraceError) {
        try rings.pass(isDue: isDue)
        if let removal = rings.takeRemoval() { tell(Note(problem: removal)) }
      } catch let error {
        try refuse(rings.file.path, for: error)
        letGo(rings)
        continue
      }
      guard rings.isDrained else { continue }
      letGo(rings)
      for problem in rings.problems {
        tell(Note(problem: problem))
      }
      tellEnd(of: rings)
    }
  }

  private func letGo(_ rings: AttachedRings) {
    attached.removeAll { $0 === rings }
    rings.end()
    past.add(rings.tally)
  }

  /// Removes a ring file that is drained to its last event.
  private func tellEnd(of rings: AttachedRings) {
    let tally = rings.tally
    var message =
      "\(rings.file.path): its process has ended; \(tally.events) events were taken, \(tally.lost) lost"
    if tally.damagedSlots > 0 { message += ", \(tally.damagedSlots) slots hold no readable event" }
    let isWhole = rings.problems.isEmpty && tally.damagedSlots == 0
    if isWhole, !options.keepsRings {
      SystemCalls.remove(rings.file.path)
      message += "; the ring file is drained, and removed"
    } else {
      refused.insert(rings.file.path)
      message += isWhole ? "; the ring file is drained" : "; the ring file is left"
    }
    var note = Note(message)
    note.isProblem = tally.damagedSlots > 0
    tell(note)
  }

  /// Takes over ring files that are new.
  private func look() throws(TraceError) {
    guard let names = SystemCalls.files(in: folder) else {
      throw .system("cannot be read", file: folder)
    }
    let paths = names.filter { $0.hasSuffix(".ring") }.sorted().map { "\(folder)/\($0)" }
    unfinished = unfinished.filter { paths.contains($0.key) }
    for path in paths
    where !refused.contains(path) && !attached.contains(where: { $0.file.path == path }) {
      do throws(TraceError) {
        try attach(path)
        unfinished[path] = nil
      } catch let error {
        // It may be about to be made, or just have been removed.
        if error.code == .inputOutput, SystemCalls.sort(of: path) == nil { continue }
        if error.code == .truncated, unfinished[path, default: 0] < Self.patience {
          unfinished[path, default: 0] += 1
          continue
        }
        unfinished[path] = nil
        try refuse(path, for: error)
      }
    }
  }

  /// Lets a ring file be that something is wrong with; what is wrong with a trace is thrown.
  private func refuse(_ path: String, for error: TraceError) throws(TraceError) {
    guard error.file == path else { throw error }
    refused.insert(path)
    tell(Self.isForeign(path, error) ? Note("\(error)") : Note(problem: error))
  }

  /// Whether a file is passed over as it is none of this user's, of this version and with events.
  private static func isForeign(_ path: String, _ error: TraceError) -> Bool {
    switch error.code {
    case .unknownVersion, .notATrace: true
    case .inputOutput: unsafe access(path, R_OK | W_OK) != 0 && errno == EACCES
    // With a whole header it is one that was cut off.
    case .truncated: !RingFile.hasHeader(path)
    default: false
    }
  }

  private func attach(_ path: String) throws(TraceError) {
    let file = try RingFile(opening: path, isPrivate: false)
    if !file.isAbandoned {
      // A recorder with a writer of its own may be about to lock the file.
      if file.hasOwnWriter { return }
      if file.mode == .overwrite {
        guard overwritten.insert(path).inserted else { return }
        tell(Note("\(path): is overwritten, so its process alone takes snapshots of it"))
        return
      }
    }
    guard file.lockAsConsumer() else {
      guard drainedByOthers.insert(path).inserted else { return }
      tell(Note("\(path): another process takes its events"))
      return
    }
    drainedByOthers.remove(path)
    let rings = try AttachedRings(file, to: self.path, shared: shared, options: options, tell: tell)
    attached.append(rings)
    components += 1
  }
}

extension RingFile {
  /// Whether a file begins with the finished header of a ring file of this version.
  fileprivate static func hasHeader(_ path: String) -> Bool {
    var bytes: [UInt8] = []
    let count = try? TraceFile(path: path).read(8, at: 0, into: &bytes)
    return count == 8
      && bytes[..<8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) } == RingLayout.magic
  }
}

extension SystemCalls {
  /// The names of what is in a folder; nil if it cannot be read.
  static func files(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe _ = closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      names.append(
        unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
        })
    }
    return names
  }
}
