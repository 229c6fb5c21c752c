import Measurement
import WakeEvents
import WakeScheduling

extension WakeDiff {
  /// The diff for people, in parts, as a million differences are long.
  package var text: some Sequence<String> {
    let head = differences.count == 1 ? "The first difference:\n" : "The first differences:\n"
    let lines = differences.lazy.map { "  \(inWords($0))\n" }
    return [
      AnySequence(differences.isEmpty ? [] : [head]), AnySequence(lines),
      AnySequence([differences.isEmpty ? table : "\n" + table]),
    ].joined()
  }

  private var table: String {
    var text = ""
    let (one, other) = (labels.first.uppercased(), labels.second.uppercased())
    var rows = [
      [
        "APP", one, other, "SAME", "OTHER ITEMS", "OTHER DETAILS", "EARLIER", "LATER",
        "MEAN SHIFT", "MISSING", "EXTRA",
      ]
    ]
    for (app, counts) in apps { rows.append([app.shown] + counts.cells) }
    if apps.count != 1 { rows.append(["all"] + all.cells) }
    text += TextTable.text(rows)
    if let reasons, reasons.count + unwaited > 0 {
      let held = reasons.map { [$0.reason.word, String($0.wakes)] }
      let rest = unwaited > 0 ? [["nothing waited", String(unwaited)]] : []
      text +=
        "\nWhat the rules held back, of wakes that came earlier or are extra:\n"
        + TextTable.text([["REASON", "WAKES"]] + held + rest)
    }
    text += "\n"
    for (count, label) in [(devices.firstOnly, labels.first), (devices.secondOnly, labels.second)]
    where count > 0 {
      text += "\(Quantity.counted(count, "device")) with wakes in \(label) alone\n"
    }
    if unwatchedDevices > 0 {
      text += "\(Quantity.counted(unwatchedDevices, "device")) without an observation left out\n"
    }
    text +=
      isSame
      ? "the same: \(Quantity.counted(all.same, "wake"))\n"
      : "\(Quantity.counted(all.different, "difference")), \(all.same) the same\n"
    return text
  }

  private func inWords(_ difference: Difference) -> String {
    let who =
      (difference.device.isEmpty ? "" : difference.device.shown + ": ") + difference.app.shown
    let other =
      difference.fields.isEmpty ? "" : "; other " + difference.fields.joined(separator: ", ")
    switch (difference.what, difference.first, difference.second) {
    case (.moved, let first?, let second?):
      let shift = second.time.nanoseconds - first.time.nanoseconds
      let by = Quantity.duration(nanoseconds: shift.magnitude)
      let way = shift > 0 ? "later" : "earlier"
      return "\(who): \(first.time.iso8601) moved to \(second.time.iso8601), \(by) \(way)\(other)"
        + held(difference, isEarlier: shift < 0)
    case (.missing, let first?, _):
      return "\(who): \(first.time.iso8601) in \(labels.first) alone\(listed(first, or: ""))"
    case (.extra, _, let second?):
      return "\(who): \(second.time.iso8601) in \(labels.second) alone\(listed(second, or: ""))"
        + held(difference, isEarlier: true)
    case (.otherItems, let first?, let second?) where first.types != second.types:
      return "\(who): \(first.time.iso8601)\(listed(first)) in \(labels.first),\(listed(second)) "
        + "in \(labels.second)"
    case (_, let first?, _): return "\(who): \(first.time.iso8601)\(other)"
    default: return who
    }
  }

  private func listed(_ side: Side, or nothing: String = " with no types") -> String {
    if side.types.isEmpty { return nothing }
    let more = side.types.count > 3 ? " and \(side.types.count - 3) more" : ""
    return " with " + side.types.prefix(3).map(\.shown).joined(separator: ", ") + more
  }

  private func held(_ difference: Difference, isEarlier: Bool) -> String {
    if let reasons = difference.reasons {
      return reasons.isEmpty
        ? "; nothing waited by the rules"
        : "; the rules held it back: " + reasons.map(\.word).joined(separator: ", ")
    }
    return reasons == nil || isEarlier ? "" : "; by the rules nothing held it"
  }
}

extension WakeDiff.Counts {
  fileprivate var cells: [String] {
    let mean = moved == 0 ? nil : Double(shift) / Double(moved)
    return [first, second, same, otherItems, otherDetails, earlier, later].map(String.init)
      + [mean.map { Quantity.duration(nanoseconds: $0) } ?? "-", String(missing), String(extra)]
  }
}
