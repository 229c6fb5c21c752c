import Measurement
import WakeEvents
import WakeReplay
import WakeScheduling

extension PolicyComparison {
  /// The comparison for people.
  package var text: String {
    var rows = [
      ["APP", "P", "Q", "SAME", "CHANGED", "EARLIER", "LATER", "MEAN SHIFT", "ONLY P", "ONLY Q"]
    ]
    for (app, counts) in apps { rows.append([app.shown] + counts.comparedCells) }
    if apps.count != 1 { rows.append(["all"] + all.comparedCells) }
    var text = TextTable.text(rows)
    let reasons = reasons.map { gain in
      [gain.reason]
        + [
          gain.first.last, gain.second.last, gain.second.last - gain.first.last,
        ].map { Quantity.duration(nanoseconds: $0) }
    }
    if !reasons.isEmpty {
      text +=
        "\nWaiting, each wait given to what held it last:\n"
        + TextTable.text([["REASON", "P", "Q", "Q LESS P"]] + reasons)
    }
    if !examples.isEmpty {
      text += "\nThe first differences:\n"
      for example in examples { text += "  \(example.inWords)\n" }
    }
    text +=
      "\n\(Quantity.counted(inputs, "input")) of \(Quantity.counted(devices, "device")); digest P "
      + "\(digests.first), Q \(digests.second)"
      + (isSame ? ": the same wakes\n" : "\n")
    return text
  }

  /// Whether the wakes are the same.
  package var isSame: Bool { all.same == all.first && all.same == all.second }
}

extension WakeDiff.Counts {
  fileprivate var comparedCells: [String] {
    let mean = moved == 0 ? nil : Double(shift) / Double(moved)
    return [first, second, same, changed, earlier, later].map(String.init)
      + [mean.map { Quantity.duration(nanoseconds: $0) } ?? "-", String(missing), String(extra)]
  }
}

extension PolicyComparison.Example {
  fileprivate var inWords: String {
    let who = (device.isEmpty ? "" : device.shown + ": ") + app.shown
    return switch (first, second) {
    case (let first?, let second?) where first == second:
      "\(who): at \(first.iso8601) with other contents or another end"
    case (let first?, let second?):
      "\(who): \(first.iso8601) moved to \(second.iso8601), by "
        + Quantity.duration(nanoseconds: second.nanoseconds - first.nanoseconds)
    case (let first?, nil): "\(who): \(first.iso8601) under P alone"
    case (nil, let second?): "\(who): \(second.iso8601) under Q alone"
    case (nil, nil): who
    }
  }
}

/// Text in columns, the first to the left and the others to the right.
enum TextTable {
  static func text(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}
