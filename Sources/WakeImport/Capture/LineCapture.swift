internal import Glibc
public import WakeEvents
public import WakeRecorder
public import WakeTrace
internal import WakeJSON

/// Captures JSON Lines live, from any number of files, pipes and clients of a socket.
///
///     let capture = LineCapture(to: trace, symbols: symbols) { message in ... }
///     capture.listen(on: socket)
///     let report = try capture.run(until: stop)
///
/// Each input is a stream of the trace. One thread polls them all and reads no faster than it writes, so faster
/// senders block and nothing is lost.
public final class LineCapture {
  /// How lines are captured.
  public struct Options {
    /// Whether an input continues after a wrong line; else that line ends it.
    public var keepsGoing = false
    /// The longest time until an event is written.
    public var flushInterval = Duration.seconds(1)
    /// Gives lines without a `t` their time; nil makes them errors.
    public var clock: (() -> Timestamp)?

    /// Makes the usual options.
    public init() {}
  }

  /// Counts of a capture.
  public struct Report: Hashable, Sendable {
    /// Inputs that sent something; each client is one.
    public var inputs = 0
    /// Wrong lines and failed reads.
    public var rejected = 0
  }

  /// The most messages about wrong lines; more are only counted.
  static let messagesTold = 100
  /// Bytes that the unfinished lines of all inputs may take.
  static let mostBytesHeld = 64 << 20
  /// Clients that are accepted before others are read from again.
  private static let mostAccepted = 64
  /// Between attempts to accept after the system refused.
  private static let pause = Duration.milliseconds(100)

  private let capture: TraceCapture
  private let options: Options
  private let tell: (String) -> Void
  private var reader: JSONLinesReader
  private var sources: [LineSource] = []
  private var listener: UnixListener?
  /// Whether the system refused the last client.
  private var isFull = false
  private var hasToldForeign = false
  private var report = Report()
  private var clients = 0
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  /// Prepares a capture.
  ///
  /// - Parameters:
  ///   - capture: Takes the events.
  ///   - symbols: The tables that `capture` has too.
  ///   - options: How lines are captured.
  ///   - tell: Takes messages about wrong inputs, one line each.
  public init(
    to capture: TraceCapture, symbols: Symbols, options: Options = .init(),
    tell: @escaping (String) -> Void
  ) {
    self.capture = capture
    self.options = options
    self.tell = tell
    reader = JSONLinesReader(file: "", symbols: symbols)
    reader.clock = options.clock
  }

  /// Adds a file, a FIFO or, as `-`, standard input.
  ///
  /// A FIFO ends when its last writer has closed it; before the first has opened it, it waits.
  ///
  /// - Throws: ``ImportError`` with `unreadable`.
  public func read(_ path: String) throws(ImportError) {
    // O_NONBLOCK: opening a FIFO must not wait for its writer.
    let descriptor =
      path == "-"
      ? SystemCalls.duplicate(STDIN_FILENO) : SystemCalls.open(path, O_RDONLY | O_NONBLOCK)
    let name = path == "-" ? "standard input" : path
    guard descriptor >= 0 else { throw .system("cannot be opened", file: name) }
    sources.append(
      LineSource(name, descriptor, stream: capture.stream(), reader.maximumLineLength))
  }

  /// Accepts clients of a socket from now on.
  public func listen(on listener: UnixListener) { self.listener = listener }

  /// Captures until all inputs have ended and there is no socket, or until `stop` is readable. Bytes sent before
  /// that are still read, and everything is written.
  ///
  /// - Parameters:
  ///   - stop: A descriptor that becomes readable to stop; -1 for none.
  ///   - progress: Called now and then with the events so far.
  /// - Throws: `TraceError` if the trace cannot be written.
  public func run(
    until stop: Int32, progress: ((_ events: Int64) -> Void)? = nil
  ) throws(TraceError) -> Report {
    var lastFlush = ContinuousClock.now
    while listener != nil || !sources.isEmpty {
      var wait = capture.isWaiting ? options.flushInterval - (.now - lastFlush) : nil
      if isFull { wait = min(wait ?? Self.pause, Self.pause) }
      let ready = Polling.wait(
        for: [stop, isFull ? -1 : listener?.descriptor ?? -1] + sources.map(\.descriptor),
        atMost: wait)
      if ready[0] {
        try takeWhatWasSent()
        break
      }
      if ready[1] || isFull {
        for _ in 0..<Self.mostAccepted where !accept() { break }
      }
      // A client that was refused for its length has ended in the meantime.
      for (source, isReady) in zip(sources, ready.dropFirst(2)) where isReady && !source.hasEnded {
        try read(from: source)
      }
      sources.removeAll { $0.hasEnded }
      if .now - lastFlush >= options.flushInterval {
        try capture.flush()
        lastFlush = .now
      }
      progress?(Int64(capture.received))
    }
    try capture.finish()
    if report.rejected > Self.messagesTold {
      tell("\(report.rejected - Self.messagesTold) more lines were wrong")
    }
    return report
  }

  /// Accepts one client; returns whether there may be more.
  private func accept() -> Bool {
    switch listener?.accept() {
    case .client(let descriptor):
      clients += 1
      sources.append(
        LineSource(
          "client \(clients)", descriptor, stream: capture.stream(), reader.maximumLineLength))
      isFull = false
      return true
    case .foreign(nil)?:
      reject("a client is refused, as the system does not tell its user")
      return true
    case .foreign(let user?)?:
      if !hasToldForeign {
        tell("clients of user \(user) are refused: `--all-users` takes them")
      }
      hasToldForeign = true
      return true
    case .refused(let reason):
      if !isFull { reject("a client has to wait: \(reason)") }
      isFull = true
      return false
    case nil, .nobody?:
      isFull = false
      return false
    }
  }

  private func read(from source: LineSource) throws(TraceError) {
    switch source.read(into: &chunk) {
    case nil: break
    case .success(0)?:
      try take(from: source) { splitter, body in try splitter.finish(body) }
      try end(source)
    case .success(let count)?:
      if source.hasJustBegun { report.inputs += 1 }
      try take(from: source) { splitter, body in
        try self.chunk.withJSONBytes { try splitter.feed($0.part(0..<count), body) }
      }
    case .failure(let error)?:
      reject("\(error)")
      try end(source)
    }
  }

  private func take(
    from source: LineSource,
    _ split: (inout LineSplitter, (JSONBytes, Int) throws -> Void) throws -> Void
  ) throws(TraceError) {
    let before = source.splitter.bytesHeld
    do {
      try split(&source.splitter) { line, number in
        do {
          guard let event = try reader.event(of: line, number, file: source.name) else { return }
          try capture.append(event, to: source.stream)
        } catch let error as ImportError where options.keepsGoing {
          reject("\(error)")
        }
      }
    } catch let error as TraceError {
      throw error
    } catch {
      reject("\(error)")
      try end(source)
      return
    }
    guard source.splitter.bytesHeld > before else { return }
    let open = sources.filter { !$0.hasEnded }
    guard open.reduce(0, { $0 + $1.splitter.bytesHeld }) > Self.mostBytesHeld,
      let longest = open.max(by: { $0.splitter.bytesHeld < $1.splitter.bytesHeld })
    else { return }
    reject(
      "\(longest.name):\(longest.splitter.count + 1): the unfinished lines of all inputs take more "
        + "than \(Self.mostBytesHeld >> 20) MiB, of which this one takes most")
    try end(longest)
  }

  /// Reads what pipes and sockets still hold when the capture stops.
  private func takeWhatWasSent() throws(TraceError) {
    if let listener {
      while !isFull, Polling.wait(for: [listener.descriptor], atMost: .zero)[0], accept() {}
    }
    for source in sources where source.mayWait {
      var rest = LineSource.mostThatWaits
      while rest > 0, !source.hasEnded,
        Polling.wait(for: [source.descriptor], atMost: .zero)[0]
      {
        try read(from: source)
        rest -= chunk.count
      }
    }
    for source in sources where !source.hasEnded {
      if source.splitter.isWithinLine {
        tell(
          "\(source.name):\(source.splitter.count + 1): the line had no end yet, and is left out")
      }
      try end(source)
    }
  }

  private func end(_ source: LineSource) throws(TraceError) {
    guard !source.hasEnded else { return }
    source.close()
    try capture.end(source.stream)
  }

  private func reject(_ message: String) {
    report.rejected += 1
    if report.rejected <= Self.messagesTold { tell(message) }
  }
}
