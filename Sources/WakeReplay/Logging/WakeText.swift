import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// The text of lines, from their wakes to the log.
///
/// Unchecked: one thread at a time uses it.
final class WakeText: @unchecked Sendable {
  private let log: WakeLog
  /// Whether somebody waits for the lines.
  private let isAwaited: Bool
  private var line: WakeLine
  private var bytes: [UInt8] = []

  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm, isAwaited: Bool) {
    self.log = log
    self.isAwaited = isAwaited
    line = WakeLine(symbols: symbols, times: times)
  }

  /// Bytes are written when there are so many, or no more lines.
  private static let enoughBytes = 128 << 10

  func write(_ part: WakeBatch.Part, of wakes: borrowing WakeHistory) throws(TraceError) {
    if !part.entries.isEmpty { line.start(device: part.device) }
    var entries = part.entries
    while !entries.isEmpty {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 4 * Self.enoughBytes)
      line.append(&entries, of: wakes, to: &bytes, enough: Self.enoughBytes)
      try log.append(bytes, device: part.place, isAwaited: isAwaited)
    }
    if part.isLast { try log.finish(device: part.place) }
  }
}
