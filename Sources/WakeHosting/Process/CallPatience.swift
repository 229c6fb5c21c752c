import Glibc

/// Finds a call of a scheduler that does not return, in a process that notes its calls.
package struct CallPatience {
  /// How long one call may take, in seconds.
  private let timeout: Double
  /// The calls seen last, and for how many seconds.
  private var seen: [Int: (call: CallWatch.Call, time: Double)] = [:]
  private var before = Self.now

  package init(timeout: Double) { self.timeout = timeout }

  /// Looks at the calls under way: to be called a few times a second.
  ///
  /// - Returns: The call that has taken too long, and what to say of it; nil if none has.
  package mutating func overdue(_ watch: CallWatch) -> (call: CallWatch.Call, message: String)? {
    let now = Self.now
    let passed = now - before
    before = now
    var calls: [Int: (call: CallWatch.Call, time: Double)] = [:]
    defer { seen = calls }
    for (slot, call) in watch.calls {
      let time = seen[slot].flatMap { $0.call == call ? $0.time + passed : nil } ?? 0
      calls[slot] = (call, time)
      guard time > timeout else { continue }
      let seconds = timeout == timeout.rounded() ? "\(Int(timeout))" : "\(timeout)"
      return (call, "does not return for \(seconds) s; \(call.place)")
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
