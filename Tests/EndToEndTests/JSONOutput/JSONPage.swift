import Foundation
import WakeTestSupport

/// The tables of the page "JSON output": what it says that each command prints.
struct JSONPage {
  /// A key, of which there may be many in an output.
  struct Key {
    /// Member names, `[]` for an element of an array, capitals for a name that is found at run time.
    var path: [String]
    var unit: String
    /// Where it stands: its table and its path there.
    var origin: String

    func matches(_ other: [String]) -> Bool {
      guard unit == "any" ? path.count <= other.count : path.count == other.count else {
        return false
      }
      return zip(path, other).allSatisfy { pattern, name in
        pattern == name || pattern.count > 1 && pattern.allSatisfy(\.isUppercase)
      }
    }
  }

  /// By heading.
  private var tables: [String: [Key]] = [:]
  /// The headings of outputs, not of the objects within them.
  private(set) var outputs: [String] = []

  init() throws {
    let path = "Sources/WakeReplay/WakeReplay.docc/JSONOutput.md"
    let text = try String(contentsOf: PackageFolder.root.appending(path: path), encoding: .utf8)
    var heading = ""
    var isTable = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") { heading = line.drop { $0 == "#" || $0 == " " }.lowercased() }
      if line == "| key | unit | meaning |" {
        isTable = true
        tables[heading] = []
      }
      if !line.hasPrefix("|") { isTable = false }
      guard isTable, line.hasPrefix("| `") else {
        if line.hasPrefix("## ") { outputs.append(heading) }
        continue
      }
      let cells = line.components(separatedBy: " | ")
      let spans = cells[0].components(separatedBy: "`")
      for span in spans.indices where span % 2 == 1 {
        tables[heading]?.append(
          Key(
            path: Self.path(spans[span]), unit: cells[1], origin: "\(heading): \(spans[span])"))
      }
    }
    outputs.removeAll { tables[$0] == nil }
  }

  private static func path(_ text: String) -> [String] {
    text.split(separator: ".").flatMap { part in
      part.hasSuffix("[]")
        ? [String(part.dropLast(2)), "[]"].filter { !$0.isEmpty } : [String(part)]
    }
  }

  /// The keys of an output, those of the objects within it included.
  func keys(of heading: String) -> [Key] {
    (tables[heading] ?? []).flatMap { key in
      guard key.unit.hasPrefix("→ ") else { return [key] }
      return keys(of: String(key.unit.dropFirst(2))).map { inner in
        Key(path: key.path + inner.path, unit: inner.unit, origin: inner.origin)
      }
    }
  }

  /// Where all keys stand.
  var origins: Set<String> {
    Set(tables.values.joined().filter { !$0.unit.hasPrefix("→ ") }.map(\.origin))
  }
}

extension JSONValue {
  /// The values that are neither objects nor arrays, with their paths.
  var leaves: [(path: [String], value: JSONValue)] {
    switch self {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { name, value in
        value.leaves.map { ([name] + $0.path, $0.value) }
      }
    case .array(let elements): elements.flatMap { $0.leaves.map { (["[]"] + $0.path, $0.value) } }
    default: [([], self)]
    }
  }
}
