/// Content that is no trace, but of which `rouse import` makes one.
enum ImportableContent: String {
  case appleHealth = "apple-health"
  case jsonLines = "jsonl"

  /// Nil if the first bytes are of nothing that can be imported.
  init?(beginning bytes: some Collection<UInt8>) {
    let text = bytes.prefix(ExpectedContent.prefixLength)
    if ExpectedContent.isAppleHealth(text) {
      self = .appleHealth
    } else if ExpectedContent.isJSON(text), text.contains(#""k""#.utf8) {
      // The key that each input has, unlike a policy or a result.
      self = .jsonLines
    } else {
      return nil
    }
  }

  /// What an error that a file is no trace ends with; empty if its first bytes are of nothing that can be imported.
  static func hint(beginning bytes: some Collection<UInt8>) -> String {
    guard let content = ImportableContent(beginning: bytes) else { return "" }
    return "; `rouse import \(content.rawValue)` makes a trace of it"
  }
}

extension ExpectedContent {
  /// JSON Lines, a policy or a result.
  package static let json = ExpectedContent("JSON") { isJSON($0) }

  /// The document type or the root of `export.xml`, which has a localised name.
  package static let appleHealth = ExpectedContent("an Apple Health export") { isAppleHealth($0) }

  fileprivate static func isJSON(_ bytes: some Collection<UInt8>) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let first = bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
      .first { $0 > UInt8(ascii: " ") }
    return first == UInt8(ascii: "{")
  }

  fileprivate static func isAppleHealth(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.contains("<!DOCTYPE HealthData".utf8) || bytes.contains("<HealthData".utf8)
  }
}
