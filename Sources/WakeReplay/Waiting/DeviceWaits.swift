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
    /// Where the lines go, and the device's place there; nil where there is none.
    let log: WakeLog?
    var place = 0
    /// What kept the log from taking lines amid a call of the scheduler.
    var failure: TraceError?

    mutating func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
      switch phase {
      case .logged:
        line?.append(wait, to: &bytes)
        if bytes.count >= DeviceWaits.mostBytes { handOverEarly() }
      case .over: tally?.count(wait)
      }
    }

    /// Hands lines over though a call of the scheduler is under way: after one input there may be a million wakes.
    private mutating func handOverEarly() {
      do throws(TraceError) {
        if failure == nil { try log?.append(bytes, device: place) }
      } catch {
        failure = error
      }
      bytes.removeAll(keepingCapacity: true)
    }
  }

  /// With so many bytes of lines, they are handed over amid a call.
  private static let mostBytes = 1 << 20

  /// - Parameter log: The wait log; nil where only sums are asked for.
  init(log: WakeLog?, _ symbols: Symbols, times: JSONTimeForm) {
    parts = Parts(line: log == nil ? nil : WaitLine(symbols: symbols, times: times), log: log)
  }

  /// Starts with the waits of a device, which has a place in the log.
  func start(device: String, place: Int) {
    parts.line?.start(device: device)
    parts.place = place
  }

  /// Adds the waits that are over to the sums of a thread from now on.
  func addSums(to tally: WaitTally) { parts.tally = tally }

  func take(_ phase: WaitPhase, _ wait: borrowing Wait) { parts.take(phase, wait) }

  /// Whether the lines are enough to be handed over, 64 KiB, or some could not be.
  var isLarge: Bool { parts.bytes.count >= 64 << 10 || parts.failure != nil }

  /// Hands the lines so far over and keeps their memory for the next ones.
  ///
  /// - Throws: What keeps the log from taking them, or kept it from taking earlier ones.
  func handOver() throws(TraceError) {
    if let failure = parts.failure { throw failure }
    try parts.log?.append(parts.bytes, device: parts.place)
    parts.bytes.removeAll(keepingCapacity: true)
  }
}
