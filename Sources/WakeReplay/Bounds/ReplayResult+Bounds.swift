import WakeEvents
import WakeJSON
import WakeScheduling

extension ReplayResult {
  /// How far the wakes are from the best (page Rules, 10.6), app by app.
  public struct Bounds: Hashable, Sendable {
    /// The figures of an app, added up over devices. Sums of times stay at the greatest `Int64`.
    public struct App: Hashable, Sendable {
      /// The bundle identifier.
      public var app: String
      /// Wakes that carried a type.
      public var wakes = 0
      /// Nanoseconds for which something was owed to the app.
      public var behind: Int64 = 0
      /// The least of them with as many wakes, however they are spread.
      public var leastBehind: Int64 = 0
      /// The fewest wakes with which the app would be behind for no longer.
      public var fewestWakes = 0
      /// The fewest wakes with which nothing is owed beyond a deadline.
      public var fewestWakesWithin: [Within] = []
      /// Points of the curve of which ``leastBehind`` is one; empty unless asked for, and no part of the JSON.
      public var curve: [CurvePoint] = []
    }

    /// The fewest wakes within a deadline.
    public struct Within: Hashable, Sendable {
      /// The deadline in seconds.
      public var seconds: Int
      /// The fewest wakes with which nothing is owed beyond it.
      public var wakes: Int
    }

    /// The least time behind with so many wakes on all devices together, spread as is best.
    public struct CurvePoint: Hashable, Sendable {
      /// Wakes on all devices together.
      public var wakes: Int
      /// Nanoseconds.
      public var leastBehind: Int64
    }

    /// Apps with an arrival or a wake that carried a type, by the UTF-8 bytes of their names.
    public var apps: [App]

    /// The deadlines in seconds for which the page asks.
    public static let usualDeadlines = [60, 300, 900, 3_600, 14_400, 86_400]
  }
}

extension ReplayResult.Bounds {
  init(_ tally: BoundsTally, _ symbols: Symbols, _ asked: ReplayOptions.Bounds) {
    apps = tally.sums.enumerated().filter(\.element.isPresent).map { place, sums in
      App(
        app: symbols.apps.name(of: WakeEvents.App(index: UInt32(place))), wakes: sums.wakes,
        behind: sums.behind, leastBehind: sums.leastBehind, fewestWakes: sums.fewestWakes,
        fewestWakesWithin: zip(asked.deadlines, sums.fewestWakesWithin).map {
          Within(seconds: $0, wakes: $1)
        },
        curve: asked.keepsCurve ? Self.curve(sums) : [])
    }
    sort()
  }

  private mutating func sort() {
    apps.sort { $0.app.precedes($1.app) }
  }

  /// From no wake to as many as there are gains: a point for each cell of gains, the greatest first. Each is exact, as
  /// whole cells are; the curve between two of them is convex.
  private static func curve(_ sums: BoundsTally.Sums) -> [CurvePoint] {
    var wakes = 0
    var rest = sums.gaps
    var points = [CurvePoint(wakes: 0, leastBehind: Int64(clamping: rest))]
    for (_, cell) in sums.gains.sorted(by: { $0.key > $1.key }) {
      wakes += cell.count
      rest -= cell.sum
      points.append(CurvePoint(wakes: wakes, leastBehind: Int64(clamping: rest)))
    }
    return points
  }

  /// Makes bounds of apps in any order.
  init(sorting apps: [App]) {
    self.apps = apps
    sort()
  }

  func isPlausible(upTo limit: Int) -> Bool {
    apps.allSatisfy { app in
      ([app.wakes, app.fewestWakes] + app.fewestWakesWithin.map(\.wakes))
        .allSatisfy((0...limit).contains)
        && app.behind >= 0 && app.leastBehind >= 0
        // Only the same deadlines may be added up with those of other files.
        && app.fewestWakesWithin.map(\.seconds) == Self.usualDeadlines
    }
  }
}

extension ReplayResult.Bounds.App {
  /// The figures of no device, with another one's deadlines.
  init(like other: Self) {
    app = other.app
    fewestWakesWithin = other.fewestWakesWithin.map { .init(seconds: $0.seconds, wakes: 0) }
  }

  /// Adds the figures of other devices with the same deadlines.
  mutating func add(_ other: Self) {
    wakes += other.wakes
    behind.addClamped(other.behind)
    leastBehind.addClamped(other.leastBehind)
    fewestWakes += other.fewestWakes
    for place in fewestWakesWithin.indices {
      fewestWakesWithin[place].wakes += other.fewestWakesWithin[place].wakes
    }
    // A point of one is none of the other.
    curve = []
  }
}

// MARK: - JSON

extension ReplayResult.Bounds {
  /// The object of page Rules, 10.6, as JSON, with a newline at its end.
  public var json: String {
    var json = JSONWriter(.indented)
    json.object(write)
    return json.text
  }

  /// Keys are sorted, deadlines by their length.
  func write(to json: inout JSONWriter) {
    for app in apps {
      json.key(escaping: app.app)
      json.object { json in
        json.member("behind", app.behind)
        json.member("fewestWakes", app.fewestWakes)
        json.member("fewestWakesWithin") { json in
          for within in app.fewestWakesWithin {
            json.key(escaping: String(within.seconds))
            json.value(within.wakes)
          }
        }
        json.member("leastBehind", app.leastBehind)
        json.member("wakes", app.wakes)
      }
    }
  }

  /// The curves of all apps as JSON Lines.
  public var curveLines: String {
    var json = JSONWriter(.line)
    for app in apps {
      for point in app.curve {
        json.object { json in
          json.member("app", app.app)
          json.member("leastBehind", point.leastBehind)
          json.member("wakes", point.wakes)
        }
        json.bytes.append(UInt8(ascii: "\n"))
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

/// An object by app name; of each app an object with the deadlines by their seconds.
extension ReplayResult.Bounds: Codable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Figures: Codable {
    var wakes: Int
    var behind: Int64
    var leastBehind: Int64
    var fewestWakes: Int
    var fewestWakesWithin: [String: Int]
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    apps = try container.allKeys.map { key in
      let figures = try container.decode(Figures.self, forKey: key)
      let within = try figures.fewestWakesWithin.map { name, wakes in
        guard let seconds = Int(name) else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "'\(name)' is not whole seconds")
        }
        return Within(seconds: seconds, wakes: wakes)
      }
      return App(
        app: key.stringValue, wakes: figures.wakes, behind: figures.behind,
        leastBehind: figures.leastBehind, fewestWakes: figures.fewestWakes,
        fewestWakesWithin: within.sorted { $0.seconds < $1.seconds })
    }
    sort()
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for app in apps {
      let within = app.fewestWakesWithin.map { (String($0.seconds), $0.wakes) }
      let figures = Figures(
        wakes: app.wakes, behind: app.behind, leastBehind: app.leastBehind,
        fewestWakes: app.fewestWakes,
        fewestWakesWithin: Dictionary(within) { first, _ in first })
      try container.encode(figures, forKey: Key(stringValue: app.app))
    }
  }
}
