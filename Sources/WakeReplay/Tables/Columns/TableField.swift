/// A column of a table: its name, and what its values are.
package struct TableField: Hashable, Sendable {
  package enum Values: Hashable, Sendable {
    case wholeNumbers, numbers, booleans
    /// Nanoseconds since the Unix epoch, in UTC.
    case times
    case texts
    /// Texts of which few differ: places in a list of names.
    case names
    /// Lists of such texts.
    case nameLists
    /// Lists of texts.
    case textLists
  }

  package let name: String
  package let values: Values

  package init(_ name: String, _ values: Values) {
    self.name = name
    self.values = values
  }
}

/// The values of a column, or of a part of one, laid out as Arrow's columnar format says: 64-bit numbers and times, 32-bit
/// offsets and places, bits of booleans and of validity with the least significant first.
package final class ColumnArray: Sendable {
  package let count: Int
  package let nulls: Int
  /// In Arrow's order; nil is a buffer that is not there.
  package let buffers: [GrowingBytes?]
  package let children: [ColumnArray]
  /// The names of whose places the values are.
  package let names: ColumnArray?

  package init(
    count: Int, nulls: Int = 0, buffers: [GrowingBytes?], children: [ColumnArray] = [],
    names: ColumnArray? = nil
  ) {
    self.count = count
    self.nulls = nulls
    self.buffers = buffers
    self.children = children
    self.names = names
  }

  /// A column of texts.
  package static func texts(_ texts: [String]) -> ColumnArray {
    let column = ColumnBuilder(.texts)
    for text in texts { column.append(text) }
    return column.take()
  }
}

/// Rows of a table.
package struct TableBatch: Sendable {
  package let rows: Int
  package let columns: [ColumnArray]

  package init(rows: Int, columns: [ColumnArray]) {
    self.rows = rows
    self.columns = columns
  }
}
