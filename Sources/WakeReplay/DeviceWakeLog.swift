import WakeScheduling

/// The wake log of one device, in the order in which its wakes began.
final class DeviceWakeLog {
  private let line: WakeLine
  private var order = WakeOrder()
  private var bytes: [UInt8] = []

  /// Whether the bytes are enough to be handed over: 64 KiB.
  var isLarge: Bool { bytes.count >= 64 << 10 }

  init(_ line: WakeLine) { self.line = line }

  /// Adds a wake that has ended, or keeps it until those with lower numbers have ended.
  func append(_ wake: borrowing Wake) {
    order.add(wake) { line.append($0, to: &bytes) }
  }

  func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}
