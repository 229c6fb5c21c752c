import WakeEvents

/// Derives from events what their block's header says about them; reuses its tables from block to block.
struct BlockDescriber {
  private(set) var keys = EventKeyNumbering()
  private(set) var times = TimeSteps()

  /// The header, without stream, sequence and lengths; `names` receives the types and sources.
  mutating func header(
    of columns: borrowing InputColumns, runs: [DeviceRun], names: inout BlockNames,
    symbols: Symbols
  ) -> BlockHeader {
    times.take(columns.times, runs: runs)
    keys.take(columns, runs: runs, names: &names, symbols: symbols)
    var header = BlockHeader()
    header.runs = runs.map {
      BlockHeader.Run(
        deviceHash: NameHash.device(symbols.devices.name(of: $0.device)), events: $0.rows.count)
    }
    header.events = columns.count
    (header.earliest, header.latest) = (times.earliest, times.latest)
    header.deletes = keys.deletes
    header.flags = .deletesCounted
    if times.areSorted { header.flags.insert(.timesSorted) }
    if columns.others.isEmpty { header.flags.insert(.samplesOnly) }
    if columns.others.contains(where: \.isExecuteWithPredicate) {
      header.flags.insert(.startsPredicate)
    }
    let types = zip(names.types.symbols, keys.typeCounts(names)).filter { $0.1 > 0 }
    if types.count > TraceLimits.typesListed {
      header.flags.insert(.typesUnlisted)
    } else {
      header.types = types.map {
        BlockHeader.TypeCount(typeHash: symbols.types.hash(of: $0.0), events: $0.1)
      }
      header.types.sort {
        $0.events != $1.events ? $0.events > $1.events : $0.typeHash < $1.typeHash
      }
    }
    return header
  }
}

extension Input {
  var isExecuteWithPredicate: Bool {
    if case .execute(_, _, _, _?) = self { true } else { false }
  }
}
