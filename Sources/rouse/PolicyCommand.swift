import CommandLineSupport
import WakeEvents
import WakeImport
import WakeJSON
import WakeScheduling

enum PolicyCommand: Command {
  static let specification = Specification(
    name: "policy",
    summary: "List the keys of a policy with their defaults, ranges and sources.",
    operands: "keys",
    operandCount: 1...1,
    discussion: """
      A policy is a JSON object for 'rouse replay --policy' (see the page Rules, "Policy"). A default
      of '{…}' is an object: its keys have rows of their own, and caps are listed below. A default of
      '-' is none: the key's object is null or absent in that preset, or the key is required. Source:
      D is Apple's documentation, R is reported by developers, P is our choice.
      """,
    options: [.init("--json", "Print JSON: an array of an object for each key.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    guard arguments.operands == ["keys"] else {
      throw arguments.usage("'\(arguments.operands[0])' is not keys")
    }
    try Console.print(arguments.has("--json") ? json : table)
    return .success
  }

  private static var table: String {
    var rows = [["KEY", "IOS", "WATCHOS", "VALUES", "SOURCE", "MEANING"]]
    for key in PolicyKey.all {
      rows.append([
        key.path, plain(key.standardText(in: .iOS)), plain(key.standardText(in: .watchOS)),
        key.values + (key.unit.map { " \($0)" } ?? ""), key.source.rawValue, key.meaning,
      ])
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      zip(row, widths).dropLast().map { cell, width in
        cell + String(repeating: " ", count: width - cell.count + 2)
      }.joined() + row[row.count - 1] + "\n"
    }
    return lines.joined() + caps("ios", .iOS) + caps("watchos", .watchOS)
  }

  /// A default in a cell; objects are listed below.
  private static func plain(_ json: String?) -> String {
    guard let json else { return "-" }
    if json.hasPrefix("{") { return "{…}" }
    return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
  }

  /// The caps of a preset, a line each.
  private static func caps(_ name: String, _ policy: Policy) -> String {
    let caps = policy.caps.sorted { $0.key < $1.key }
    return "\ncaps of \(name):\n"
      + caps.map { "  \($0.key.string)  \($0.value.word)\n" }.joined()
  }

  private static var json: String {
    var json = JSONWriter(.indented)
    json.array(PolicyKey.all) { json, key in
      json.object { json in
        if let text = key.standardText(in: .iOS) { json.member("ios", text: Array(text.utf8)) }
        json.member("key", key.path)
        json.member("meaning", key.meaning)
        json.member("source", key.source.rawValue)
        if let unit = key.unit { json.member("unit", unit) }
        json.member("values", key.values)
        if let text = key.standardText(in: .watchOS) {
          json.member("watchos", text: Array(text.utf8))
        }
      }
    }
    return json.text
  }
}
