import CSystem
import Glibc

/// Finds a call of a scheduler that does not return, in a process that notes its calls.
package struct CallPatience {
  /// How long one call may take, in seconds.
  private let timeout: Double
  /// The calls seen last, and for how many seconds.
  private var seen: [Int: (call: CallWatch.Call, time: Double)] = [:]
  private var before: Double
  /// The most seconds between two looks that count. More pass where this process itself was stopped, as by Ctrl-Z, and
  /// the scheduler's with it.
  private static let longestLook = 0.5
  /// The least time that the process may take to end, in seconds.
  private static let leastExit = 1.0

  package init(timeout: Double) { self.init(timeout: timeout, now: Self.now) }

  init(timeout: Double, now: Double) { (self.timeout, before) = (timeout, now) }

  /// Looks at the calls under way: to be called a few times a second.
  ///
  /// - Returns: The call that has taken too long, and what to say of it; nil if none has.
  package mutating func overdue(_ watch: CallWatch) -> (call: CallWatch.Call, message: String)? {
    overdue(watch.calls, now: Self.now)
  }

  mutating func overdue(
    _ underWay: [(slot: Int, call: CallWatch.Call)], now: Double
  ) -> (call: CallWatch.Call, message: String)? {
    let passed = min(now - before, Self.longestLook)
    before = now
    var calls: [Int: (call: CallWatch.Call, time: Double)] = [:]
    defer { seen = calls }
    for (slot, call) in underWay {
      let time = seen[slot].flatMap { $0.call == call ? $0.time + passed : nil } ?? 0
      calls[slot] = (call, time)
      let isExit = call.function == .exit
      let limit = isExit ? max(timeout, Self.leastExit) : timeout
      guard time > limit else { continue }
      let seconds = limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
      let what = isExit ? "does not end its process" : "does not return"
      return (call, "\(what) for \(seconds) s; \(call.place)")
    }
    return nil
  }

  private static var now: Double {
    var time = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension CallWatch {
  /// What to say of the end of the process, which ended by a signal or with an exit status; nil if the command ended in
  /// order.
  package func story(signal: Int32, exitStatus: Int32) -> String? {
    if state == .faulty { return fault }
    let place = calls.map(\.call.place).joined(separator: "; or ")
    let when =
      state == .finished ? "after the last device" : place.isEmpty ? "outside of a call" : place
    if signal != 0 {
      let name = unsafe strsignal(signal).map { unsafe String(cString: $0) } ?? "signal \(signal)"
      return "ended by a signal: \(name); \(when)"
    }
    guard state != .finished else { return nil }
    return "ended its process with exit status \(exitStatus); \(when)"
  }
}
