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
    var log: LogPart

    mutating func append(_ wake: borrowing Wake) {
      order.add(wake) {
        line.append($0, to: &bytes)
        log.takeAmidCall(&bytes)
      }
    }

    mutating func handOver(all: Bool) throws(TraceError) { try log.take(&bytes, all: all) }
  }

  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm) {
    parts = Parts(line: WakeLine(symbols: symbols, times: times), log: LogPart(of: log))
  }

  /// Starts with the wakes of a device, which has a place in the log.
  func start(device: String, place: Int) {
    parts.line.start(device: device)
    parts.order = WakeOrder()
    parts.log.start(place: place)
  }

  /// Adds a wake that has ended, or keeps it until those with lower numbers have ended.
  func append(_ wake: borrowing Wake) { parts.append(wake) }

  /// Hands the lines so far over, if they are many or `all` are to be.
  func handOver(all: Bool) throws(TraceError) { try parts.handOver(all: all) }
}
