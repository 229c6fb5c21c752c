package import WakeJSON

/// A table of a JSON array of objects, whose members are its columns.
package struct JSONTable {
  package let fields: [TableField]
  package let batches: [TableBatch]

  /// Reads a table: `[{"app": "a", "wakes": 3}, …]`. Columns are in the order of their first appearance. The first element
  /// may be an array with one object, `[{"app": "", "wakes": 0}]`: it gives columns and their kinds, and is no row.
  ///
  /// - Throws: `JSONError` for what is no JSON, or no such array, or a column of more than one kind of values.
  /// - Complexity: O(bytes).
  package init(_ json: JSONBytes) throws(JSONError) {
    var parser = JSONParser(json)
    guard case .array(let rows) = try parser.readDocument() else {
      throw JSONError(.wrongType, "expected an array of objects", offset: 0)
    }
    let found = try Self.fields(json, rows)
    let builder = TableBuilder(found) { _ in nil }
    let places = Dictionary(uniqueKeysWithValues: found.indices.map { (found[$0].name, $0) })
    try json.forEachElement(of: rows) { row throws(JSONError) in
      if case .array = row { return }
      var values = [JSONValue](repeating: .null, count: found.count)
      try json.forEachMember(of: try json.object(row)) { key, value throws(JSONError) in
        if let place = places[json.string(key)] { values[place] = value }
      }
      for (column, value) in zip(builder.columns, values) {
        try Self.append(value, of: json, to: column)
      }
      if !found.isEmpty { builder.endRow() }
    }
    fields = found
    batches = found.isEmpty ? [] : builder.finish()
  }

  private static func fields(
    _ json: JSONBytes, _ rows: Range<Int>
  ) throws(JSONError) -> [TableField] {
    var order: [String] = []
    var kinds: [String: TableField.Values] = [:]
    var isFirst = true
    try json.forEachElement(of: rows) { row throws(JSONError) in
      var row = row
      if isFirst, case .array(let example) = row {
        try json.forEachElement(of: example) { row = $0 }
      }
      isFirst = false
      try json.forEachMember(of: try json.object(row)) { key, value throws(JSONError) in
        let name = json.string(key)
        if !order.contains(name) { order.append(name) }
        guard let kind = try kind(of: value) else { return }
        kinds[name] = try common(kinds[name] ?? kind, kind)
      }
    }
    // A column without any value is one of texts.
    return order.map { TableField($0, kinds[$0] ?? .texts) }
  }

  private static func kind(of value: JSONValue) throws(JSONError) -> TableField.Values? {
    switch value {
    case .null: nil
    case .boolean: .booleans
    case .number(let number): number.wholeNumber == nil ? .numbers : .wholeNumbers
    case .string: .texts
    case .array: .textLists
    case .object: throw JSONError(.wrongType, "is an object, which no column can hold")
    }
  }

  private static func common(
    _ one: TableField.Values, _ other: TableField.Values
  ) throws(JSONError) -> TableField.Values {
    if one == other { return one }
    let numbers: [TableField.Values] = [.wholeNumbers, .numbers]
    guard numbers.contains(one), numbers.contains(other) else {
      throw JSONError(.wrongType, "is of another kind than the values above it")
    }
    return .numbers
  }

  private static func append(
    _ value: JSONValue, of json: JSONBytes, to column: ColumnBuilder
  ) throws(JSONError) {
    switch value {
    case .null: column.appendNull()
    case .boolean(let value): column.append(value)
    case .number(let number):
      if column.values == .wholeNumbers {
        column.append(number.wholeNumber)
      } else {
        column.append(json.double(number))
      }
    case .string(let text): column.append(json.string(text))
    case .array(let elements):
      var texts: [String] = []
      try json.forEachElement(of: elements) { element throws(JSONError) in
        texts.append(json.string(try json.string(element)))
      }
      column.append { list in for text in texts { list.append(text) } }
    case .object: throw JSONError(.wrongType, "is an object, which no column can hold")
    }
  }
}
