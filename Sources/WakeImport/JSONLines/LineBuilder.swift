internal import WakeEvents

/// One JSON object on a line of its own, member by member.
struct LineBuilder {
  private var buffer: [UInt8] = []
  /// Whether the next member is the first of its object.
  private var isFirst = true

  /// Begins a line after what `buffer` holds, which is the line's until it is finished.
  init(takingFrom buffer: inout [UInt8]) {
    swap(&self.buffer, &buffer)
    self.buffer.append(ASCII.openBrace)
  }

  /// Ends the line, and gives all that was written to `buffer`.
  mutating func finish(into buffer: inout [UInt8]) {
    self.buffer.append(ASCII.closeBrace)
    self.buffer.append(ASCII.newline)
    swap(&self.buffer, &buffer)
  }

  mutating func add(_ key: StaticString, _ number: Int64) {
    addKey(key)
    JSONText.append(number, to: &buffer)
  }

  mutating func add(_ key: StaticString, _ number: Double) {
    addKey(key)
    JSONText.append(number, to: &buffer)
  }

  mutating func add(_ key: StaticString, _ string: String) {
    addKey(key)
    JSONText.append(string, to: &buffer)
  }

  mutating func add(_ key: StaticString, _ boolean: Bool) {
    addKey(key)
    buffer.append(contentsOf: (boolean ? "true" : "false").utf8)
  }

  /// Adds a member whose value is JSON text already.
  mutating func add(_ key: StaticString, text: [UInt8]) {
    addKey(key)
    buffer.append(contentsOf: text)
  }

  /// Begins a member that is an object; those added from here on are its members.
  mutating func beginObject(_ key: StaticString) {
    addKey(key)
    buffer.append(ASCII.openBrace)
    isFirst = true
  }

  /// Ends the object begun last.
  mutating func endObject() {
    buffer.append(ASCII.closeBrace)
    isFirst = false
  }

  private mutating func addKey(_ key: StaticString) {
    if !isFirst { buffer.append(ASCII.comma) }
    isFirst = false
    buffer.append(ASCII.quote)
    key.withUTF8Buffer { unsafe buffer.append(contentsOf: $0) }
    buffer.append(ASCII.quote)
    buffer.append(ASCII.colon)
  }
}

/// The names of one table as JSON strings, made once each.
struct NameTexts<Namespace> {
  private let table: SymbolTable<Namespace>
  /// The text of each symbol, empty if it was not asked for yet.
  private var texts: [[UInt8]] = []

  init(_ table: SymbolTable<Namespace>) {
    self.table = table
  }

  /// The name of `symbol` as a JSON string.
  mutating func text(of symbol: Symbol<Namespace>) -> [UInt8] {
    let index = Int(symbol.index)
    while texts.count <= index { texts.append([]) }
    if texts[index].isEmpty { JSONText.append(table.name(of: symbol), to: &texts[index]) }
    return texts[index]
  }
}

/// The words of the kinds as JSON strings.
enum KindTexts {
  private static let texts: [[UInt8]] = {
    var texts = [[UInt8]](repeating: [], count: InputKind.allCases.count)
    for kind in InputKind.allCases { JSONText.append(kind.word, to: &texts[Int(kind.rawValue)]) }
    return texts
  }()

  /// The word of `kind` as a JSON string.
  static func text(of kind: InputKind) -> [UInt8] { texts[Int(kind.rawValue)] }
}
