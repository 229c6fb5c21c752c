package import WakeEvents

/// The numbers that the rows of a batch have among the events of all the traces, from 0.
package struct EventNumbers: Sendable {
  /// The number of row 0, where no row was left out.
  package var first: Int
  /// The number of each row, where some were left out.
  package var kept: [Int]?

  package init(first: Int, kept: [Int]? = nil) {
    self.first = first
    self.kept = kept
  }

  /// The number of a row.
  package func number(ofRow row: Int) -> Int { kept?[row] ?? first + row }
}

/// Leaves out inputs by time and by type, where a selection asks for it.
package struct RowFilter {
  private let selection: BlockSelection
  private let symbols: Symbols
  /// Whether a type is wanted, by ``SampleType/index``.
  private var wanted: [Bool] = []

  package init(_ selection: BlockSelection, symbols: Symbols) {
    self.selection = selection
    self.symbols = symbols
  }

  /// Whether any input of a block may have to be left out.
  package func applies(to header: BlockHeader) -> Bool {
    guard selection.hasRowFilter else { return false }
    if let from = selection.from, header.earliest < from { return true }
    if let to = selection.to, header.latest >= to { return true }
    return !selection.types.isEmpty
  }

  /// The rows that are wanted, and their numbers.
  ///
  /// - Complexity: O(rows).
  package mutating func pick(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers
  ) -> (columns: InputColumns, numbers: EventNumbers) {
    learnTypes()
    var picked = InputColumns()
    var kept: [Int] = []
    var start = rows.lowerBound
    for row in rows {
      if isWanted(columns, row) {
        kept.append(numbers.number(ofRow: row))
      } else {
        picked.append(contentsOf: columns, rows: start..<row)
        start = row + 1
      }
    }
    picked.append(contentsOf: columns, rows: start..<rows.upperBound)
    return (picked, EventNumbers(first: numbers.first, kept: kept))
  }

  private func isWanted(_ columns: borrowing InputColumns, _ row: Int) -> Bool {
    let time = columns.times[row]
    if let from = selection.from, time < from { return false }
    if let to = selection.to, time >= to { return false }
    guard !selection.types.isEmpty, columns.kinds[row] <= InputKind.delete.rawValue else {
      return true
    }
    return wanted[Int(columns.types[row])]
  }

  private mutating func learnTypes() {
    guard !selection.types.isEmpty else { return }
    for index in wanted.count..<max(wanted.count, symbols.types.count) {
      wanted.append(
        selection.types.contains(symbols.types.name(of: SampleType(index: UInt32(index)))))
    }
  }
}
