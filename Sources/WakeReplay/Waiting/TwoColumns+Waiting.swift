import Measurement
import WakeEvents
import WakeScheduling

extension TwoColumns {
  /// The table of reasons, and a line for each app and item.
  mutating func describe(_ waiting: ReplayResult.Waiting) {
    let all = waiting.all
    line(
      "Waits",
      "\(all.wakes) ended by a wake, \(all.waitingAtEnd) at the end, with "
        + Quantity.counted(all.saves, "save"))
    for line in all.droppedInWords { more("and " + line) }
    guard all.waited.count > 0 else { return }
    more(ReplayResult.spread(all.waited) { Quantity.duration(nanoseconds: $0) })
    let rows = WaitReason.allCases.compactMap { reason in
      all.reasons[reason.word].map { sums in
        [reason.word]
          + [sums.any, sums.alone, sums.last].map { Quantity.duration(nanoseconds: $0) }
      }
    }
    if !rows.isEmpty { table("Held by", [["", "any", "alone", "last"]] + rows) }
    // Equal ones stay in the order of their names.
    let items = waiting.items.filter { $0.waited.count > 0 }.sorted { $0.total > $1.total }
    for item in items.prefix(ReplayResult.appsShown) {
      more(
        "\(item.name): \(Quantity.counted(item.waited.count, "wait")), "
          + "p50 \(item.percentile("50")), max \(item.percentile(nil))\(item.shares)")
    }
    if items.count > ReplayResult.appsShown {
      more("and \(items.count - ReplayResult.appsShown) more items (--json has them all)")
    }
  }

  /// A table with a row for each line, its first column to the left and the others to the right.
  private mutating func table(_ heading: String, _ rows: [[String]]) {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for (number, row) in rows.enumerated() {
      let cells = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }
      let text = cells.joined(separator: "   ")
      if number == 0 { line(heading, text) } else { more(text) }
    }
  }
}

extension Wait.Ending {
  /// What became of what waited, in words.
  var inWords: String {
    switch self {
    case .deliveredLive: "delivered live at a launch"
    case .disabled: "disabled"
    case .discarded: "discarded as the app ended"
    case .superseded: "superseded by a newer push"
    case .notOverdue: "overdue no more by a new interval"
    }
  }
}

extension ReplayResult.Waiting.Dropped {
  /// What ended in one way without a wake, in words.
  func inWords(_ ending: Wait.Ending) -> String {
    "\(waits) \(ending.inWords) before a wake, with \(Quantity.counted(saves, "save")) and "
      + "\(Quantity.duration(nanoseconds: waited)) of waiting in all"
  }
}

extension ReplayResult.Waiting.Part {
  /// What ended without a wake, a line for each ending.
  var droppedInWords: [String] {
    Wait.Ending.allCases.compactMap { ending in
      dropped?[ending.word].map { $0.inWords(ending) }
    }
  }

  fileprivate var name: String {
    [app, type ?? item].compactMap { $0?.shown }.joined(separator: " ")
  }

  /// All its waiting, in nanoseconds.
  var total: Double { Double(waited.count) * (waited.mean ?? 0) }

  /// A percentile of the waiting, or the longest.
  fileprivate func percentile(_ name: String?) -> String {
    Quantity.duration(nanoseconds: name.map { waited.percentiles[$0] ?? 0 } ?? waited.maximum ?? 0)
  }

  /// The shares of the reasons to which whole waits are given, the largest first.
  fileprivate var shares: String {
    let all = reasons.values.reduce(0) { $0 + Double($1.last) }
    let shares = WaitReason.allCases.compactMap { reason -> (word: String, share: Double)? in
      guard all > 0, let sums = reasons[reason.word], sums.last > 0 else { return nil }
      let share = Double(sums.last) / all
      return share < 0.005 ? nil : (reason.word, share)
    }
    guard !shares.isEmpty else { return "" }
    return ", last held by "
      + shares.sorted { $0.share > $1.share }
      .map { "\($0.word) \(Quantity.percentage($0.share))" }.joined(separator: ", ")
  }
}
