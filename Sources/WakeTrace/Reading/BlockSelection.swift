public import WakeEvents

/// The inputs of traces that are wanted.
public struct BlockSelection: Hashable, Sendable {
  /// Only inputs at or after this time; nanoseconds since the Unix epoch.
  public var from: Int64?
  /// Only inputs before this time; nanoseconds since the Unix epoch.
  public var to: Int64?
  /// The types whose saves and deletes are kept; empty is all. Inputs of other kinds are always kept.
  public var types: Set<ExactName> = []
  /// The devices that are kept; empty is all.
  public var devices: Set<ExactName> = []
  /// The devices that are kept, by the hashes of their names; nil is all.
  public var shard: DeviceShard?

  /// Makes a selection of everything.
  public init() {}

  /// Whether rows of a wanted block may have to be left out.
  package var hasRowFilter: Bool { from != nil || to != nil || !types.isEmpty }
}

/// The numbers of a batch's rows among the events of all traces, from 0.
package struct EventNumbers: Sendable {
  /// The number of row 0 if no row was left out.
  package var first: Int
  /// The number of each row if some were left out.
  package var kept: [Int]?

  package init(first: Int, kept: [Int]? = nil) {
    self.first = first
    self.kept = kept
  }

  package func number(ofRow row: Int) -> Int { kept?[row] ?? first + row }
}

/// Filters rows by the times and types of a selection.
package struct RowFilter {
  private let selection: BlockSelection
  private let symbols: Symbols
  private var types: NameMatcher<NameOf.SampleType>

  package init(_ selection: BlockSelection, symbols: Symbols) {
    self.selection = selection
    self.symbols = symbols
    types = NameMatcher(selection.types) { NameHash.of($0) }
  }

  /// Whether the filter may leave out rows of a block.
  package func applies(to header: BlockHeader) -> Bool {
    guard selection.hasRowFilter else { return false }
    if let from = selection.from, header.earliest < from { return true }
    if let to = selection.to, header.latest >= to { return true }
    return !selection.types.isEmpty
  }

  /// The wanted rows and their numbers.
  package mutating func pick(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers
  ) -> (columns: InputColumns, numbers: EventNumbers) {
    if !selection.types.isEmpty { types.learn(symbols.types) }
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
    return types.matches(columns.types[row])
  }
}
