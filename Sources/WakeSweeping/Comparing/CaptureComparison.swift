import Measurement
import WakeEvents
import WakeJSON
package import WakeScheduling
package import WakeTrace

/// Compares two captures, of other days or devices, by rates per subscribed hour.
package struct CaptureComparison: Sendable {
  package struct App: Sendable {
    package var app: String
    /// Days of devices on which the app had a subscription, on each side.
    package var days: (first: Int, second: Int)
    /// Wakes while the app had no subscription, on each side: they are in no rate.
    package var outside: (first: Int, second: Int)
    /// By what is counted; of no use if the app had no subscription on both sides.
    package var rates: [(what: String, rate: RateRatio)]
  }

  /// What one side is.
  package struct Side: Sendable {
    package var file: String
    package var devices: Int
    package var inputs: Int
    package var digest: Digest
  }

  package var first: Side
  package var second: Side
  /// Of both sides, sorted by name.
  package var apps: [App]

  /// Replays both captures under a policy and compares.
  package init(
    _ first: TraceFile, _ second: TraceFile, _ policy: Policy, accelerations: Accelerations
  ) throws(TraceError) {
    let one = try SubscribedDays([first], policy, accelerations)
    let other = try SubscribedDays([second], policy, accelerations)
    self.first = Side(
      file: first.name, devices: one.devices, inputs: one.inputs, digest: one.digest)
    self.second = Side(
      file: second.name, devices: other.devices, inputs: other.inputs, digest: other.digest)
    let names = [one, other].reduce(into: Set<ExactName>()) { names, side in
      names.formUnion(side.days.keys)
      names.formUnion(side.outside.keys.filter { side.outside[$0] != 0 })
    }
    apps = names.sorted().map { name in
      let days = (one.days[name] ?? DaySums(), other.days[name] ?? DaySums())
      func rate(_ count: (SubscribedDays.Day) -> Int) -> RateRatio {
        RateRatio(
          days.0.runs.map { (count($0), Double($0.subscribed) / 3_600e9) },
          days.1.runs.map { (count($0), Double($0.subscribed) / 3_600e9) })
      }
      return App(
        app: name.string, days: (days.0.days, days.1.days),
        outside: (one.outside[name] ?? 0, other.outside[name] ?? 0),
        rates: [
          ("wakes", rate(\.wakes)), ("expired", rate(\.expired)), ("saves", rate(\.saves)),
        ])
    }
  }

  /// The comparison for people.
  package var text: String {
    var rows = [
      ["APP", "", "A", "HOURS A", "A AN HOUR", "B", "HOURS B", "B AN HOUR", "RATIO", "95 %", ""]
    ]
    for app in apps {
      if app.days != (0, 0) {
        for (what, rate) in app.rates { rows.append([app.app.shown, what] + rate.cells) }
      }
      if app.outside != (0, 0) {
        let (one, other) = (String(app.outside.first), String(app.outside.second))
        rows.append([
          app.app.shown, "outside", one, "-", "-", other, "-", "-", "-", "-", "not compared",
        ])
      }
    }
    var text = TextTable.text(rows) + "\n"
    for (name, side) in [("A", first), ("B", second)] {
      text +=
        "\(name): \(side.file.shown), \(Quantity.counted(side.inputs, "input")) of "
        + "\(Quantity.counted(side.devices, "device")), digest \(side.digest)\n"
    }
    for app in apps {
      text +=
        "\(app.app.shown): \(Quantity.counted(app.days.first, "day")) of devices in A, "
        + "\(app.days.second) in B\n"
    }
    if apps.contains(where: { $0.outside != (0, 0) }) {
      text += "outside: wakes while the app had no subscription, which are in no rate\n"
    }
    return text
  }

  /// Whether a rate is known to be greater or less in one of them.
  package var differs: Bool {
    apps.contains { $0.rates.contains { $0.rate.verdict != .cannotTell } }
  }

  /// The comparison as JSON.
  package var json: String {
    var json = JSONWriter(.indented)
    json.object { json in
      json.key("apps")
      json.array(apps) { json, app in
        json.object { json in
          json.member("app", app.app)
          json.member("daysOfA", app.days.first)
          json.member("daysOfB", app.days.second)
          json.member("outsideOfA", app.outside.first)
          json.member("outsideOfB", app.outside.second)
          json.member("rates") { json in
            for (what, rate) in app.rates {
              json.key(escaping: what)
              json.object { json in rate.write(to: &json) }
            }
          }
        }
      }
      for (key, side) in [("a", first), ("b", second)] {
        json.key(escaping: key)
        json.object { json in
          json.member("devices", side.devices)
          json.member("digest", side.digest.description)
          json.member("file", side.file)
          json.member("inputs", side.inputs)
        }
      }
    }
    return json.text
  }
}

extension RateRatio {
  fileprivate var cells: [String] {
    func rate(_ side: (count: Int, hours: Double)) -> [String] {
      [
        String(side.count), Self.shown(side.hours),
        side.hours > 0 ? Self.shown(Double(side.count) / side.hours) : "-",
      ]
    }
    return rate(first) + rate(second) + [
      ratio.map(Self.shown) ?? "-",
      interval.map(Self.shown) ?? "-",
      verdict.rawValue,
    ]
  }

  private static func shown(_ interval: ClosedRange<Double>) -> String {
    interval.upperBound.isFinite
      ? "\(shown(interval.lowerBound)) to \(shown(interval.upperBound))"
      : "from \(shown(interval.lowerBound))"
  }

  /// A number with three decimals at the most.
  private static func shown(_ value: Double) -> String {
    let thousandths = (value * 1_000).rounded(.toNearestOrEven) / 1_000
    let text = thousandths.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  fileprivate func write(to json: inout JSONWriter) {
    json.member("countOfA", first.count)
    json.member("countOfB", second.count)
    json.member("hoursOfA", first.hours)
    json.member("hoursOfB", second.hours)
    if let interval {
      json.member("from", interval.lowerBound)
      if interval.upperBound.isFinite { json.member("to", interval.upperBound) }
    }
    if let ratio { json.member("ratio", ratio) }
    json.member("verdict", verdict.rawValue)
  }
}
