import Foundation

/// The place of a number that does not fit its field, for which the decoder only reports that the file is not JSON.
enum UnfitNumber {
  /// Fields of whole numbers.
  private static let signed: Set<String> = [
    "schemaVersion", "operations", "count", "upTo", "minimum", "maximum", "round", "processors",
  ]
  /// Fields of whole numbers from 0.
  private static let unsigned: Set<String> = [
    "at", "nanoseconds", "processorNanoseconds", "seed", "memoryBytes",
  ]

  /// The first such number, with its place; nil if there is none, or if the data is not JSON.
  static func find(in data: Data) -> String? {
    guard let value = try? JSONSerialization.jsonObject(with: data) else { return nil }
    return find(in: value, of: "", path: "")
  }

  private static func find(in value: Any, of key: String, path: String) -> String? {
    switch value {
    case let object as [String: Any]:
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        let place = path.isEmpty ? key : "\(path).\(key)"
        if let found = find(in: value, of: key, path: place) { return found }
      }
    case let array as [Any]:
      for (number, value) in array.enumerated() {
        if let found = find(in: value, of: key, path: "\(path)[\(number)]") { return found }
      }
    case let number as NSNumber:
      let fits =
        signed.contains(key)
        ? Int64(exactly: number) != nil : !unsigned.contains(key) || UInt64(exactly: number) != nil
      if !fits { return "\(path): \(number) is no whole number that fits" }
    default: break
    }
    return nil
  }
}
