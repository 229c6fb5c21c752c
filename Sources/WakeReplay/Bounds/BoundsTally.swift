import WakeEvents
import WakeScheduling

/// How far wakes are from the best, by app, added up over devices (page Rules, 10.6). Each thread has its own.
final class BoundsTally {
  /// The sums of one app. Those of times stay at the greatest number.
  struct Sums {
    /// Whether the app had an arrival or a wake that carried a type on some device.
    var isPresent = false
    var wakes = 0
    var behind: Int64 = 0
    var leastBehind: Int64 = 0
    var fewestWakes = 0
    /// By deadline, in the order of the options.
    var fewestWakesWithin: [Int] = []
    /// Gaps and, by the least gain of a cell, gains; 128 bits wide, as the curve is their difference.
    var gaps: Int128 = 0
    var gains: [Int64: (count: Int, sum: Int128)] = [:]
  }

  /// By ``App/index``.
  private(set) var sums: [Sums] = []
  /// What needs another pass over a device's inputs, by the device's index in the trace index: all of its apps of which
  /// anything is open.
  private(set) var open: [Int: [AppBounds]] = [:]

  /// Adds what the replay of a device has found.
  ///
  /// - Parameter place: The device's index in the trace index.
  func add(_ found: [AppBounds], ofDevice place: Int) {
    for bounds in found {
      if bounds.isFound { add(bounds) } else { open[place, default: []].append(bounds) }
    }
  }

  private func add(_ bounds: AppBounds) {
    let app = Int(bounds.app.index)
    reserveApps(app + 1)
    var one = Sums()
    one.isPresent = true
    one.wakes = bounds.wakes
    one.behind = bounds.behind
    one.leastBehind = bounds.leastBehind
    one.fewestWakes = bounds.fewestWakes
    one.fewestWakesWithin = bounds.fewestWakesWithin
    one.gaps = Int128(bounds.gaps)
    for cell in bounds.curve {
      one.gains[cell.values.lowerBound] = (cell.count, Int128(cell.sum))
    }
    sums[app].add(one)
  }

  /// Adds another thread's sums.
  func add(_ other: BoundsTally) {
    reserveApps(other.sums.count)
    for (app, sums) in other.sums.enumerated() { self.sums[app].add(sums) }
    // The apps of a device are found by the one thread that ends its replay.
    open.merge(other.open) { $0 + $1 }
  }

  /// Takes what needs another pass.
  func takeOpen() -> [Int: [AppBounds]] {
    defer { open = [:] }
    return open
  }

  private func reserveApps(_ count: Int) {
    while sums.count < count { sums.append(Sums()) }
  }
}

extension BoundsTally.Sums {
  fileprivate mutating func add(_ other: Self) {
    isPresent = isPresent || other.isPresent
    wakes += other.wakes
    behind.addClamped(other.behind)
    leastBehind.addClamped(other.leastBehind)
    fewestWakes += other.fewestWakes
    let empty = Array(
      repeating: 0, count: max(fewestWakesWithin.count, other.fewestWakesWithin.count))
    if fewestWakesWithin.isEmpty { fewestWakesWithin = empty }
    for place in other.fewestWakesWithin.indices {
      fewestWakesWithin[place] += other.fewestWakesWithin[place]
    }
    gaps += other.gaps
    gains.merge(other.gains) { ($0.count + $1.count, $0.sum + $1.sum) }
  }
}
