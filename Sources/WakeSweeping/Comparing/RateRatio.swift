import Glibc
import WakeEvents

/// The ratio of two rates with an interval, by bootstrap over days of devices (Efron, 1979).
///
/// Days drawn again cannot tell how rare the rare is: no day without a count ever has one. Where 2.5 % of the draws of a
/// side have no count at all, the days with a count must differ, too, by the exact conditional test (Przyborowski and
/// Wilenski, 1940). Both sides are treated alike, so to swap them swaps `more` and `fewer`.
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
  /// 95 % of the ratios of days drawn again, without an upper end where the first side has no count in so many of them; nil
  /// if a side has fewer than two days, or so few of them have a count that nothing can be told.
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
    let isDefined = self.first.hours > 0 && self.second.hours > 0
    guard isDefined, self.first.count + self.second.count > 0, first.count >= Self.fewestDays,
      second.count >= Self.fewestDays
    else { return }
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
    let told: Verdict = low > 1 ? .more : high < 1 ? .fewer : .cannotTell
    if low == 0 || high == .infinity, told != .cannotTell, Self.byDays(first, second) != told {
      return
    }
    verdict = told
    // From 0 to 0, or beyond every number, would say more than is known.
    if low.isFinite, high > 0 { interval = low...high }
  }

  /// On which side the days with a count are more frequent by the hour, at 2.5 % on each.
  ///
  /// If they were alike, each such day would be of a side with the chance of the side's share of the hours.
  private static func byDays(
    _ first: [(count: Int, hours: Double)], _ second: [(count: Int, hours: Double)]
  ) -> Verdict {
    let counted = (first.count { $0.count > 0 }, second.count { $0.count > 0 })
    let hours = (Self.sum(first).hours, Self.sum(second).hours)
    let isFirstRarer = Double(counted.0) * hours.1 <= Double(counted.1) * hours.0
    let days = counted.0 + counted.1
    let share = (isFirstRarer ? hours.0 : hours.1) / (hours.0 + hours.1)
    // The chance of so few days of the rarer side, a sum of binomial chances, by logarithms as they may be tiny.
    var chance = Double(days) * log(1 - share)
    var sum = exp(chance)
    for place in 0..<(isFirstRarer ? counted.0 : counted.1) {
      chance += log(Double(days - place) / Double(place + 1) * share / (1 - share))
      sum += exp(chance)
    }
    return sum > 0.025 ? .cannotTell : isFirstRarer ? .more : .fewer
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
      // A multiplication instead of a division (Lemire, 2019); the bias is below 2^-40 for all bounds here.
      return Int(state.splitMixed.multipliedFullWidth(by: UInt64(bound)).high)
    }
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.first == other.first && one.second == other.second && one.interval == other.interval
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(first.count) }
}
