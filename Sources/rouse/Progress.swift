import Measurement
import Synchronization

/// A progress bar on standard error, if that is a terminal.
final class Progress: Sendable {
  private struct State {
    var lastShown: UInt64 = 0
    var isShown = false
  }

  /// Shows a bar while `body` runs and updates it.
  static func during<Result>(
    _ verb: String, total: Int64? = nil, unit: String, _ body: (Progress) throws -> Result
  ) rethrows -> Result {
    let progress = Progress(verb, total: total, unit: unit)
    defer { progress.finish() }
    return try body(progress)
  }

  private let verb: String
  private let total: Int64?
  private let unit: String
  private let isEnabled = Console.isTerminal
  private let begin = MonotonicClock.now()
  private let state = Mutex(State())

  /// Nanoseconds between updates, and before the first one.
  private static let interval: UInt64 = 100_000_000
  private static let width = 30

  init(_ verb: String, total: Int64?, unit: String) {
    self.verb = verb
    self.total = total
    self.unit = unit
  }

  /// Updates the bar if the interval has passed.
  func update(_ done: Int64) {
    guard isEnabled else { return }
    state.withLock { state in
      let now = MonotonicClock.now()
      guard now - max(state.lastShown, begin) > Self.interval else { return }
      state.lastShown = now
      state.isShown = true
      Console.write("\r\u{1B}[K" + line(done, now: now))
    }
  }

  func finish() {
    guard isEnabled else { return }
    state.withLock { state in
      if state.isShown { Console.write("\r\u{1B}[K") }
      state.isShown = false
    }
  }

  private func line(_ done: Int64, now: UInt64) -> String {
    let rate = Quantity.rate(count: Int(done), nanoseconds: now - begin)
    guard let total, total > 0 else {
      return "\(verb) \(Quantity.count(Int(done))) \(unit), \(rate)"
    }
    let share = min(1, Double(done) / Double(total))
    let filled = Int(share * Double(Self.width))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
    return "\(verb) [\(bar)] \(Int(share * 100)) %, \(rate)"
  }
}
