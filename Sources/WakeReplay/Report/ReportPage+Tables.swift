import Measurement
import PageDrawing
import WakeEvents
import WakeScheduling

extension ReportPage {
  /// Why wakes came no sooner, all together.
  var waiting: String {
    let all = result.waiting?.all
    let dropped = (all?.droppedInWords ?? []).map { "<p>And \($0).</p>\n" }.joined()
    guard let all, all.waited.count > 0 else {
      let none = "<p>No wake ended a wait, and nothing waited at the end.</p>\n"
      return "<section id=\"waiting\"><h2>Why not sooner</h2>\(none)\(dropped)</section>\n"
    }
    let total = Int64(clamping: Int128(all.total))
    let rows = WaitReason.allCases.compactMap { reason -> [String]? in
      guard let sums = all.reasons[reason.word] else { return nil }
      return [
        "<span class=\"key r\(reason.rawValue)\"></span> \(reason.word)",
        Self.share(sums.any, of: total), Self.share(sums.alone, of: total),
        Self.share(sums.last, of: total),
      ]
    }
    let bars = [
      ("last", "each wait whole, by its last reason", ReasonBar(all) { $0.last }),
      ("alone", "the time in which one reason held", ReasonBar(all, of: total) { $0.alone }),
      (
        "any", "all the time in which a reason held, each in a row, as these overlap",
        ReasonBar(all, of: total, inRows: true) { $0.any }
      ),
    ].map { name, text, bar in
      "<figure id=\"\(name)\"><figcaption><b>\(name)</b>: \(text)</figcaption>\(bar.element)</figure>\n"
    }
    return """
      <section id="waiting">
      <h2>Why not sooner</h2>
      <p>\(Self.counted(all.waited.count, "wait")), \(Self.duration(total)) in all\(all.longestReason.map {
        "; <b>\($0)</b> held longest" } ?? ""). Half of them waited at most \
      \(Self.duration(all.waited.percentiles["50"])), one in a hundred more than \
      \(Self.duration(all.waited.percentiles["99"])), the longest \(Self.duration(all.waited.maximum)).</p>
      \(dropped)\
      \(bars.joined())\(Self.table(["Reason", "Any", "Alone", "Last"], rows, caption: "Reasons"))</section>

      """
  }

  private static func share(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return duration(part) }
    return "\(duration(part)) <small>\(Quantity.percentage(Double(part) / Double(whole)))</small>"
  }

  /// The apps, all devices together.
  var apps: String {
    let found = Dictionary(
      (result.bounds?.apps ?? []).map { (ExactName($0.app), $0) },
      uniquingKeysWith: { one, _ in one })
    let rows = result.apps.sorted { $0.wakes > $1.wakes }.map { app in
      let bounds = found[ExactName(app.app)]
      return [HTML.escaped(app.app.shown)]
        + [
          app.wakes, app.completed, app.expired, app.aborted, app.open, app.saves,
          app.pendingAtEnd, app.stoppedOnDevices,
        ].map { Quantity.count($0) }
        + [
          Self.duration(bounds?.behind), Self.duration(bounds?.leastBehind),
          bounds.map { Quantity.count($0.fewestWakes) } ?? "–",
        ]
    }
    let heads = [
      "App", "Wakes, all", "Completed", "Expired", "Aborted", "Open", "Saves carried",
      "Pending at the end", "Stopped on devices", "Behind", "Least behind",
      "Fewest wakes with a type",
    ]
    return """
      <section id="apps">
      <h2>Apps</h2>
      \(Self.table(heads, rows, caption: "Apps"))</section>

      """
  }

  /// What waited, by app and type.
  var types: String {
    let items = (result.waiting?.items ?? []).filter { $0.waited.count > 0 }
      .sorted { $0.total > $1.total }
    let rows = items.map { item in
      [
        Self.typeName(item.type ?? item.item ?? ""), HTML.escaped((item.app ?? "").shown),
        Quantity.count(item.saves), Quantity.count(item.wakes), Quantity.count(item.waitingAtEnd),
        Self.duration(item.waited.percentiles["50"]), Self.duration(item.waited.percentiles["99"]),
        Self.duration(item.waited.maximum), item.longestReason ?? "–",
        ReasonBar(item, width: 150) { $0.last }.element,
      ]
    }
    let heads = [
      "Type", "App", "Saves that waited", "Waits ended by wakes", "Waits at the end", "p50", "p99",
      "Longest", "Held longest by",
      "Waits by their last reason",
    ]
    return """
      <section id="types">
      <h2>Types</h2>
      \(Self.table(heads, rows, caption: "Types"))</section>

      """
  }

  /// The days in UTC, or months or years where there are too many.
  var days: String {
    var (unit, length) = ("Day", 10)
    var days = groupedDays(length)
    for (next, shorter) in [("Month", 7), ("Year", 4)] where days.count > Self.mostRows {
      (unit, length) = (next, shorter)
      days = groupedDays(length)
    }
    let rows = days.map { name, day in
      let wakes = day.outcomes.reduce(0, +)
      return [name]
        + ([wakes] + day.outcomes + [day.saves]).map { Quantity.count($0) }
        + [
          Self.duration(day.meanWaited), Self.duration(day.meanWaited.map { _ in day.longest }),
        ]
    }
    let heads =
      ["\(unit) (UTC)", "Wakes"] + WakeOutcome.allCases.map(\.word.capitalized)
      + ["Saves carried", "Oldest save waited, mean", "Longest"]
    return """
      <section id="days">
      <h2>\(unit)s</h2>
      \(Self.table(heads, rows, caption: "\(unit)s"))</section>

      """
  }

  /// Days by so many characters of their date.
  private func groupedDays(_ length: Int) -> [(String, TimelineObserver.Day)] {
    var groups: [(String, TimelineObserver.Day)] = []
    for (number, day) in report.findings.days.sorted(by: { $0.key < $1.key }) {
      let date = Timestamp(nanoseconds: number &* 86_400_000_000_000).iso8601.prefix(length)
      if groups.last?.0 == String(date) {
        groups[groups.count - 1].1.add(day)
      } else {
        groups.append((String(date), day))
      }
    }
    return groups
  }

  /// What the words mean.
  var about: String {
    """
    <section id="about">
    <h2>The words</h2>
    <dl>
    <dt>wait</dt><dd>what was saved for an app, a push or a refresh, from its beginning to the wake that carried it for good \
    (page Rules, 9)</dd>
    <dt>any, alone, last</dt><dd>all the time in which a reason held; that in which no other held; whole waits by the first \
    reason of their last stretch</dd>
    <dt>wakes, all; with a type</dt><dd>a wake may carry only a push or a refresh: then it carries no type, and the figures of \
    “behind” do not count it</dd>
    <dt>saves carried; that waited</dt><dd>saves and deletes, counted at each wake that carries them, also where they come back \
    and are carried again; counted once, with those that still wait at the end</dd>
    <dt>behind</dt><dd>the time in which something was owed to an app; at least so long with as many wakes, and the fewest \
    wakes with which it would be no longer (page Rules, 10)</dd>
    </dl>
    </section>

    """
  }
}

extension ReplayResult.Waiting.Part {
  /// The reason that held longest, with others or not.
  var longestReason: String? {
    WaitReason.allCases.filter { reasons[$0.word] != nil }
      .max { (reasons[$0.word]?.any ?? 0) < (reasons[$1.word]?.any ?? 0) }?.word
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
