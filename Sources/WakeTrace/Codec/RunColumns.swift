import WakeEvents

/// The columns of a block that say which of its rows are of which device (page Format, "Runs").
///
/// *Runs* has one run behind the other. Where there are many, *manyRuns* has one field of all of them behind the other,
/// and their origins in a unit, so that most of it is packed bits. From some hundred runs on these are stored, not deflated.
enum RunColumns {
  /// From so many runs on, they have a column for each field. For fewer, four column heads cost as much as they save.
  static let many = 64

  static func encode(
    _ runs: [DeviceRun], homeSources: [Int], times: [Int64], names: inout BlockNames,
    with integers: inout IntegerColumn.Encoder
  ) -> (column: Column, sections: [Section]) {
    let devices = runs.map { names.devices.place(of: $0.device) }
    let origins = runs.map { times[$0.rows.lowerBound] }
    guard runs.count >= many else {
      var writer = ByteWriter()
      writer.appendVarint(runs.count)
      var previous: Int64 = 0
      for (number, run) in runs.enumerated() {
        writer.appendVarint(devices[number])
        writer.appendVarint(homeSources[number])
        writer.appendVarint(run.rows.count)
        writer.appendZigzag(origins[number] &- previous)
        previous = origins[number]
      }
      return (.runs, [Section(kind: .plain, bytes: writer.bytes)])
    }
    let steps = zip(devices, [-1] + devices).map { Int64($0 - $1) }
    let distances = zip(origins, [origins[0]] + origins).map { $0 &- $1 }
    let unit = unit(of: distances)
    var head = ByteWriter()
    head.appendZigzag(origins[0])
    head.appendVarint(UInt64(unit))
    let fields = [
      steps, homeSources.map { Int64($0) }, runs.map { Int64($0.rows.count) },
      distances.map { $0 / unit },
    ]
    return (
      .manyRuns,
      [Section(kind: .plain, bytes: head.bytes)] + fields.flatMap { integers.encode($0) }
    )
  }

  /// The greatest common divisor; 1 if all are 0.
  private static func unit(of distances: [Int64]) -> Int64 {
    var divisor = ExactDivisor(0)
    for distance in distances where !divisor.divides(distance.magnitude) {
      divisor = divisor.common(with: distance.magnitude)
    }
    return max(1, Int64(exactly: divisor.value) ?? 1)
  }
}

/// Reads the runs of a block; reuses its memory from block to block.
struct RunReader {
  private(set) var origins: [RunOrigin] = []
  /// Made for the first block with many runs.
  private var fields: RunFields?

  /// Reads the column that the block has, and checks it against the header.
  mutating func read(
    _ directory: PayloadDirectory, _ payload: [UInt8], header: BlockHeader, names: DecodedNames,
    into runs: inout [DeviceRun]
  ) throws(BlockError) {
    let count = header.runs.count
    runs.resize(to: count, filler: DeviceRun(device: Device(index: 0), rows: 0..<0))
    origins.resize(to: count, filler: RunOrigin(time: 0, homeSource: 0))
    guard var reader = directory.reader(of: .manyRuns, in: payload) else {
      var reader = try directory.mandatoryReader(of: .runs, in: payload)
      return try readListed(&reader, header, names, &runs)
    }
    guard !directory.has(.runs) else {
      throw .malformed("block has the column manyRuns and also runs")
    }
    var fields = self.fields.take() ?? RunFields()
    defer { self.fields = fields }
    try fields.read(&reader, payload, count: count)
    try place(header, names, &runs) { number, previous throws(BlockError) in
      fields.next(number, after: previous)
    }
  }

  private mutating func readListed(
    _ reader: inout ByteReader, _ header: BlockHeader, _ names: DecodedNames,
    _ runs: inout [DeviceRun]
  ) throws(BlockError) {
    let count = try reader.readCount(upTo: TraceLimits.runsPerBlock, of: "runs")
    guard count == header.runs.count else { throw Self.differ }
    try place(header, names, &runs) { _, previous throws(BlockError) in
      // Numbers of devices and times take several bytes each.
      PlacedRun(
        device: try reader.readVarintInline(), source: try reader.readVarint(),
        events: try reader.readVarint(),
        origin: previous.origin &+ ByteReader.signed(try reader.readVarintInline()))
    }
    try reader.expectEnd()
  }

  /// Sets runs and origins to what `next` gives, of the number of a run and the run before.
  @inline(__always)
  private mutating func place(
    _ header: BlockHeader, _ names: DecodedNames, _ runs: inout [DeviceRun],
    _ next: (Int, PlacedRun) throws(BlockError) -> PlacedRun
  ) throws(BlockError) {
    // Fleets have many runs: one check for all that nobody shares the memory.
    var runs = runs.mutableSpan
    var origins = origins.mutableSpan
    var row = 0
    var run = PlacedRun.beforeFirst
    for (number, listed) in header.runs.enumerated() {
      run = try next(number, run)
      let device = try names.devices.at(run.device, "device")
      guard run.events == UInt64(listed.events),
        names.deviceHashes[Int(run.device)] == listed.deviceHash
      else { throw Self.differ }
      let source =
        run.source == 0 && names.sources.isEmpty ? nil : try names.sources.at(run.source, "source")
      origins[number] = RunOrigin(time: run.origin, homeSource: source?.index ?? 0)
      runs[number] = DeviceRun(device: device, rows: row..<row + listed.events)
      row += listed.events
    }
  }

  private static let differ = BlockError.malformed("block's runs differ from those in its header")
}

/// A run as a block has it, with places in the block's lists of names.
private struct PlacedRun {
  var device: UInt64
  var source: UInt64
  var events: UInt64
  var origin: Int64

  static let beforeFirst = PlacedRun(device: .max, source: 0, events: 0, origin: 0)
}

/// The fields of many runs, decoded.
private struct RunFields {
  private var column = IntegerColumnReader()
  private var steps: [Int64] = []
  private var sources: [Int64] = []
  private var events: [Int64] = []
  private var distances: [Int64] = []
  private var first: Int64 = 0
  private var unit: Int64 = 1

  mutating func read(
    _ reader: inout ByteReader, _ payload: [UInt8], count: Int
  ) throws(BlockError) {
    first = try reader.readZigzag()
    unit = try TimeSteps.readUnit(&reader)
    try IntegerColumn.decode(&reader, with: &column, payload, count: count, into: &steps)
    try IntegerColumn.decode(&reader, with: &column, payload, count: count, into: &sources)
    try IntegerColumn.decode(&reader, with: &column, payload, count: count, into: &events)
    try IntegerColumn.decode(&reader, with: &column, payload, count: count, into: &distances)
    try reader.expectEnd()
  }

  @inline(__always)
  func next(_ number: Int, after previous: PlacedRun) -> PlacedRun {
    PlacedRun(
      device: previous.device &+ UInt64(bitPattern: steps[number]),
      source: UInt64(bitPattern: sources[number]), events: UInt64(bitPattern: events[number]),
      origin: (number == 0 ? first : previous.origin) &+ distances[number] &* unit)
  }
}
