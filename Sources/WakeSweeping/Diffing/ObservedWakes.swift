package import WakeEvents
package import WakeTrace

extension DiffSide {
  /// Adds the observations of traces.
  ///
  /// - Returns: The devices that have any, and how many other devices there are.
  /// - Complexity: O(blocks), and O(events) of the blocks with observations.
  package mutating func append(
    observationsOf files: [TraceFile], symbols: Symbols
  ) throws(TraceError) -> (watched: Set<ExactName>, others: Int) {
    var all: Set<UInt64> = []
    var watched: [UInt64: ExactName] = [:]
    let decoder = BlockDecoder(symbols: symbols)
    for file in files {
      var scan = BlockScan(file)
      while let block = try scan.next() {
        for run in block.joinedHeader.runs { all.insert(run.deviceHash) }
        guard block.observationCount > 0 else { continue }
        try decoder.decode(block, of: file, observations: true)
        for run in decoder.runs {
          for row in run.rows where decoder.columns.kinds[row] == InputKind.observed.rawValue {
            guard case .observed(let app, let seen) = decoder.columns[row] else { continue }
            let name = symbols.devices.name(of: run.device)
            watched[NameHash.device(name)] = ExactName(name)
            append(
              Wake(
                time: Timestamp(nanoseconds: decoder.columns.times[row]), types: seen.types,
                push: seen.push.map { .some($0) }, refresh: seen.refresh, outcome: seen.outcome,
                end: seen.end.map { .some($0) }),
              device: run.device, app: app, symbols)
          }
        }
      }
    }
    return (Set(watched.values), all.count - watched.count)
  }
}
