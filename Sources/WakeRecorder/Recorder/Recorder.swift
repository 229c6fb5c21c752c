public import WakeEvents
public import WakeTrace

/// Records events of any number of threads to a trace; the threads never wait for the disk.
///
///     let recorder = try Recorder(.init(trace: "component.wtrace"))
///     let type = try recorder.type("HKWorkoutTypeIdentifier")
///     let source = try recorder.source("Watch")
///     var producer = try recorder.producer()  // one for each thread
///     producer.save(type, from: source)
///     ...
///     try recorder.close()
///
/// Each thread writes to its own ring in a memory-mapped file, and a thread of the recorder writes blocks. What was
/// recorded survives a kill of the process: `rouse recover` turns the ring file into a trace. The events of a ring
/// are a stream of the trace. The trace says where how many events were lost (``RecorderMode``).
///
/// In a forked child, the parent's producers record nothing and return ``RecordStatus/forked``; the child may make
/// its own recorder.
public final class Recorder: Sendable {
  /// Threads that may record at once.
  public static let ringLimit = 4_096
  /// UTF-8 bytes that a name may have.
  public static let nameLimit = 65_535

  /// What producers share with this; the C API calls it.
  package let core: RecorderCore
  let writer: RecorderThread?

  /// The names that were interned.
  public var symbols: Symbols { core.symbols }
  /// The path of the ring file, which ``close()`` removes and a crash leaves.
  public var ringPath: String { core.file.path }
  /// The path of the current trace.
  public var tracePath: String? { core.tracePath }

  /// Starts to record.
  ///
  /// - Throws: `TraceError` with `invalidOption`; with `inUse` if another recorder writes the trace;
  ///   with `inputOutput` if there is no memory or no such folder.
  public convenience init(_ options: Options) throws(TraceError) {
    try self.init(options, cells: try ProducerCells.own.get())
  }

  /// Starts to record with producers' cells in a given memory.
  package init(_ options: Options, cells: ProducerCells) throws(TraceError) {
    core = try RecorderCore(options, cells: cells)
    do throws(TraceError) {
      writer = options.trace == nil ? nil : try RecorderThread(core)
    } catch let error {
      try? core.close()
      throw error
    }
  }

  deinit { try? close() }

  /// Interns the name of a sample type; equal names give equal numbers.
  ///
  /// - Throws: `TraceError` if the name is longer than ``nameLimit``, if all names take more than 16 MiB, or if the recorder
  ///   is closed; so do those below.
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

  /// Makes a producer for the calling thread, in which SIGBUS is unblocked as long as the producer lives: an access to
  /// a ring file that another process has cut short is then survived.
  ///
  /// - Parameter device: The device of events that name none.
  /// - Throws: `TraceError` if there is no memory for its ring, or if there are too many producers.
  public func producer(device: Device? = nil) throws(TraceError) -> Producer {
    Producer(handle: try core.openProducer(device: device?.index ?? 0), core: core)
  }

  /// Writes everything that was recorded before the call.
  ///
  /// A loss after a ring's last event is told before that event, as no block follows.
  ///
  /// - Throws: `TraceError` if the trace cannot be written; the events stay in memory for the next attempt. Also,
  ///   once, if the trace was removed or replaced and its content is lost; later events are then in a new file.
  public func flush() throws(TraceError) {
    try MappedRegion.surviving { () throws(TraceError) in _ = try core.pass(flushing: true) }
  }

  /// Writes the rings' events to a new file while producers go on, in the mode `overwrite`.
  ///
  /// The first block of each stream tells how many events before it were overwritten. An existing file is replaced.
  ///
  /// - Throws: `TraceError`, with `inUse` if a recorder writes the existing file.
  /// - Returns: Counts of what was written.
  public func snapshot(to path: String) throws(TraceError) -> Statistics {
    try MappedRegion.surviving { () throws(TraceError) in try core.snapshot(to: path) }
  }

  /// Writes the rest, ends the trace and removes the ring file. Later calls of producers are refused.
  ///
  /// In a forked child it unmaps the parent's rings and leaves the files alone.
  ///
  /// - Throws: `TraceError` if the trace cannot be written; the ring file then stays for `rouse recover`. Also if
  ///   the trace was removed, as ``flush()``; the ring file is then removed.
  public func close() throws(TraceError) {
    writer?.stop()
    try MappedRegion.surviving { () throws(TraceError) in try core.close() }
  }

  /// What was recorded so far.
  public var statistics: Statistics { MappedRegion.surviving { core.statistics } }
}
