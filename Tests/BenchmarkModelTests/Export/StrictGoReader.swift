/// Go's benchmark text, read as its format says (golang.org/design/14313-benchmark-format, and what
/// golang.org/x/perf/benchfmt adds: units), with nothing passed over.
struct StrictGoReader {
  struct Result: Equatable {
    var name: String
    var iterations: Int
    /// By unit.
    var values: [String: Double]
    /// The configuration that stood before it.
    var configuration: [String: String]
  }

  private(set) var results: [Result] = []
  /// By unit.
  private(set) var units: [String: [String: String]] = [:]
  private var configuration: [String: String] = [:]

  /// What a line breaks.
  struct Breach: Error, CustomStringConvertible {
    var description: String
  }

  init(_ text: String) throws {
    guard text.utf8.last == 10 else { throw Breach(description: "the last line has no end") }
    for line in text.unicodeScalars.split(separator: "\n") { try read(String(line)) }
  }

  private mutating func read(_ line: String) throws {
    func breach(_ reason: String) -> Breach { Breach(description: "\(reason): '\(line)'") }
    // White space is what Unicode says.
    let fields = line.unicodeScalars.split { $0.properties.isWhitespace }.map(String.init)
    if line.hasPrefix("Benchmark") {
      let name = fields[0].dropFirst("Benchmark".count)
      guard let first = name.unicodeScalars.first, !first.properties.isLowercase else {
        throw breach("the name goes on with a lower-case letter, or not at all")
      }
      guard fields.count >= 4, fields.count.isMultiple(of: 2) else {
        throw breach("\(fields.count) fields")
      }
      guard let iterations = Int(fields[1]), iterations > 0 else { throw breach("no iterations") }
      var values: [String: Double] = [:]
      for place in stride(from: 2, to: fields.count, by: 2) {
        guard let value = Double(fields[place]), value.isFinite else { throw breach("no value") }
        guard values.updateValue(value, forKey: fields[place + 1]) == nil else {
          throw breach("a unit stands there twice")
        }
      }
      results.append(
        .init(
          name: fields[0], iterations: iterations, values: values, configuration: configuration))
    } else if line.hasPrefix("Unit ") {
      guard fields.count >= 3 else { throw breach("a unit of which nothing is said") }
      for field in fields.dropFirst(2) {
        let pair = field.split(separator: "=", maxSplits: 1).map(String.init)
        guard pair.count == 2 else { throw breach("no key=value") }
        guard pair[0] != "assume" || ["exact", "nothing"].contains(pair[1]) else {
          throw breach("nothing that benchstat may assume")
        }
        units[fields[1], default: [:]][pair[0]] = pair[1]
      }
    } else {
      guard let colon = line.unicodeScalars.firstIndex(of: ":") else { throw breach("no key") }
      let key = line.unicodeScalars[..<colon]
      guard let first = key.first, first.properties.isLowercase,
        !key.contains(where: { $0.properties.isWhitespace || $0.properties.isUppercase })
      else { throw breach("the key is none") }
      let value = line.unicodeScalars[line.unicodeScalars.index(after: colon)...]
      guard value.isEmpty || [" ", "\t"].contains(value.first) else {
        throw breach("nothing between key and value")
      }
      configuration[String(key)] = String(
        String.UnicodeScalarView(value.drop { $0 == " " || $0 == "\t" }))
    }
  }
}
