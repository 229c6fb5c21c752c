/// Chooses the events whose latency is measured, at random distances, so that the choice does not fall
/// into step with a rhythm of the trace.
struct LatencySampler {
  private var random: UInt64
  private var distance = 0
  private let stride: Int

  /// The longest mean distance: reading the clock costs more than ten events.
  private static let longestStride = 1_024
  /// The events to measure in a short trace: eight of them lie beyond the 99.9th percentile.
  private static let eventsMeasured = 8_192

  /// The mean distance between measured events in a trace of so many events.
  static func stride(events: Int) -> Int {
    min(longestStride, max(1, events / eventsMeasured))
  }

  init(seed: UInt64, stride: Int) {
    random = seed &* 2 &+ 1
    self.stride = stride
    drawDistance()
  }

  /// A distance from 1 to 2 · stride − 1, from a linear congruential generator (Knuth's MMIX constants).
  private mutating func drawDistance() {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    distance = 1 + Int(random >> 33) % (2 * stride - 1)
  }

  /// The next row to measure, or `end` if it lies beyond.
  mutating func next(from row: Int, to end: Int) -> Int {
    let sampled = row + distance - 1
    guard sampled < end else {
      distance -= end - row
      return end
    }
    drawDistance()
    return sampled
  }
}
