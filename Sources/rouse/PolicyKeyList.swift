import WakeEvents
import WakeImport
import WakeJSON
import WakeScheduling

/// The keys of a policy with their defaults, as 'rouse policy keys' prints them.
enum PolicyKeyList {
  /// The table for people.
  static var table: String {
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

  /// An array of an object for each key.
  static var json: String {
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
