import Measurement
import WakeEvents
import WakeScheduling

extension SweepResult {
  /// The sweep as a table for people, with what follows from it.
  package var text: String {
    let (head, words, rows) = cells
    let table = [head] + rows
    let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    var text = table.map { row in
      let cells = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return words[column] ? text + padding : padding + text
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
    let remarks = sensitivities.map(\.inWords)
    if !remarks.isEmpty { text += "\n" + remarks.map { $0 + "\n" }.joined() }
    text += "\n" + denominators + "\n" + cost.inWords(of: self.rows.count) + "\n"
    return text
  }

  /// The table: heads, which columns are words, and rows.
  var cells: (heads: [String], words: [Bool], rows: [[String]]) {
    var heads = ["ROW"] + parameters.map(\.shown)
    heads += ["WAKES", "A DAY", "EXPIRED", "STOPPED", "P50", "P95", "P99", "MAX"]
    let showsUnlocked = rows.contains { $0.waited != $0.waitedUnlocked }
    if showsUnlocked { heads += ["UNLOCKED P50", "P95", "P99", "MAX"] }
    heads += ["BEHIND", "BOUND", "UNDELIVERED", "DIGEST", "FRONT", "SAME AS"]
    let words = heads.indices.map { (1...parameters.count).contains($0) || $0 >= heads.count - 3 }
    return (heads, words, rows.indices.map { cells($0, showsUnlocked: showsUnlocked) })
  }

  private func cells(_ place: Int, showsUnlocked: Bool) -> [String] {
    let row = rows[place]
    var cells = [String(place + 1)] + row.values.map(\.shown)
    cells += [
      String(row.summary.wakes), wakesPerDay(row).map(Self.rate) ?? "-",
      String(row.summary.expired), String(row.summary.stoppedApps.count),
    ]
    let spreads = showsUnlocked ? [row.waited, row.waitedUnlocked] : [row.waited]
    for (_, value) in spreads.flatMap(\.named) {
      cells.append(value.map { Quantity.duration(nanoseconds: $0) } ?? "-")
    }
    cells += [
      Quantity.duration(nanoseconds: Double(Int64(clamping: row.behind))),
      Quantity.percentage(row.shareOfBound),
      String(row.summary.pendingAtEnd), row.summary.digest.description,
      row.standing.inWords,
    ]
    cells.append(
      row.proof.map { "row \($0.row + 1): \($0.reasons.joined(separator: "; "))" } ?? "")
    return cells
  }

  /// A rate with two decimals.
  private static func rate(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded(.toNearestOrEven))
    return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
  }

  /// What the figures are of.
  package var denominators: String {
    let all = devices == devicesInAll ? "" : ", a sample of \(devicesInAll)"
    return
      "\(Quantity.counted(devices, "device"))\(all), \(Self.rate(deviceDays)) days of devices, "
      + Quantity.counted(rows.first?.summary.inputs ?? 0, "input")
  }
}

extension SweepResult.Standing {
  /// The front, or the number of the row that is better.
  var inWords: String {
    switch self {
    case .onFront: "front"
    case .dominated(let row): "row \(row + 1) is better"
    }
  }
}

extension SweepResult.Cost {
  fileprivate func inWords(of rows: Int) -> String {
    let proved = rows - replayed
    let times = [
      ("decoding", decodeTime), ("scheduling", scheduleTime), ("the bound", boundTime),
    ].map { "\($0.0) \(Quantity.duration(nanoseconds: $0.1))" }.joined(separator: ", ")
    return "\(Quantity.counted(replayed, "row")) replayed in "
      + "\(Quantity.counted(rounds, "pass").replacingSuffix("passs", "passes")), "
      + "\(proved) proved to be the same as another; "
      + "\(Quantity.duration(nanoseconds: elapsed)): \(times)"
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, _ other: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) + other : self
  }
}
