import WakeEvents

extension BlockHeader {
  /// Fills in the fields that follow from the events: their number, times and types, and the flags.
  ///
  /// - Complexity: O(events).
  mutating func describe(
    _ columns: borrowing InputColumns, runs: [DeviceRun], symbols: Symbols
  ) {
    events = columns.count
    earliest = .max
    latest = .min
    var isSorted = true
    for run in runs {
      var previous = Int64.min
      for row in run.rows {
        let time = columns.times[row]
        if time < previous { isSorted = false }
        previous = time
        earliest = min(earliest, time)
        latest = max(latest, time)
      }
    }
    if isSorted { flags.insert(.timesSorted) }
    describe(others: columns.others)
    tell(deletes: columns.kinds.count { $0 == InputKind.delete.rawValue })

    var counts: [UInt32: Int] = [:]
    // Most types have small numbers and are counted without hashing.
    var smallCounts = [Int](repeating: 0, count: 1_024)
    for row in 0..<columns.count where columns.kinds[row] <= InputKind.delete.rawValue {
      let type = columns.types[row]
      if type < 1_024 { smallCounts[Int(type)] += 1 } else { counts[type, default: 0] += 1 }
    }
    for (type, count) in smallCounts.enumerated() where count > 0 { counts[UInt32(type)] = count }
    list(counts.map { (SampleType(index: $0), $1) }, symbols: symbols)
  }

  /// Sets the flags that follow from the inputs that are neither save nor delete.
  mutating func describe(others: [Input]) {
    if others.isEmpty { flags.insert(.samplesOnly) }
    if others.contains(where: \.isExecuteWithPredicate) { flags.insert(.startsPredicate) }
  }

  /// Sets the number of deletes.
  mutating func tell(deletes: Int) {
    flags.insert(.deletesCounted)
    self.deletes = deletes
  }

  /// Lists types with their saves and deletes, unless they are too many.
  mutating func list(_ counts: [(type: SampleType, events: Int)], symbols: Symbols) {
    guard counts.count <= TraceLimits.typesListed else {
      flags.insert(.typesUnlisted)
      return
    }
    types = counts.map { type, count in
      TypeCount(typeHash: symbols.types.hash(of: type), events: count)
    }
    types.sort { $0.events != $1.events ? $0.events > $1.events : $0.typeHash < $1.typeHash }
  }
}

extension Input {
  /// Whether this starts a query with a predicate.
  var isExecuteWithPredicate: Bool {
    if case .execute(_, _, _, _?) = self { true } else { false }
  }
}
