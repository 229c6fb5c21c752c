/// What readers of a comparison must know beside its table.
extension BenchmarkComparison {
  /// The caveats, the benchmarks in which schedulers under test wake differently, and what the medians of all times do not
  /// tell; a sentence each.
  package var remarks: [String] {
    let others = results.filter { $0.work.map { $0.wakesBefore != nil && !$0.isSame } ?? false }
    var remarks = caveats ?? []
    if !others.isEmpty {
      remarks.append(
        "The schedulers wake differently in \(others.map(\.name).joined(separator: ", ")): these times "
          + "are of different work.")
    }
    return remarks + results.compactMap(\.medianRemark)
  }
}
