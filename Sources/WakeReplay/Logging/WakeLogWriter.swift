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
  /// Whether somebody may wait for each line: lines are written as soon as their wakes have ended.
  let isPaced: Bool
  private let state = Mutex(State())
  /// Signalled when there is a batch to write, and when one is written.
  private let (filled, written) = (ProgressSignal(), ProgressSignal())

  private struct State {
    /// The thread that writes batches; nil if there is none.
    var thread: UInt?
    /// What has come since the last batch was filled; nil if nothing has.
    var open: WakeBatch?
    /// Batches to write, in order. The first one stays here while it is written.
    var filled: [WakeBatch] = []
    /// How much is in these.
    var amount = WakeBatch.Amount()
    /// Batches to fill: those that were written last are the last.
    var spare: [WakeBatch] = []
    /// Whether no more comes.
    var isClosed = false
    /// What keeps the log from taking lines.
    var failure: TraceError?
    /// What threads that write lines themselves use to do so.
    var texts: [WakeText] = []
  }

  /// With so many wakes and parts in batches that are filled, the thread that writes is woken, if it sleeps: that takes as long
  /// as hundreds of wakes.
  private static let enoughSteps = 2_048
  /// With more bytes in them, and more than one batch, the replay waits until some are written, for the memory that they take.
  /// One batch may be more: if the replay waited for it alone, the two threads would take turns.
  private static let mostBytes = 8 << 20
  /// With more wakes and parts in them it waits, too, for the time that they take at the end of the replay: cohorts are many
  /// lines in little memory.
  private static let mostSteps = 8 << 20
  /// The thread that writes makes so many batches before the first wake comes, and then one for each that it has written.
  private static let firstMade = 16
  /// So many batches there are at most. They are used in turn. The thread has just read a batch that it gives back: if the next
  /// wakes went there, each would wait until that processor's cache gives up its line. Batches of 1.5 MB together have mostly
  /// left that cache before they are used again. On fitbit foreground a wake took 51 ns where the batch was used first that was
  /// written last, and 35 in turn (38 with a few batches or with 6 MB of them).
  private static let mostMade = 32
  /// The number of wakes from which a hand-over pays: a thread that writes itself should write many bytes at a time.
  static let enough = 128
  /// So many entries are copied to a batch. For more, the device gets the memory of a batch, which it keeps: devices that
  /// interleave, with few wakes at a time, would soon have that of more batches than there are.
  private static let mostCopied = 2 * enough
  /// For how many wakes a device keeps memory.
  static let mostKept = 8 * enough
  /// Less than the usual 8 MB, so that a limit of the address space leaves more to the replay.
  private static let stackBytes = 512 << 10

  /// - Parameters:
  ///   - threads: How many threads the replay has.
  ///   - isPaced: Whether the replay is paced.
  init(
    _ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm, threads: Int, isPaced: Bool = false
  ) {
    (self.log, self.symbols, self.times) = (log, symbols, times)
    self.isPaced = isPaced
    guard threads == 1 else { return }
    let thread = SystemCalls.startThread(stackBytes: Self.stackBytes) { [self] in writeBatches() }
    state.withLock { $0.thread = thread }
  }

  /// Takes the next wakes of a device out of its history.
  ///
  /// - Parameters:
  ///   - count: How many of the first entries.
  ///   - device: The device's name.
  ///   - place: Its place in the log.
  ///   - isLast: Whether the device has no more.
  /// - Throws: What keeps the log from taking lines, of other wakes too.
  func take(
    first count: Int, of wakes: inout WakeHistory, device: String, place: Int, isLast: Bool
  ) throws(TraceError) {
    let part = WakeBatch.Part(device: device, place: place, entries: 0..<count, isLast: isLast)
    let queued = try state.withLock { state throws(TraceError) -> WakeBatch.Amount? in
      if let failure = state.failure { throw failure }
      guard state.thread != nil else { return nil }
      if count > Self.mostCopied {
        Self.fill(&state)
        Self.openBatch(&state).take(part, from: &wakes)
        Self.fill(&state)
      } else {
        let batch = Self.openBatch(&state)
        batch.append(part, of: wakes)
        wakes.removeFirst(count, keepingUpTo: Self.mostKept)
        if batch.isFull || isPaced { Self.fill(&state) }
      }
      return state.amount
    }
    guard let queued else {
      try write(part, of: wakes)
      return wakes.removeFirst(count, keepingUpTo: Self.mostKept)
    }
    // Few wakes can take much memory.
    let isTooMuch = Self.isTooMuch(queued)
    if queued.steps >= Self.enoughSteps || isTooMuch || isPaced { filled.signal() }
    if isTooMuch { waitForRoom() }
  }

  /// The open batch, made if there is none.
  private static func openBatch(_ state: inout State) -> WakeBatch {
    if let open = state.open { return open }
    let batch = state.spare.isEmpty ? WakeBatch() : state.spare.removeFirst()
    state.open = batch
    return batch
  }

  /// Makes the open batch, if there is one, the last one of those that are filled.
  private static func fill(_ state: inout State) {
    guard let batch = state.open.take() else { return }
    state.amount += batch.amount
    state.filled.append(batch)
  }

  /// Writes wakes in this thread.
  private func write(_ part: WakeBatch.Part, of wakes: borrowing WakeHistory) throws(TraceError) {
    let text = state.withLock { $0.texts.popLast() } ?? makeText()
    try text.write(part, of: wakes)
    state.withLock { $0.texts.append(text) }
  }

  private func makeText() -> WakeText { WakeText(log, symbols, times: times, isAwaited: isPaced) }

  private static func isTooMuch(_ amount: WakeBatch.Amount) -> Bool {
    amount.bytes > mostBytes || amount.steps > mostSteps
  }

  private func waitForRoom() {
    while true {
      let seen = written.count
      let isFull = state.withLock { Self.isTooMuch($0.amount) && $0.filled.count > 1 }
      guard isFull else { return }
      written.wait(after: seen)
    }
  }

  /// Writes all lines that are not written yet. Nothing may be appended after that.
  ///
  /// - Throws: What kept the log from taking lines.
  func finish() throws(TraceError) {
    close()
    if let failure = state.withLock({ $0.failure }) { throw failure }
    try log.flush()
  }

  /// Gives up lines that are not written yet; none are after ``finish()``.
  func cancel() {
    state.withLock { state in
      state.open = nil
      (state.filled, state.amount) = ([], WakeBatch.Amount())
    }
    close()
  }

  /// Ends the thread that writes, if it has not ended, after what it was given.
  private func close() {
    let thread = state.withLock { state in
      Self.fill(&state)
      state.isClosed = true
      return state.thread.take()
    }
    filled.signal()
    if let thread { pthread_join(thread, nil) }
  }

  /// What the thread does.
  private func writeBatches() {
    let text = makeText()
    var made = 0
    while made < Self.firstMade { makeBatch(&made) }
    while true {
      let seen = filled.count
      let (batch, isClosed, hasFailed) = state.withLock { state in
        (state.filled.first, state.isClosed, state.failure != nil)
      }
      if let batch {
        if !hasFailed { write(batch, with: text) }
        state.withLock { state in
          // `cancel()` may have removed it meanwhile.
          if state.filled.first === batch {
            state.filled.removeFirst()
            state.amount -= batch.amount
          }
          batch.removeAll()
          if state.spare.count < Self.mostMade { state.spare.append(batch) }
        }
        written.signal()
        if made < Self.mostMade { makeBatch(&made) }
      } else if isClosed {
        return
      } else {
        filled.wait(after: seen)
      }
    }
  }

  /// Makes a batch to fill.
  private func makeBatch(_ made: inout Int) {
    let batch = WakeBatch(hasMemory: true)
    state.withLock { $0.spare.append(batch) }
    made += 1
  }

  private func write(_ batch: WakeBatch, with text: WakeText) {
    do throws(TraceError) {
      for part in batch.parts { try text.write(part, of: batch.wakes) }
    } catch {
      state.withLock { $0.failure = error }
    }
  }
}
