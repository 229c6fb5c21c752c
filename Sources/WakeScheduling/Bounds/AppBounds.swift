package import WakeEvents

/// How far an app's wakes on a device are from the best (rules, 10).
package struct AppBounds: Sendable {
  package let app: App
  /// Wakes that carried a type.
  package let wakes: Int
  /// Nanoseconds for which something was owed (rule 10.1).
  package let behind: Int64
  /// Nanoseconds of all gaps: ``leastBehind`` of no wake at all.
  package let gaps: Int64
  /// The fewest wakes within each deadline, in the order in which a tracker was given them (rule 10.5).
  package let fewestWakesWithin: [Int]
  /// Gains in coarse buckets, the greatest first, each bucket's count and sum exact; empty unless asked for.
  package let curve: [GainCell]
  /// Takes as many of the greatest gains as there were wakes.
  private var asManyWakes: GainSearch
  /// Takes the fewest of the greatest gains that leave no more than ``behind``.
  private var asLittleBehind: GainSearch

  init(
    app: App, wakes: Int, behind: Int64, gaps: Int64, fewestWakesWithin: [Int],
    gains: [GainCell], keepsCurve: Bool
  ) {
    self.app = app
    self.wakes = wakes
    self.behind = behind
    self.gaps = gaps
    self.fewestWakesWithin = fewestWakesWithin
    if keepsCurve {
      var buckets = GainBuckets(from: GainCounter.everything.lowerBound, bits: Self.curveBits)
      for cell in gains { buckets.add(cell) }
      curve = buckets.cells
    } else {
      curve = []
    }
    asManyWakes = GainSearch(.count(wakes))
    asManyWakes.narrow(to: gains)
    asLittleBehind = GainSearch(.sum(gaps - behind))
    asLittleBehind.narrow(to: gains)
  }

  /// log2 of the buckets of ``curve`` for each doubling.
  private static let curveBits = 5

  /// The least time behind with as many wakes in nanoseconds (rule 10.4); meaningful once ``isFound``.
  package var leastBehind: Int64 { gaps - asManyWakes.sum }

  /// The fewest wakes with which an app is behind for no longer (rule 10.4); meaningful once ``isFound``.
  package var fewestWakes: Int { asLittleBehind.count }

  /// Whether everything is known; if not, ``openRanges`` need another pass over the same inputs.
  package var isFound: Bool { openRanges.isEmpty }

  /// Where gains must be counted again.
  var openRanges: [ClosedRange<Int64>] {
    [asManyWakes.open, asLittleBehind.open].compactMap { $0 }
  }

  /// Takes what another pass has counted in ``openRanges``.
  mutating func narrow(to counted: [[GainCell]]) {
    var rest = counted[...]
    if asManyWakes.open != nil, let cells = rest.popFirst() { asManyWakes.narrow(to: cells) }
    if asLittleBehind.open != nil, let cells = rest.popFirst() { asLittleBehind.narrow(to: cells) }
  }
}
