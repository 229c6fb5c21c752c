import Synchronization
import WakeTrace

/// The wake log or the wait log of all devices (page Rules, sections 7 and 9.3), device by device, whatever the order in
/// which threads finish.
///
/// The lines of the first unfinished device are written as they come, many at a time: a system call for each device of a fleet
/// would take longer than its lines. Lines of later devices are kept in memory and, beyond a limit, in a temporary file.
final class WakeLog: Sendable {
  private struct Held {
    var bytes: [UInt8] = []
    /// Where earlier bytes are in the temporary file.
    var spilled: [(offset: Int64, count: Int)] = []
    var isFinished = false
  }

  private enum Output {
    case file(FileOutput)
    case temporary(TemporaryFile)

    func write(_ bytes: [UInt8]) throws(TraceError) {
      switch self {
      case .file(let file): try file.write(bytes)
      case .temporary(let file): try file.append(bytes, count: bytes.count)
      }
    }
  }

  private struct State: ~Copyable {
    var output: Output
    /// The first unfinished device.
    var current = 0
    var held: [Int: Held] = [:]
    var heldBytes = 0
    var temporary: TemporaryFile?
    /// What comes next in the output, and is written with what follows.
    var unwritten: [UInt8] = []
    /// What kept bytes from being written. Some of them may have been, so nothing is written any more.
    var failure: TraceError?

    /// Writes bytes at once if somebody waits for them or they are many, else with what follows.
    mutating func write(_ bytes: [UInt8], isAwaited: Bool = false) throws(TraceError) {
      if isAwaited || bytes.count >= WakeLog.enoughUnwritten {
        try flush()
        return try writeAtOnce(bytes)
      }
      unwritten += bytes
      if unwritten.count >= WakeLog.enoughUnwritten { try flush() }
    }

    /// Writes what is not written yet.
    mutating func flush() throws(TraceError) {
      try writeAtOnce(unwritten)
      unwritten.removeAll(keepingCapacity: true)
    }

    private mutating func writeAtOnce(_ bytes: [UInt8]) throws(TraceError) {
      if let failure { throw failure }
      guard !bytes.isEmpty else { return }
      do throws(TraceError) {
        try output.write(bytes)
      } catch {
        failure = error
        throw error
      }
    }
  }

  /// With so many bytes they are written.
  private static let enoughUnwritten = 64 << 10
  /// Bytes kept in memory before they are moved to a temporary file.
  private static let heldInMemory = 8 << 20

  private let state: Mutex<State>

  /// Starts a log. ``commit()`` puts the file in place.
  init(path: String, isPrivate: Bool) throws(TraceError) {
    let output = try FileOutput(path: path, isPrivate: isPrivate)
    state = Mutex(State(output: .file(output)))
  }

  /// Starts a log in a temporary file, to be read back by ``bytes(from:count:)``.
  init() throws(TraceError) {
    let output = try TemporaryFile(folder: TemporaryFile.systemFolder)
    state = Mutex(State(output: .temporary(output)))
  }

  /// Writes the lines that are complete when a replay ends with an error, as a reader of a pipe may have those before. An error
  /// here was thrown before, or comes after another one.
  deinit { try? flush() }

  /// At most so many bytes of a log in a temporary file, of those that are written; empty behind its end.
  func bytes(from offset: Int64, count: Int) throws(TraceError) -> [UInt8] {
    try state.withLock { state throws(TraceError) in
      guard case .temporary(let file) = state.output else { return [] }
      var bytes = [UInt8](repeating: 0, count: max(0, Int(min(Int64(count), file.length - offset))))
      try file.read(bytes.count, at: offset, into: &bytes)
      return bytes
    }
  }

  /// Appends lines of a device, given by its index.
  ///
  /// - Parameter isAwaited: Whether somebody waits for them: they are written at once, if no device before has more.
  func append(_ bytes: [UInt8], device: Int, isAwaited: Bool = false) throws(TraceError) {
    try state.withLock { state throws(TraceError) in
      if device == state.current { return try state.write(bytes, isAwaited: isAwaited) }
      state.held[device, default: Held()].bytes += bytes
      state.heldBytes += bytes.count
      if state.heldBytes > Self.heldInMemory { try Self.spill(&state) }
    }
  }

  /// Appends bytes behind those of all devices, which are complete.
  func appendAtEnd(_ bytes: [UInt8]) throws(TraceError) {
    try state.withLock { state throws(TraceError) in try state.write(bytes) }
  }

  /// Writes all lines that have come and that no device before keeps from being written.
  func flush() throws(TraceError) {
    try state.withLock { state throws(TraceError) in try state.flush() }
  }

  /// Marks a device as complete. Lines of the next devices that are held are not written at once, though awaited: a paced
  /// replay completes all devices at its end.
  func finish(device: Int) throws(TraceError) {
    try state.withLock { state throws(TraceError) in
      if device == state.current {
        // Nothing is held for it: its lines are written as they come.
        state.current += 1
      } else {
        state.held[device, default: Held()].isFinished = true
      }
      while let held = state.held[state.current] {
        try Self.write(held, &state)
        state.heldBytes -= held.bytes.count
        state.held[state.current] = nil
        guard held.isFinished else { return }
        state.current += 1
      }
    }
  }

  /// Puts the file in place.
  func commit() throws(TraceError) {
    try state.withLock { state throws(TraceError) in
      try state.flush()
      if case .file(let file) = state.output { try file.commit() }
    }
  }

  private static func write(_ held: Held, _ state: inout State) throws(TraceError) {
    if let temporary = state.temporary {
      for part in held.spilled {
        var bytes = [UInt8](repeating: 0, count: part.count)
        try temporary.read(part.count, at: part.offset, into: &bytes)
        try state.write(bytes)
      }
    }
    try state.write(held.bytes)
  }

  private static func spill(_ state: inout State) throws(TraceError) {
    let temporary: TemporaryFile
    if let existing = state.temporary {
      temporary = existing
    } else {
      temporary = try TemporaryFile(folder: TemporaryFile.systemFolder)
      state.temporary = temporary
    }
    for device in state.held.keys {
      guard let bytes = state.held[device]?.bytes, !bytes.isEmpty else { continue }
      let offset = temporary.length
      try temporary.append(bytes, count: bytes.count)
      state.held[device]?.spilled.append((offset, bytes.count))
      state.held[device]?.bytes = []
    }
    state.heldBytes = 0
  }
}
