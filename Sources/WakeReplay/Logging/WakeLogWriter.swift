import Glibc
import Synchronization
import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// Writes the wakes of all devices as lines of the wake log.
///
/// A line takes longer than its wake. So where a replay has one thread, another one writes lines meanwhile; where it has more,
/// or the system refuses another one, the thread that scheduled the wakes does.
final class WakeLogWriter: Sendable {
  private let log: WakeLog
  private let symbols: Symbols
  private let times: JSONTimeForm
  private let state = Mutex(State())
  /// Signalled when there is a batch to write, and when one is written.
  private let (filled, written) = (ProgressSignal(), ProgressSignal())

  private struct State {
    /// The thread that writes batches; nil if there is none.
    var thread: UInt?
    /// What has come since the last batch was filled.
    var open = WakeBatch()
    /// Batches to write, in order.
    var filled: [WakeBatch] = []
    /// Batches that were written.
    var spare: [WakeBatch] = []
    /// Whether no more comes.
    var isClosed = false
    /// What keeps the log from taking lines.
    var failure: TraceError?
    /// What threads that write lines themselves use to do so.
    var texts: [WakeText] = []
  }

  /// More batches that are filled make the replay wait until some are written.
  private static let mostFilled = 8

  /// - Parameter threads: How many threads the replay has.
  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm, threads: Int) {
    (self.log, self.symbols, self.times) = (log, symbols, times)
    guard threads == 1 else { return }
    let thread = SystemCalls.startThread { [self] in writeBatches() }
    state.withLock { $0.thread = thread }
  }

  /// Takes the next wakes of a device.
  ///
  /// - Parameters:
  ///   - count: How many of the first wakes.
  ///   - device: The device's name.
  ///   - place: Its place in the log.
  ///   - isLast: Whether the device has no more.
  /// - Throws: What keeps the log from taking lines, of other wakes too.
  func append(
    _ wakes: WakeHistory, first count: Int, device: String, place: Int, isLast: Bool
  ) throws(TraceError) {
    let part = WakeBatch.Part(device: device, place: place, wakes: 0..<count, isLast: isLast)
    let queued = try state.withLock { state throws(TraceError) -> Int? in
      if let failure = state.failure { throw failure }
      guard state.thread != nil else { return nil }
      state.open.append(part, of: wakes)
      if state.open.isFull {
        state.filled.append(state.open)
        state.open = state.spare.popLast() ?? WakeBatch()
      }
      return state.filled.count
    }
    guard let queued else { return try write(part, of: wakes) }
    if queued > 0 { filled.signal() }
    if queued > Self.mostFilled { waitForRoom() }
  }

  /// Writes wakes in this thread.
  private func write(_ part: WakeBatch.Part, of wakes: WakeHistory) throws(TraceError) {
    let text = state.withLock { $0.texts.popLast() } ?? makeText()
    try text.write(part, of: wakes)
    state.withLock { $0.texts.append(text) }
  }

  private func makeText() -> WakeText { WakeText(log, symbols, times: times) }

  private func waitForRoom() {
    while true {
      let seen = written.count
      guard state.withLock({ $0.filled.count > Self.mostFilled }) else { return }
      written.wait(after: seen)
    }
  }

  /// Ends the log: all lines are written.
  ///
  /// - Throws: What kept the log from taking lines.
  func finish() throws(TraceError) {
    close()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// Ends the thread that writes, after what it was given. Nothing may be appended after that.
  func close() {
    let thread = state.withLock { state in
      state.filled.append(state.open)
      state.open = WakeBatch()
      state.isClosed = true
      return state.thread.take()
    }
    filled.signal()
    if let thread { pthread_join(thread, nil) }
  }

  /// What the thread does.
  private func writeBatches() {
    let text = makeText()
    while true {
      let seen = filled.count
      let (batch, isClosed, hasFailed) = state.withLock { state in
        let batch = state.filled.isEmpty ? nil : state.filled.removeFirst()
        return (batch, state.isClosed, state.failure != nil)
      }
      if let batch {
        if !hasFailed { write(batch, with: text) }
        batch.removeAll()
        state.withLock { $0.spare.append(batch) }
        written.signal()
      } else if isClosed {
        return
      } else {
        filled.wait(after: seen)
      }
    }
  }

  private func write(_ batch: WakeBatch, with text: WakeText) {
    do throws(TraceError) {
      for part in batch.parts { try text.write(part, of: batch.wakes) }
    } catch {
      state.withLock { $0.failure = error }
    }
  }
}

/// Wakes of devices on their way to the thread that writes them.
///
/// Unchecked: one thread at a time uses it.
private final class WakeBatch: @unchecked Sendable {
  /// Wakes of one device.
  struct Part {
    let device: String
    /// The device's place in the log.
    let place: Int
    /// The wakes' places among all.
    var wakes: Range<Int>
    /// Whether the device has no more.
    let isLast: Bool
  }

  private(set) var wakes = WakeHistory()
  private(set) var parts: [Part] = []

  /// Whether it is worth to be written.
  var isFull: Bool { wakes.count >= 1_024 || parts.count >= 1_024 }

  /// Appends a part with its wakes, which are among others.
  func append(_ part: Part, of others: WakeHistory) {
    var part = part
    let start = wakes.count
    wakes.append(part.wakes, of: others)
    part.wakes = start..<wakes.count
    parts.append(part)
  }

  func removeAll() {
    wakes.restart(keeping: .max)
    parts.removeAll(keepingCapacity: true)
  }
}

/// The text of lines, from their wakes to the log.
///
/// Unchecked: one thread at a time uses it.
private final class WakeText: @unchecked Sendable {
  private let log: WakeLog
  private var line: WakeLine
  private var bytes: [UInt8] = []

  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm) {
    self.log = log
    line = WakeLine(symbols: symbols, times: times)
  }

  /// So many lines are written at a time.
  private static let linesTogether = 1_024

  func write(_ part: WakeBatch.Part, of wakes: WakeHistory) throws(TraceError) {
    if !part.wakes.isEmpty { line.start(device: part.device) }
    var places = part.wakes
    while !places.isEmpty {
      let next = places.prefix(Self.linesTogether)
      bytes.removeAll(keepingCapacity: true)
      line.append(next, of: wakes, to: &bytes)
      try log.append(bytes, device: part.place)
      places = next.upperBound..<places.upperBound
    }
    if part.isLast { try log.finish(device: part.place) }
  }
}
