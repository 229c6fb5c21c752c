import CSystem
import Glibc
import Synchronization
import WakeEvents
package import WakeTrace

/// The state that a recorder's user, its producers and its writer share.
package final class RecorderCore: @unchecked Sendable {
  // Sendable: `rings` and `taking` are accessed under their locks alone. Lock order: `taking`, then `rings`.

  /// The rings, and at the same index the producer that writes to each.
  struct Rings {
    var all: [Ring] = []
    var handles: [UInt64?] = []
    var devices = DeviceHashes()
    var isClosed = false
  }

  /// The consumer of all rings.
  struct Taking {
    /// Nil if this process writes no trace.
    var drain: RingDrain?
    var lastFlush = ContinuousClock.now
    /// The head of each ring at the last look.
    var heads: [UInt64] = []
    /// The error of the last attempt to write.
    var failure: TraceError?
    var isEnded = false
  }

  let symbols = Symbols()
  let file: RingFile
  let options: Recorder.Options
  let cells: ProducerCells
  private let sleepCell: ProducerCells.SleepCell
  /// The sleep of the thread that writes, if there is one.
  var sleep: WriterSleep { sleepCell.sleep }
  let rings = ThreadLock(Rings())
  let taking: ThreadLock<Taking>
  private let process = getpid()

  private static let started = Atomic<Int>(0)
  static let hasBarrier = system_barrier_start()

  init(_ options: Recorder.Options, cells: ProducerCells) throws(TraceError) {
    var options = options
    if let objection = options.objection {
      throw TraceError(.invalidOption, options.trace ?? "recorder", objection)
    }
    options.trace = options.trace.map { SystemCalls.absolute($0) }
    var slots = 1
    while slots < options.slotsPerRing { slots *= 2 }
    options.slotsPerRing = slots
    self.options = options
    self.cells = cells
    guard let sleepCell = ProducerCells.SleepCell(of: cells) else {
      throw Self.tooManyProducers(in: options.trace ?? "recorder")
    }
    self.sleepCell = sleepCell
    _ = Self.hasBarrier
    let count = Self.started.add(1, ordering: .relaxed).newValue
    let folder = SystemCalls.absolute(options.ringFolder)
    try OutputPlace.check(folder: folder)
    var name = "rouse-\(getpid())-\(SystemCalls.processStart)-\(count)"
    // In a folder like /dev/shm, another user may have made files of all names that can be foretold.
    if SystemCalls.status(ofEntry: "\(folder)/\(name).ring") != nil {
      name += "-\(SystemCalls.randomName)"
    }
    // A recorder that does not start leaves no file.
    var isStarted = false
    var output: CaptureOutput?
    if let trace = options.trace {
      var rotation = TraceCapture.Options()
      (rotation.bytesPerFile, rotation.timePerFile) = (options.bytesPerFile, options.timePerFile)
      (rotation.isDurable, rotation.isPrivate) = (options.isDurable, true)
      output = try CaptureOutput(path: trace, prefix: name, options: rotation)
    }
    defer { if !isStarted { try? output?.end() } }
    let file = try RingFile(
      creating: "\(folder)/\(name).ring", mode: options.mode,
      slotsPerRing: slots, tracePath: options.trace)
    self.file = file
    file.note(fileNumber: output?.number ?? 0)
    ProducerCells.closeInChild(file.descriptor)
    defer {
      if !isStarted {
        ProducerCells.forget(file.descriptor)
        SystemCalls.remove(file.path)
      }
    }
    var taking = Taking()
    if let output {
      _ = file.lockAsConsumer()
      taking.drain = try RingDrain(
        file, to: output, symbols: symbols, level: options.level,
        eventsPerBlock: options.eventsPerBlock)
    }
    self.taking = ThreadLock(taking)
    _ = try intern(options.device, .device)
    isStarted = true
  }

  deinit { if isOwn { ProducerCells.forget(file.descriptor) } }

  private static func tooManyProducers(in name: String) -> TraceError {
    TraceError(
      .tooLarge, name, "the process has more than \(ProducerMemory.cellCount) producers")
  }

  /// Whether this process made the recorder, and is no forked child.
  package var isOwn: Bool { getpid() == process }

  var closedError: TraceError {
    let state = isOwn ? "is closed" : "belongs to the process that this was forked off"
    return file.error(.closed, "the recorder \(state)")
  }

  var tracePath: String? {
    guard isOwn else { return nil }
    return taking.withLockOverWrites { $0.isEnded ? nil : $0.drain?.output.name }
  }
}

// Names, and producers with their rings.
extension RecorderCore {
  package func intern(_ name: String, _ sort: NameSort) throws(TraceError) -> UInt32 {
    guard isOwn else { throw closedError }
    guard name.utf8.count <= Recorder.nameLimit else {
      throw file.error(
        .tooLarge,
        "a name has \(name.utf8.count) bytes; at most \(Recorder.nameLimit) are recorded")
    }
    let table = symbols.table(of: sort)
    if let index = table.index(of: name) { return index }
    mapping_guard_enter()
    defer { mapping_guard_leave() }
    return try rings.withLock { (rings: inout Rings) throws(TraceError) -> UInt32 in
      if rings.isClosed { throw closedError }
      if let index = table.index(of: name) { return index }
      if sort == .device, let fault = rings.devices.insert(name) {
        throw file.error(.invalidOption, fault.message)
      }
      // First in the file, which may have no room: then every name of the table is in both.
      try file.append(name: name, sort: sort)
      return table.intern(name)
    }
  }

  package func openProducer(device: UInt32) throws(TraceError) -> UInt64 {
    guard isOwn else { throw closedError }
    mapping_guard_enter()
    var isOpen = false
    defer { if !isOpen { mapping_guard_leave() } }
    return try rings.withLock { (rings: inout Rings) throws(TraceError) -> UInt64 in
      if rings.isClosed { throw closedError }
      guard device < symbols.devices.count else {
        throw file.error(.unknownName, "the device's name was not interned")
      }
      let place = try ring(for: device, &rings)
      guard let handle = cells.open(rings.all[place], of: file, sleep: sleep) else {
        throw Self.tooManyProducers(in: file.path)
      }
      rings.handles[place] = handle
      isOpen = true
      return handle
    }
  }

  /// The index of a free ring of the device, or of a new one.
  private func ring(for device: UInt32, _ rings: inout Rings) throws(TraceError) -> Int {
    for place in rings.all.indices where rings.handles[place] == nil {
      let ring = rings.all[place]
      if ring.device == device, !ring.region.isCut { return place }
    }
    guard rings.all.count < Recorder.ringLimit else {
      throw file.error(
        .tooLarge,
        "there are \(Recorder.ringLimit) rings; each producer that is open at once, and each device, needs one"
      )
    }
    rings.all.append(try file.addRing(rings.all.count, device: device))
    rings.handles.append(nil)
    return rings.all.count - 1
  }

  package func closeProducer(_ handle: UInt64) {
    mapping_guard_enter()
    defer {
      mapping_guard_leave()
      // Since `openProducer`.
      mapping_guard_leave()
    }
    guard isOwn else { return cells.close(handle) }
    rings.withLock { rings in
      cells.close(handle)
      for place in rings.handles.indices where rings.handles[place] == handle {
        rings.handles[place] = nil
      }
    }
  }
}
