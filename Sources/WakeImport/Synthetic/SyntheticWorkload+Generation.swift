public import WakeEvents
public import WakeTrace

extension SyntheticWorkload {
  /// Rows of a batch; enough to amortise its cost.
  private static let rowsPerBatch = 16_384

  /// Calls `body` with the inputs, batch by batch, device after device.
  ///
  /// - Parameters:
  ///   - symbols: The tables that names are interned into.
  ///   - part: The numbers of the devices whose inputs are wanted, from 0; nil is all.
  ///   - body: Takes a device's next inputs; the columns are valid until it returns.
  /// - Throws: ``SyntheticWorkloadError`` if a parameter is out of its range.
  /// - Complexity: O(events), about 20 ns each; memory for names, a device and a batch.
  public func forEachBatch(
    symbols: Symbols, devices part: Range<Int>? = nil,
    _ body: (Device, borrowing InputColumns) throws -> Void
  ) throws {
    try validate()
    let names = SyntheticNames(self, symbols: symbols)
    let popularity = Popularity(self)
    var columns = InputColumns()
    for number in (part ?? 0..<devices).clamped(to: 0..<min(devices, events)) {
      let name = SyntheticNames.device(number, of: devices, prefix: devicePrefix)
      let device = symbols.devices.intern(name)
      var generator = SyntheticDevice(
        number: number, workload: self, names: names, popularity: popularity, symbols: symbols)
      while true {
        columns.removeAll()
        generator.fill(&columns, upTo: Self.rowsPerBatch)
        guard columns.count > 0 else { break }
        try body(device, columns)
      }
    }
  }

  /// Writes the inputs as a trace, which the caller commits.
  ///
  /// - Parameters:
  ///   - output: The file.
  ///   - level: zlib's level, from 0 to 9.
  ///   - part: The numbers of the devices whose inputs are written, from 0; nil is all.
  /// - Throws: ``SyntheticWorkloadError`` if a parameter is out of its range, before anything is
  ///   written; `TraceError`.
  /// - Complexity: O(events); memory as for `forEachBatch(symbols:_:)` and for a block.
  @discardableResult
  public func write(
    to output: FileOutput, level: Int = 6, devices part: Range<Int>? = nil
  ) throws -> TraceWriter.Statistics {
    try validate()
    let symbols = Symbols()
    let writer = try TraceWriter(to: output, symbols: symbols, level: level)
    try forEachBatch(symbols: symbols, devices: part) { device, columns in
      try writer.append(columns, rows: 0..<columns.count, of: device)
    }
    try writer.finish()
    return writer.statistics
  }
}
