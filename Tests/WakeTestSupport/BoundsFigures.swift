public import WakeEvents

/// The figures of rule 10.6 for an app on a device.
public struct BoundsFigures: Equatable, Sendable {
  public var app: App
  public var wakes: Int
  public var behind: Int64
  public var leastBehind: Int64
  public var fewestWakes: Int
  /// By deadline, in the order given.
  public var within: [Int]

  /// Makes figures.
  public init(
    app: App, wakes: Int, behind: Int64, leastBehind: Int64, fewestWakes: Int, within: [Int]
  ) {
    self.app = app
    self.wakes = wakes
    self.behind = behind
    self.leastBehind = leastBehind
    self.fewestWakes = fewestWakes
    self.within = within
  }

  /// The deadlines of rule 10.6, in nanoseconds.
  public static let deadlines: [Int64] =
    [60, 300, 900, 3_600, 14_400, 86_400].map { $0 * 1_000_000_000 }

  /// The sums over devices, by the names of apps.
  public static func sums(
    _ figures: [BoundsFigures], symbols: Symbols
  ) -> [ExactName: BoundsFigures] {
    var sums: [ExactName: BoundsFigures] = [:]
    for figures in figures {
      let name = ExactName(symbols.apps.name(of: figures.app))
      guard let sum = sums[name] else {
        sums[name] = figures
        continue
      }
      sums[name] = BoundsFigures(
        app: sum.app, wakes: sum.wakes + figures.wakes,
        behind: clamped(sum.behind, figures.behind),
        leastBehind: clamped(sum.leastBehind, figures.leastBehind),
        fewestWakes: sum.fewestWakes + figures.fewestWakes,
        within: zip(sum.within, figures.within).map { $0 + $1 })
    }
    return sums
  }

  /// The object of rule 10.6, of the figures of all devices.
  ///
  /// - Precondition: No two names are equal as strings.
  public static func object(_ figures: [BoundsFigures], symbols: Symbols) -> JSONValue {
    let members = sums(figures, symbols: symbols).map { name, figures -> (String, JSONValue) in
      let within = zip(deadlines, figures.within).map {
        (String($0 / 1_000_000_000), JSONValue.integer($1))
      }
      return (
        name.string,
        .object([
          "wakes": .integer(figures.wakes), "behind": .integer(figures.behind),
          "leastBehind": .integer(figures.leastBehind),
          "fewestWakes": .integer(figures.fewestWakes),
          "fewestWakesWithin": .object(Dictionary(uniqueKeysWithValues: within)),
        ])
      )
    }
    return .object(Dictionary(uniqueKeysWithValues: members))
  }

  private static func clamped(_ one: Int64, _ other: Int64) -> Int64 {
    Int64(clamping: Int128(one) + Int128(other))
  }
}
