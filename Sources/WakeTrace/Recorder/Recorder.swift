public import WakeEvents

/// Records events of any number of threads to a trace, without making them wait for the disk.
///
///     let recorder = try Recorder(.init(trace: "component.wtrace"))
///     let type = try recorder.type("HKWorkoutTypeIdentifier")
///     let source = try recorder.source("Watch")
///     var producer = try recorder.producer()  // one for each thread
///     producer.save(type, from: source)
///     ...
///     try recorder.close()
///
/// Each thread writes to a ring of its own in a file in memory, whatever a call recorded is there even
/// if the process is killed (`rouse recover` turns what is left into a trace), and a thread of the
/// recorder's own writes blocks. Events of a ring are a stream of the trace. What is lost, by
/// ``RecorderMode``, is counted by the trace, and where.
///
/// A process that is forked off must not use the parent's recorder: its producers record nothing there
/// and say so; it may make a recorder of its own.
public final class Recorder: Sendable {
  /// Threads that may record at once.
  public static let ringLimit = 4_096
  /// UTF-8 bytes that a name may have.
  public static let nameLimit = 65_535

  let core: RecorderCore
  private let writer: RecorderThread?

  /// The tables of the names that were interned.
  public var symbols: Symbols { core.symbols }
  /// The ring file, which is removed by ``close()`` and left behind by a crash.
  public var ringPath: String { core.file.path }
  /// The path of the trace that is written now.
  public var tracePath: String? { core.tracePath }

  /// Starts to record.
  ///
  /// - Throws: ``TraceError`` with `invalidOption`; with `inUse` if another recorder writes the trace;
  ///   with `inputOutput` where there is no memory or no such folder.
  public init(_ options: Options) throws(TraceError) {
    core = try RecorderCore(options)
    writer = options.trace == nil ? nil : RecorderThread(core)
  }

  deinit { try? close() }

  /// Interns the name of a sample type; the same name gives the same number.
  public func type(_ name: String) throws(TraceError) -> SampleType {
    SampleType(index: try core.intern(name, .type))
  }

  /// Interns the name of a source.
  public func source(_ name: String) throws(TraceError) -> Source {
    Source(index: try core.intern(name, .source))
  }

  /// Interns the name of an app.
  public func app(_ name: String) throws(TraceError) -> App {
    App(index: try core.intern(name, .app))
  }

  /// Interns the name of an observer query.
  public func query(_ name: String) throws(TraceError) -> Query {
    Query(index: try core.intern(name, .query))
  }

  /// Interns the name of a device.
  public func device(_ name: String) throws(TraceError) -> Device {
    Device(index: try core.intern(name, .device))
  }

  /// Makes a producer for the thread that calls.
  ///
  /// - Parameter device: The device of events that name none.
  /// - Throws: ``TraceError`` where there is no memory for its ring, or too many producers.
  public func producer(device: Device? = nil) throws(TraceError) -> Producer {
    Producer(handle: try openProducer(device: device?.index), core: core)
  }

  /// Whether this is the process that made the recorder, and not one that was forked off.
  package var isOwn: Bool { core.isOwn }

  package func openProducer(device: UInt32?) throws(TraceError) -> UInt64 {
    try core.openProducer(device: device)
  }

  package func intern(_ name: String, sort: UInt8) throws(TraceError) -> UInt32 {
    guard let sort = NameSort(rawValue: sort) else { return 0 }
    return try core.intern(name, sort)
  }

  package func closeProducer(_ handle: UInt64) { core.closeProducer(handle) }

  /// Keeps the rings' addresses, without memory, when this ends: for calls that may be under way of
  /// producers that nothing here holds. A ``Producer`` holds what it needs.
  package func keepAddresses() { core.keepAddresses() }

  /// Writes all that was recorded before.
  ///
  /// Loss behind a ring's last event is then told before that event, as no block follows that could.
  ///
  /// - Throws: ``TraceError`` if the trace cannot be written; what was recorded then stays in memory,
  ///   and is tried again. Once, if the trace was removed or replaced, and what had been written is gone
  ///   with it; what was recorded since is then written.
  public func flush() throws(TraceError) { try core.pass(flushing: true) }

  /// Writes what the rings hold to a file of its own, while producers go on; with the mode `overwrite`.
  ///
  /// The first block of each stream tells how many events before it were overwritten. A file that is
  /// there is replaced.
  ///
  /// - Throws: ``TraceError``, with `inUse` if a recorder writes the file that is there.
  /// - Returns: What the file holds.
  public func snapshot(to path: String) throws(TraceError) -> Statistics {
    try core.snapshot(to: path)
  }

  /// Writes the rest, ends the trace and removes the ring file. Later calls of producers are refused.
  ///
  /// A process that was forked off lets go of its parent's rings, and leaves the files alone.
  ///
  /// - Throws: ``TraceError`` if the trace cannot be written. The ring file then stays, for
  ///   `rouse recover`; but not if all that it tells is that the trace was removed, as by ``flush()``.
  public func close() throws(TraceError) {
    writer?.stop()
    try core.close()
  }

  /// What was recorded so far.
  public var statistics: Statistics { core.statistics }
}
