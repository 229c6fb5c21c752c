import WakeEvents
import WakeImport
import WakeScheduling

extension RulesCheck.Finding {
  /// The finding for people: the rule, the inputs as JSON Lines, the policy, and both logs side by side.
  package var text: String {
    var text = """
      departs from rule \(rule): \(reason)
      found in \(origin), \(size)\(way)

      inputs (JSON Lines):
      \(inputs)
      policy:
      \(policy.json(preset: "ios"))

      """
    if let count {
      text += "all wakes are equal; \(count.key) is \(count.expected) by the rules, "
      text += "and \(count.found) of the scheduler\n"
      return text
    }
    let rows = logs
    let width = max(24, rows.map(\.0.count).max() ?? 0)
    func row(_ mark: String, _ left: String, _ right: String) -> String {
      let padding = String(repeating: " ", count: width - left.count)
      return "\(mark) \(left)\(padding) | \(right)\n"
    }
    text += row(" ", "BY THE RULES", "BY THE SCHEDULER")
    for (left, right) in rows { text += row(left == right ? " " : "!", left, right) }
    return text
  }

  private var size: String {
    let inputs = "\(events.count) input\(events.count == 1 ? "" : "s")"
    return isShrunk ? "shrunk to \(inputs)" : "\(inputs), not shrunk"
  }

  /// How the inputs were given, if that matters.
  private var way: String {
    switch feeding {
    case .mixed: ""
    case .ordered: ", where saves in order are given with ROUSE_ROWS_ORDERED"
    case .paced: ", where inputs are given one by one"
    }
  }

  /// The inputs as lines of a file.
  package var inputs: String {
    var writer = JSONLinesWriter(symbols: symbols)
    var bytes: [UInt8] = []
    for event in events { writer.append(event, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The wakes of both, those of the same app and time in the same row.
  private var logs: [(String, String)] {
    var rows: [(String, String)] = []
    var (left, right) = (expected[...], found[...])
    while let one = left.first ?? right.first {
      let (first, second) = (left.first ?? one, right.first ?? one)
      let isSame =
        left.first != nil && right.first != nil && first.wake.time == second.wake.time
        && first.wake.app == second.wake.app && first.device == second.device
      if isSame {
        rows.append((line(left.removeFirst()), line(right.removeFirst())))
      } else if right.isEmpty || (!left.isEmpty && first.wake.time <= second.wake.time) {
        rows.append((line(left.removeFirst()), "-"))
      } else {
        rows.append(("-", line(right.removeFirst())))
      }
    }
    return rows
  }

  /// A wake in a line: when, who, what it carries, how it ended.
  private func line(_ item: HostedRun.DeviceWake) -> String {
    let wake = item.wake
    let device = symbols.devices.name(of: item.device)
    var words = [wake.time.iso8601, symbols.apps.name(of: wake.app).shown]
    if !device.isEmpty { words.append("on \(device.shown)") }
    let types = wake.types.map { symbols.types.name(of: $0).shown }
    if !types.isEmpty { words.append("\(types.joined(separator: ",")) (\(wake.saves))") }
    if let push = wake.push { words.append("push \(push.shown)") }
    if wake.refresh { words.append("refresh") }
    words.append(wake.outcome.word + (wake.end.map { " at \($0.iso8601)" } ?? ""))
    return words.joined(separator: " ")
  }
}
