import Synchronization
import WakeTrace

/// The wake log of all devices (SPEC 7): device by device, whoever comes to which end first.
///
/// The lines of the first device that is not finished go straight to the file; those of later ones are
/// held, in memory as long as they are few.
final class WakeLog: Sendable {
  private struct Held {
    var bytes: [UInt8] = []
    /// Where earlier bytes stand in the temporary file.
    var spilled: [(offset: Int64, count: Int)] = []
    var isFinished = false
  }

  private struct State: ~Copyable {
    var output: FileOutput
    /// The first device that is not finished.
    var current = 0
    var held: [Int: Held] = [:]
    var heldBytes = 0
    var temporary: TemporaryFile?
  }

  /// Bytes that are held in memory before they go to a temporary file.
  private static let heldInMemory = 8 << 20

  private let state: Mutex<State>

  /// Starts a log; it is put in place by ``commit()``.
  init(path: String) throws(TraceError) {
    let output = try FileOutput(path: path)
    state = Mutex(State(output: output))
  }

  /// Adds lines of a device, by its place among the devices.
  func append(_ bytes: [UInt8], device: Int) throws(TraceError) {
    try state.withLock { state throws(TraceError) in
      if device == state.current {
        try state.output.write(bytes)
        return
      }
      state.held[device, default: Held()].bytes += bytes
      state.heldBytes += bytes.count
      if state.heldBytes > Self.heldInMemory { try Self.spill(&state) }
    }
  }

  /// Notes that a device has no more lines.
  func finish(device: Int) throws(TraceError) {
    try state.withLock { state throws(TraceError) in
      state.held[device, default: Held()].isFinished = true
      while let held = state.held[state.current] {
        try Self.write(held, &state)
        state.heldBytes -= held.bytes.count
        state.held[state.current] = nil
        guard held.isFinished else { return }
        state.current += 1
      }
    }
  }

  /// Puts the log in place.
  func commit() throws(TraceError) {
    try state.withLock { state throws(TraceError) in try state.output.commit() }
  }

  private static func write(_ held: Held, _ state: inout State) throws(TraceError) {
    if let temporary = state.temporary {
      for part in held.spilled {
        var bytes = [UInt8](repeating: 0, count: part.count)
        try temporary.read(part.count, at: part.offset, into: &bytes)
        try state.output.write(bytes)
      }
    }
    try state.output.write(held.bytes)
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
