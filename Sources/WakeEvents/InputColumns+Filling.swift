// Filling in place: ``InputColumns/resize(to:)``, then each row, then ``InputColumns/truncate(to:)``.
extension InputColumns {
  /// Sets a row; rows are set in ascending order.
  ///
  /// - Precondition: The columns are longer than `row`.
  /// - Complexity: O(1), amortised.
  package mutating func set(_ input: Input, at time: Timestamp, row: Int) {
    times[row] = time.nanoseconds
    kinds[row] = input.kind.rawValue
    switch input {
    case .save(let sample):
      types[row] = sample.type.index
      sources[row] = sample.source.index
      details.set(sample, row: row)
    case .delete(let type, let source):
      types[row] = type.index
      sources[row] = source.index
    default:
      types[row] = UInt32(others.count)
      sources[row] = 0
      others.append(input)
    }
  }

  /// Drops the rows from `count` on.
  package mutating func truncate(to count: Int) {
    let excess = self.count - count
    guard excess > 0 else { return }
    times.removeLast(excess)
    kinds.removeLast(excess)
    types.removeLast(excess)
    sources.removeLast(excess)
  }
}
