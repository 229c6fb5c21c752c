import WakeEvents
import WakeScheduling

/// Collects rows of a table in batches.
package final class TableBuilder {
  package let fields: [TableField]
  package let columns: [ColumnBuilder]
  private(set) var batches: [TableBatch] = []

  /// The rows of a batch, but for those of many texts.
  package static let rowsOfBatch = 1 << 18
  private static let mostWeight = 1 << 28

  /// - Parameter names: The names of a column of names.
  package init(_ fields: [TableField], names: (TableField) -> ColumnNames?) {
    self.fields = fields
    columns = fields.map { ColumnBuilder($0.values, names: names($0)) }
  }

  /// Ends a row of which every column has got a value, and the batch, if it is large enough.
  package func endRow() {
    if columns[0].count >= Self.rowsOfBatch
      || columns.contains(where: { $0.weight >= Self.mostWeight })
    {
      batches.append(takeBatch())
    }
  }

  /// The rows that are in no batch yet.
  package func takeBatch() -> TableBatch {
    TableBatch(rows: columns[0].count, columns: columns.map { $0.take() })
  }

  /// All batches, the last one with the rest of the rows.
  package func finish() -> [TableBatch] {
    if columns[0].count > 0 { batches.append(takeBatch()) }
    defer { batches = [] }
    return batches
  }
}

extension ReplayTable {
  /// The fields of the table in memory. Those of the CSV file, but that `types` are listed and not counted, and `reasons` are a
  /// list; nil for `apps`.
  package var fields: [TableField]? {
    switch self {
    case .wakes:
      [
        TableField("device", .names), TableField("wake", .wholeNumbers), TableField("t", .times),
        TableField("app", .names), TableField("types", .nameLists),
        TableField("saves", .wholeNumbers), TableField("oldest", .times),
        TableField("push", .texts), TableField("refresh", .booleans),
        TableField("outcome", .names), TableField("end", .times),
      ]
    case .items:
      [
        TableField("device", .names), TableField("wake", .wholeNumbers), TableField("t", .times),
        TableField("app", .names), TableField("item", .names), TableField("name", .texts),
        TableField("saves", .wholeNumbers), TableField("since", .times),
      ]
    case .waits:
      [
        TableField("device", .names), TableField("wake", .wholeNumbers), TableField("app", .names),
        TableField("item", .names), TableField("name", .texts), TableField("since", .times),
        TableField("from", .times), TableField("to", .times), TableField("ns", .wholeNumbers),
        TableField("reasons", .nameLists), TableField("ending", .names),
      ]
    case .samples:
      [
        TableField("device", .names), TableField("t", .times), TableField("kind", .names),
        TableField("type", .names), TableField("source", .names), TableField("start", .times),
        TableField("end", .times), TableField("value", .numbers),
      ]
    case .apps: nil
    }
  }

  /// The names of a column.
  func names(of field: TableField, _ symbols: Symbols) -> ColumnNames? {
    switch field.name {
    case "device": ColumnNames(symbols.devices)
    case "app": ColumnNames(symbols.apps)
    case "type", "types": ColumnNames(symbols.types)
    case "source": ColumnNames(symbols.sources)
    case "kind": ColumnNames([InputKind.save.word, InputKind.delete.word])
    case "outcome": ColumnNames(WakeOutcome.allCases.map(\.word))
    case "item": ColumnNames(["type", "push", "refresh"])
    case "reasons": ColumnNames(WaitReason.allCases.map(\.word))
    case "ending": ColumnNames(Wait.Ending.allCases.map(\.word))
    default: nil
    }
  }
}

extension ColumnNames {
  convenience init<Namespace>(_ table: SymbolTable<Namespace>) {
    self.init(known: { table.count }, all: { table.names })
  }
}
