import Foundation

/// Results of threads.
final class Tallies: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [(recorded: Int, lost: Int)]

  init(count: Int) { values = Array(repeating: (0, 0), count: count) }

  func set(_ place: Int, _ value: (recorded: Int, lost: Int)) {
    lock.withLock { values[place] = value }
  }

  var all: [(recorded: Int, lost: Int)] { lock.withLock { values } }
}

/// Tells a thread to stop.
final class SharedFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}

/// Where threads wait for each other.
final class Meeting: @unchecked Sendable {
  private let condition = NSCondition()
  private var missing: Int

  init(of count: Int) { missing = count }

  /// Comes, and waits until all have come.
  func join() {
    condition.lock()
    defer { condition.unlock() }
    missing -= 1
    if missing == 0 { condition.broadcast() }
    while missing > 0 { condition.wait() }
  }
}
