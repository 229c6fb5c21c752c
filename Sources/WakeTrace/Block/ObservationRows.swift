import WakeEvents

// A block's observations have a member of their own, so that readers of inputs need not tell them apart. Beside the
// columns of any events it has a column of places: before which of the block's inputs each observation stands.

/// Rows with their runs of devices.
struct RowsOfDevices {
  var columns = InputColumns()
  var runs: [DeviceRun] = []

  /// Appends rows that belong to a device.
  mutating func append(
    _ other: borrowing InputColumns, rows: Range<Int>, of device: Device
  ) {
    guard !rows.isEmpty else { return }
    let start = columns.count
    columns.append(contentsOf: other, rows: rows)
    if let last = runs.last, last.device == device {
      runs[runs.count - 1].rows = last.rows.lowerBound..<columns.count
    } else {
      runs.append(DeviceRun(device: device, rows: start..<columns.count))
    }
  }
}

/// The inputs and the observations of a batch, apart.
struct SplitObservations {
  var inputs = RowsOfDevices()
  var observations = RowsOfDevices()
  /// For each observation, the inputs between the observation before it and itself.
  var distances: [Int64] = []

  init(_ columns: borrowing InputColumns, runs: [DeviceRun]) {
    var inputsBefore = 0
    for run in runs {
      var start = run.rows.lowerBound
      for row in run.rows where columns.kinds[row] == InputKind.observed.rawValue {
        inputs.append(columns, rows: start..<row, of: run.device)
        observations.append(columns, rows: row..<row + 1, of: run.device)
        distances.append(Int64(inputs.columns.count - inputsBefore))
        inputsBefore = inputs.columns.count
        start = row + 1
      }
      inputs.append(columns, rows: start..<run.rows.upperBound, of: run.device)
    }
  }
}

extension RowsOfDevices {
  /// Inputs with the observations that stand among them.
  ///
  /// - Parameters:
  ///   - distances: As in ``SplitObservations``; they lead to no input beyond the last.
  ///   - byDevice: Whether each device has one run, in the order of ``BlockEntry/joinedHeader``.
  static func joining(
    _ inputs: RowsOfDevices, _ observations: RowsOfDevices, distances: [Int64], byDevice: Bool
  ) -> RowsOfDevices {
    // In the order in which they stand: the first rows are the inputs, the rows behind them the observations.
    var order: [(row: Int, device: Device)] = []
    var rows = inputs.runs.lazy.flatMap { run in run.rows.lazy.map { (row: $0, device: run.device) }
    }
    .makeIterator()
    var place = 0
    for run in observations.runs {
      for row in run.rows {
        for _ in 0..<distances[place] { if let next = rows.next() { order.append(next) } }
        order.append((inputs.columns.count + row, run.device))
        place += 1
      }
    }
    while let next = rows.next() { order.append(next) }
    if byDevice {
      var places: [Device: Int] = [:]
      for run in inputs.runs + observations.runs where places[run.device] == nil {
        places[run.device] = places.count
      }
      var byPlace = [[(row: Int, device: Device)]](repeating: [], count: places.count)
      for entry in order { byPlace[places[entry.device] ?? 0].append(entry) }
      order = byPlace.flatMap { $0 }
    }
    var all = inputs.columns
    all.append(contentsOf: observations.columns, rows: 0..<observations.columns.count)
    var joined = RowsOfDevices()
    joined.columns = all.permuted(order.map(\.row))
    for (row, entry) in order.enumerated() {
      if joined.runs.last?.device == entry.device {
        let last = joined.runs.count - 1
        joined.runs[last].rows = joined.runs[last].rows.lowerBound..<row + 1
      } else {
        joined.runs.append(DeviceRun(device: entry.device, rows: row..<row + 1))
      }
    }
    return joined
  }
}
