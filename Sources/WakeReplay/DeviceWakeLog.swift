import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// The wake logs of devices, one after the other, each in the order in which its wakes began.
final class DeviceWakeLog {
  /// One property, so that Swift checks exclusive access once for each wake.
  private var parts: Parts

  private struct Parts: ~Copyable {
    var line: WakeLine
    var order = WakeOrder()
    var bytes: [UInt8] = []

    mutating func append(_ wake: borrowing Wake) {
      order.add(wake) { line.append($0, to: &bytes) }
    }
  }

  /// Whether the bytes are enough to be handed over: 64 KiB.
  var isLarge: Bool { parts.bytes.count >= 64 << 10 }

  init(_ symbols: Symbols, times: JSONTimeForm) {
    parts = Parts(line: WakeLine(symbols: symbols, times: times))
  }

  /// Starts with the wakes of a device.
  func start(device: String) {
    parts.line.start(device: device)
    parts.order = WakeOrder()
  }

  /// Adds a wake that has ended, or keeps it until those with lower numbers have ended.
  func append(_ wake: borrowing Wake) { parts.append(wake) }

  /// Hands the lines so far over and keeps their memory for the next ones.
  func handOver(to log: WakeLog, device: Int) throws(TraceError) {
    try log.append(parts.bytes, device: device)
    parts.bytes.removeAll(keepingCapacity: true)
  }
}
