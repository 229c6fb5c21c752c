import WakeScheduling

/// Wakes of devices on their way to the thread that writes them.
///
/// Unchecked: one thread at a time uses it.
final class WakeBatch: @unchecked Sendable {
  /// Wakes of one device.
  struct Part {
    let device: String
    /// The device's place in the log.
    let place: Int
    /// The places of their entries among all.
    var entries: Range<Int>
    /// Whether the device has no more.
    var isLast: Bool
  }

  private(set) var wakes = WakeHistory()
  private(set) var parts: [Part] = []

  /// With so many bytes of wakes it is full.
  private static let mostBytes = 64 << 10
  /// With so many parts it is full.
  private static let mostParts = 1_024

  /// Makes room for what a device keeps before it hands wakes over, and half as much again, as some may stay behind; an array
  /// that grows step by step would copy its wakes.
  ///
  /// - Parameter hasMemory: Whether the system provides the memory now (``WakeHistory/reserve(_:hasMemory:)``).
  init(hasMemory: Bool = false) {
    wakes.reserve(DeviceWakeLog.most * 3 / 2, hasMemory: hasMemory)
    parts.reserveCapacity(1)
  }

  /// Whether more should go to another batch.
  var isFull: Bool { wakes.usedBytes >= Self.mostBytes || parts.count >= Self.mostParts }

  /// How much batches have.
  struct Amount {
    /// Their memory.
    var bytes = 0
    /// Their wakes and parts: to end a device takes time, too.
    var steps = 0

    static func += (sum: inout Amount, amount: Amount) {
      sum.bytes += amount.bytes
      sum.steps += amount.steps
    }

    static func -= (rest: inout Amount, amount: Amount) {
      rest.bytes -= amount.bytes
      rest.steps -= amount.steps
    }
  }

  var amount: Amount {
    Amount(
      bytes: wakes.allBytes + parts.count * MemoryLayout<Part>.stride,
      steps: wakes.count + parts.count)
  }

  /// Appends a part with its wakes, which are among others.
  func append(_ part: Part, of others: borrowing WakeHistory) {
    var part = part
    let start = wakes.places.upperBound
    wakes.append(part.entries, of: others)
    let end = wakes.places.upperBound
    if let last = parts.last, last.place == part.place {
      parts[parts.count - 1].entries = last.entries.lowerBound..<end
      parts[parts.count - 1].isLast = part.isLast
    } else {
      part.entries = start..<end
      parts.append(part)
    }
  }

  /// Takes a part with its wakes out of a history, which keeps the others; there are no other parts.
  func take(_ part: Part, from history: inout WakeHistory) {
    history.takeFirst(part.entries.count, into: &wakes)
    parts.append(part)
  }

  func removeAll() {
    wakes.restart(keepingUpTo: WakeLogWriter.mostKept)
    parts.removeAll(keepingCapacity: true)
  }
}
