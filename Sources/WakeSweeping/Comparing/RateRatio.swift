/// The ratio of two rates with an interval, by bootstrap over days of devices (Efron, 1979).
package struct RateRatio: Hashable, Sendable {
  /// What the interval says.
  package enum Verdict: String, Sendable {
    case more, fewer
    /// The interval holds 1, or there is too little to have one.
    case cannotTell = "cannot tell"
  }

  /// Counts and hours of both sides.
  package var first: (count: Int, hours: Double)
  package var second: (count: Int, hours: Double)
  /// The second rate divided by the first; nil if the first is 0 or a side has no hours.
  package var ratio: Double?
  /// 95 % of the ratios of days drawn again; nil if a side has fewer than two days or the ratio is not defined.
  package var interval: ClosedRange<Double>?
  package var verdict: Verdict

  /// Days that are drawn again.
  private static let draws = 2_000
  private static let fewestDays = 2

  /// Compares counts by hour.
  ///
  /// The days are drawn with a fixed seed, so equal inputs give equal intervals.
  ///
  /// - Parameters:
  ///   - first: By day of a device, a count and hours.
  ///   - second: The same of the other side.
  /// - Complexity: O(draws × days).
  init(_ first: [(count: Int, hours: Double)], _ second: [(count: Int, hours: Double)]) {
    self.first = Self.sum(first)
    self.second = Self.sum(second)
    ratio = Self.ratio(self.first, self.second)
    verdict = .cannotTell
    guard ratio != nil, first.count >= Self.fewestDays, second.count >= Self.fewestDays else {
      return
    }
    var random = Generator()
    var ratios: [Double] = []
    ratios.reserveCapacity(Self.draws)
    for _ in 0..<Self.draws {
      let (one, other) = (Self.draw(first, &random), Self.draw(second, &random))
      // Where no day with a count was drawn, the ratio is beyond every number.
      ratios.append(Self.ratio(one, other) ?? (other.count > 0 ? .infinity : 1))
    }
    ratios.sort()
    let cut = Self.draws / 40
    let (low, high) = (ratios[cut], ratios[Self.draws - 1 - cut])
    guard high.isFinite else { return }
    interval = low...high
    if low > 1 { verdict = .more }
    if high < 1 { verdict = .fewer }
  }

  private static func sum(_ days: [(count: Int, hours: Double)]) -> (count: Int, hours: Double) {
    days.reduce((0, 0)) { ($0.count + $1.count, $0.hours + $1.hours) }
  }

  private static func draw(
    _ days: [(count: Int, hours: Double)], _ random: inout Generator
  ) -> (count: Int, hours: Double) {
    var sum = (count: 0, hours: 0.0)
    for _ in days {
      let day = days[random.below(days.count)]
      sum.count += day.count
      sum.hours += day.hours
    }
    return sum
  }

  private static func ratio(
    _ first: (count: Int, hours: Double), _ second: (count: Int, hours: Double)
  ) -> Double? {
    guard first.hours > 0, second.hours > 0, first.count > 0 else { return nil }
    return Double(second.count) / second.hours / (Double(first.count) / first.hours)
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014) from a fixed seed.
  private struct Generator {
    private var state: UInt64 = 0x526F_7573_6521_2121

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      // A multiplication instead of a division (Lemire, 2019); the bias is below 2^-40 for all bounds here.
      return Int(mixed.multipliedFullWidth(by: UInt64(bound)).high)
    }
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.first == other.first && one.second == other.second && one.interval == other.interval
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(first.count) }
}
