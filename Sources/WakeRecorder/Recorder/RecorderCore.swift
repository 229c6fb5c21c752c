import CSystem
import Glibc
import Synchronization
import WakeEvents
import WakeTrace

/// The state that a recorder's user, its producers and its writer share.
final class RecorderCore: @unchecked Sendable {
  // Sendable: `rings` and `taking` are accessed under their locks alone. Lock order: `taking`, then `rings`.

  /// The rings, and at the same index the producer that writes to each.
  struct Rings {
    var all: [Ring] = []
    var handles: [UInt64?] = []
    var isClosed = false
  }

  /// The consumer of all rings.
  struct Taking {
    var consumers: [RingConsumer] = []
    var encoder: BlockEncoder
    var output: CaptureOutput?
    var lastFlush = ContinuousClock.now
    /// The error of the last attempt to write.
    var failure: TraceError?
    var isEnded = false
  }

  let symbols = Symbols()
  let file: RingFile
  let options: Recorder.Options
  let cells: ProducerCells
  let rings = ThreadLock(Rings())
  let taking: ThreadLock<Taking>
  private let process = getpid()

  private static let started = Atomic<Int>(0)
  static let hasBarrier = rouse_barrier_start()

  init(_ options: Recorder.Options, cells: ProducerCells) throws(TraceError) {
    var options = options
    if let objection = options.objection {
      throw TraceError(code: .invalidOption, file: options.trace ?? "recorder", message: objection)
    }
    var slots = 1
    while slots < options.slotsPerRing { slots *= 2 }
    options.slotsPerRing = slots
    self.options = options
    self.cells = cells
    _ = Self.hasBarrier
    let count = Self.started.add(1, ordering: .relaxed).newValue
    let name = "rouse-\(getpid())-\(SystemCalls.processStart)-\(count)"
    var output: CaptureOutput?
    if let trace = options.trace {
      let absolute = SystemCalls.absolute(trace)
      output = try CaptureOutput(path: absolute, prefix: name)
    }
    do throws(TraceError) {
      file = try RingFile(
        creating: "\(SystemCalls.absolute(options.ringFolder))/\(name).ring", mode: options.mode,
        slotsPerRing: slots, tracePath: options.trace.map { SystemCalls.absolute($0) })
    } catch let error {
      output?.removeIfNew()
      throw error
    }
    file.words.store(UInt64(output?.number ?? 0), at: RingLayout.File.fileNumber)
    ProducerCells.closeInChild(file.descriptor)
    do throws(TraceError) {
      let encoder = try BlockEncoder(symbols: symbols, level: options.level, file: file.path)
      if options.trace != nil { _ = file.lockAsConsumer() }
      taking = ThreadLock(Taking(encoder: encoder, output: output))
      _ = try intern(options.device, .device)
    } catch let error {
      // Leave no file of a recorder that does not start.
      ProducerCells.forget(file.descriptor)
      SystemCalls.remove(file.path)
      output?.removeIfNew()
      throw error
    }
  }

  deinit { if isOwn { ProducerCells.forget(file.descriptor) } }

  /// Whether this process made the recorder, and is no forked child.
  var isOwn: Bool { getpid() == process }

  var closedError: TraceError {
    TraceError(
      code: .closed, file: file.path,
      message: isOwn
        ? "the recorder is closed" : "the recorder belongs to the process that this was forked off")
  }

  var tracePath: String? {
    guard isOwn else { return nil }
    return taking.withLockOverWrites { $0.output?.name }
  }
}
