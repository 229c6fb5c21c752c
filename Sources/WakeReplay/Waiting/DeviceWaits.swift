import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// What waits on one device: its part of the wait log, and the sums that it adds to a tally.
final class DeviceWaits {
  /// One property, so that Swift checks exclusive access once for each wait.
  private var parts: Parts

  private struct Parts: ~Copyable {
    /// Nil where only sums are asked for.
    var line: WaitLine?
    /// Of the thread that uses the device.
    var tally: WaitTally?
    var bytes: [UInt8] = []
    var log: LogPart

    mutating func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
      switch phase {
      case .logged:
        line?.append(wait, to: &bytes)
        log.takeAmidCall(&bytes)
      case .over: tally?.count(wait)
      }
    }

    mutating func handOver(all: Bool) throws(TraceError) { try log.take(&bytes, all: all) }
  }

  /// - Parameter log: The wait log; nil where only sums are asked for.
  init(log: WakeLog?, _ symbols: Symbols, times: JSONTimeForm) {
    parts = Parts(
      line: log == nil ? nil : WaitLine(symbols: symbols, times: times), log: LogPart(of: log))
  }

  /// Starts with the waits of a device, which has a place in the log.
  func start(device: String, place: Int) {
    parts.line?.start(device: device)
    parts.log.start(place: place)
  }

  /// Adds the waits that are over to the sums of a thread from now on.
  func addSums(to tally: WaitTally) { parts.tally = tally }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) { parts.take(phase, wait) }

  /// Hands the lines so far over, if they are many or `all` are to be.
  func handOver(all: Bool) throws(TraceError) { try parts.handOver(all: all) }
}
