public import WakeEvents
public import WakeTrace

/// Appends events of several sources to a trace, which is valid after each block.
///
///     let capture = try TraceCapture(to: "capture.wtrace", symbols: symbols)
///     let stream = capture.stream()  // one for each source of events
///     try capture.append(event, to: stream)
///     try capture.flush()            // now and then
///     try capture.finish()
///
/// A process that is killed loses the events since the last flush. An existing trace is continued. Components
/// that record themselves use ``Recorder``, which loses nothing and never makes a producer wait for the disk.
public final class TraceCapture {
  /// How a trace is written.
  public struct Options: Sendable {
    /// zlib's level, from 0 to 9.
    public var level = 1
    /// In a folder, bytes after which the next file begins; nil is never.
    public var bytesPerFile: Int64?
    /// In a folder, the time after which the next file begins; nil is never.
    public var timePerFile: Duration?
    /// Whether each block is on the disk before the next is written, and also survives a failure of power.
    public var isDurable = false
    /// Whether the owner alone may read a file that is created, whatever the umask is. One that takes the place of a
    /// file of the same recording has its permissions.
    public var isPrivate = false
    /// Bytes of memory that the events of all streams may take until they are written, about. When they take more, all
    /// are written, and the memory is freed.
    public var bytesHeld = 256 << 20

    /// Makes options for a single file.
    public init() {}
  }

  /// Events of one source, in their order.
  public final class Stream {
    fileprivate var buffer = DeviceBuffer()
    fileprivate var writer: TraceWriter
    /// What ``TraceCapture/bytesHeld`` counts of it.
    fileprivate var bytesHeld = 0

    fileprivate init(_ writer: TraceWriter) { self.writer = writer }
  }

  private let output: CaptureOutput
  private let encoder: BlockEncoder
  private let mostBytesHeld: Int
  /// Bytes of memory that the events of all streams take, about.
  private(set) var bytesHeld = 0
  private var streams: [ObjectIdentifier: Stream] = [:]
  private var past = TraceWriter.Statistics()
  /// The ``CaptureOutput/generation`` that the streams belong to.
  private var generation = 0

  /// Events that were given; ``statistics`` counts those that were written.
  public private(set) var received = 0
  /// What was done to an existing file, for people; nil if nothing was.
  public var notice: String? { output.notice }
  /// Files that were written to.
  public private(set) var files = 1
  /// The path of the current file.
  public var path: String { output.name }
  /// Whether events wait to be written.
  public var isWaiting: Bool { streams.values.contains { $0.buffer.count > 0 } }

  /// Opens a trace; `-` is standard output.
  ///
  /// - Parameters:
  ///   - path: A file, or a folder in which files are created.
  ///   - symbols: The tables that the events' symbols come from.
  ///   - options: How blocks are written.
  /// - Throws: `TraceError` with `inUse` if another recorder writes the file, `notATrace` if it is no
  ///   trace, or `inputOutput`.
  public init(to path: String, symbols: Symbols, options: Options = .init()) throws(TraceError) {
    output = try CaptureOutput(
      path: path == "-" ? "/dev/stdout" : SystemCalls.absolute(path),
      prefix: "capture-\(SystemCalls.processID)-\(SystemCalls.processStart)",
      options: options, cutsTornBlock: true)
    encoder = try BlockEncoder(symbols: symbols, level: options.level, file: output.name)
    mostBytesHeld = options.bytesHeld
  }

  deinit { try? output.end() }

  private func writer() -> TraceWriter {
    TraceWriter(output: output, encoder: encoder, stream: Ring.newStream())
  }

  /// Begins a stream.
  public func stream() -> Stream {
    let stream = Stream(writer())
    streams[ObjectIdentifier(stream)] = stream
    return stream
  }

  /// Adds an event to a stream, and writes a block when it is full.
  ///
  /// - Complexity: O(1), and O(block) when one is full.
  /// - Throws: `TraceError`: `invalidEvent` or `tooLarge` for what a trace cannot hold; else as ``flush()``.
  public func append(_ event: Event, to stream: Stream) throws(TraceError) {
    received += 1
    stream.buffer.append(event, place: stream.buffer.place(of: event.device))
    count(stream.buffer.bytesHeld, of: stream)
    if stream.buffer.count >= TraceLimits.eventsPerBlock
      || stream.buffer.textBytes > TraceLimits.textBytesPerBlock
    {
      try write(stream)
    }
    if bytesHeld > mostBytesHeld { try writeAndFree() }
  }

  private func count(_ bytes: Int, of stream: Stream) {
    bytesHeld += bytes - stream.bytesHeld
    stream.bytesHeld = bytes
  }

  /// Writes the events that wait, and keeps no memory for the next ones.
  private func writeAndFree() throws(TraceError) {
    for stream in streams.values {
      try write(stream)
      stream.buffer = DeviceBuffer()
      stream.writer.freeMemory()
      count(0, of: stream)
    }
  }

  /// Writes the events that wait.
  ///
  /// - Throws: `TraceError` if the trace cannot be written. The events are then lost, and only ``statistics`` may
  ///   be used any more.
  public func flush() throws(TraceError) {
    for stream in streams.values { try write(stream) }
  }

  /// Writes the rest of a stream and ends it.
  ///
  /// - Throws: As ``flush()``.
  public func end(_ stream: Stream) throws(TraceError) {
    guard streams[ObjectIdentifier(stream)] != nil else { return }
    try write(stream)
    streams[ObjectIdentifier(stream)] = nil
    count(0, of: stream)
    past.add(stream.writer.statistics)
  }

  /// Ends the trace; nothing can be added then. A file that this created is removed if it is empty.
  ///
  /// - Throws: `TraceError` if the rest cannot be written, or if the trace was removed or replaced and its
  ///   content is lost.
  public func finish() throws(TraceError) {
    for stream in Array(streams.values) { try end(stream) }
    try output.replaceIfMoved()
    try output.end()
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
    try output.retryIfGone(rotate) { () throws(TraceError) in
      for run in runs { try stream.writer.append(columns, rows: run.rows, of: run.device) }
      try stream.writer.finish()
    }
    count(stream.buffer.bytesHeld, of: stream)
  }

  /// Opens another file if it is time or the current one was moved; every file has streams of its own.
  private func rotate() throws(TraceError) {
    try output.advance()
    guard output.generation != generation else { return }
    generation = output.generation
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
