public import WakeEvents

/// Writes events as they come to a trace that is whole after each block.
///
///     let capture = try TraceCapture(to: "capture.wtrace", symbols: symbols)
///     let stream = capture.stream()  // one for each source of events
///     try capture.append(event, to: stream)
///     try capture.flush()            // now and then
///     try capture.finish()
///
/// Whoever is killed loses what came after the last flush. A trace that is there already is gone on
/// with, as traces may be joined. ``Recorder`` does more, for components that record themselves: it
/// loses nothing, and makes no producer wait for the disk.
public final class TraceCapture {
  /// How a trace is written.
  public struct Options: Sendable {
    /// zlib's level, from 0 to 9.
    public var level = 1
    /// In a folder, bytes after which the next file begins; nil is never.
    public var bytesPerFile: Int64?
    /// In a folder, the time after which the next file begins; nil is never.
    public var timePerFile: Duration?

    /// Makes options for a single file.
    public init() {}
  }

  /// Events of one source, which keep their order.
  public final class Stream {
    fileprivate var buffer = DeviceBuffer()
    fileprivate var writer: TraceWriter

    fileprivate init(_ writer: TraceWriter) { self.writer = writer }
  }

  private let output: CaptureOutput
  private let encoder: BlockEncoder
  private let options: Options
  private var streams: [ObjectIdentifier: Stream] = [:]
  private var past = TraceWriter.Statistics()

  /// Events that were given; those that were written are ``statistics``.
  public private(set) var received = 0
  /// What was odd about the file that was there already; nil if nothing was.
  public var notice: String? { output.notice }
  /// Files that were written to.
  public private(set) var files = 1
  /// The path of the file that is written now.
  public var path: String { output.name }
  /// Whether events wait to be written.
  public var isWaiting: Bool { streams.values.contains { $0.buffer.count > 0 } }

  /// Opens a trace; `-` is standard output.
  ///
  /// - Parameters:
  ///   - path: A file, or a folder, in which files get names of their own.
  ///   - symbols: The tables that the events' symbols come from.
  /// - Throws: ``TraceError`` with `inUse` if another recorder writes the file, `notATrace` if it
  ///   holds something else, or `inputOutput`.
  public init(to path: String, symbols: Symbols, options: Options = .init()) throws(TraceError) {
    self.options = options
    output = try CaptureOutput(
      path: path == "-" ? "/dev/stdout" : SystemCalls.absolute(path),
      prefix: "capture-\(SystemCalls.processID)-\(SystemCalls.processStart)",
      cutsTornBlock: true)
    do throws(BlockError) {
      encoder = try BlockEncoder(symbols: symbols, level: options.level)
    } catch let error {
      throw error.located(file: output.name, offset: 0)
    }
  }

  deinit { output.end() }

  private func writer() -> TraceWriter {
    TraceWriter(output: output, encoder: encoder, stream: RecorderCore.newStream())
  }

  /// Begins a stream.
  public func stream() -> Stream {
    let stream = Stream(writer())
    streams[ObjectIdentifier(stream)] = stream
    return stream
  }

  /// Adds an event to a stream, and writes a block if it is full.
  ///
  /// - Complexity: O(1), and O(block) when one is full.
  public func append(_ event: Event, to stream: Stream) throws(TraceError) {
    received += 1
    stream.buffer.append(event, place: stream.buffer.place(of: event.device))
    if stream.buffer.count >= TraceLimits.eventsPerBlock
      || stream.buffer.textBytes > TraceLimits.textBytesPerBlock
    {
      try write(stream)
    }
  }

  /// Writes what waits.
  ///
  /// - Throws: ``TraceError`` if the trace cannot be written. What waited is then lost, and this must
  ///   not be used any more but for its figures.
  public func flush() throws(TraceError) {
    for stream in streams.values { try write(stream) }
  }

  /// Writes what a stream still holds, and ends it.
  public func end(_ stream: Stream) throws(TraceError) {
    guard streams[ObjectIdentifier(stream)] != nil else { return }
    try write(stream)
    streams[ObjectIdentifier(stream)] = nil
    past.add(stream.writer.statistics)
  }

  /// Ends the trace, after which nothing can be added. A file that was made for it and in which nothing
  /// stands is removed.
  ///
  /// - Throws: ``TraceError`` if the rest cannot be written; or if the trace was removed or replaced meanwhile,
  ///   and what had been written to it is lost.
  public func finish() throws(TraceError) {
    for stream in Array(streams.values) { try end(stream) }
    _ = try output.beginAnewIfMoved()
    output.end()
    if let removal = output.takeRemoval() { throw removal }
  }

  /// What was written so far.
  public var statistics: TraceWriter.Statistics {
    streams.values.reduce(into: past) { $0.add($1.writer.statistics) }
  }

  private func write(_ stream: Stream) throws(TraceError) {
    guard stream.buffer.count > 0 else { return }
    try rotate()
    let (columns, runs) = stream.buffer.take(sorted: false)
    func write() throws(TraceError) {
      for run in runs { try stream.writer.append(columns, rows: run.rows, of: run.device) }
      try stream.writer.finish()
    }
    do throws(TraceError) {
      try write()
    } catch let error {
      // What is in a file that has no name is not written.
      guard output.isGone else { throw error }
      try rotate()
      try write()
    }
  }

  /// Begins the next file if it is time, or a new one where the path leads to this one no more; every file
  /// has streams of its own.
  private func rotate() throws(TraceError) {
    var isOther = try output.beginAnewIfMoved()
    if try output.rotateIfDue(bytes: options.bytesPerFile, time: options.timePerFile) {
      isOther = true
    }
    guard isOther else { return }
    files += 1
    for stream in streams.values {
      past.add(stream.writer.statistics)
      stream.writer = writer()
    }
  }
}

extension TraceWriter.Statistics {
  mutating func add(_ other: TraceWriter.Statistics) {
    events += other.events
    blocks += other.blocks
    bytes += other.bytes
    detailBytes += other.detailBytes
  }
}
