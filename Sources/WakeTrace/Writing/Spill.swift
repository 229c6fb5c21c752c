import WakeEvents

/// A sorted run of events in a temporary file, as blocks.
final class Spill: BlockOutput {
  /// Smaller than in a trace, since a merge holds one block of each run.
  static let eventsPerBlock = 4_096

  /// The location of a block's two members.
  struct Place {
    var offset: Int64
    var scheduling: Int
    var details: Int
  }

  let name = "temporary file"
  private let file: TemporaryFile
  private(set) var places: [Place] = []

  init(folder: String) throws(TraceError) {
    file = try TemporaryFile(folder: folder)
  }

  func writer(symbols: Symbols) throws(TraceError) -> TraceWriter {
    try TraceWriter(
      output: self, symbols: symbols, level: 1, eventsPerBlock: Self.eventsPerBlock)
  }

  func write(_ block: BlockEncoder.Block) throws(TraceError) {
    places.append(
      Place(
        offset: file.length, scheduling: block.scheduling.count, details: block.details.count))
    try file.append(block.scheduling, count: block.scheduling.count)
    try file.append(block.details, count: block.details.count)
  }

  func read(_ place: Place) throws(TraceError) -> (scheduling: [UInt8], details: [UInt8]) {
    var scheduling = [UInt8](repeating: 0, count: place.scheduling)
    try file.read(place.scheduling, at: place.offset, into: &scheduling)
    var details = [UInt8](repeating: 0, count: place.details)
    try file.read(place.details, at: place.offset + Int64(place.scheduling), into: &details)
    return (scheduling, details)
  }
}

/// Iterates over a sorted run.
protocol RunCursor {
  /// The device of the next event; nil at the end.
  var device: Device? { get }
  /// The time of the next event.
  var time: Int64 { get }
  /// Moves the device's events before a time limit to a writer; all that are loaded without a limit.
  mutating func write(
    upTo limit: (time: Int64, inclusive: Bool)?, to writer: TraceWriter
  ) throws(TraceError)
}

/// A run in memory.
struct MemoryCursor: RunCursor {
  private let columns: InputColumns
  private let runs: [DeviceRun]
  private var run = 0
  private var row = 0

  init(_ columns: InputColumns, _ runs: [DeviceRun]) {
    self.columns = columns
    self.runs = runs
  }

  var device: Device? { run < runs.count ? runs[run].device : nil }
  var time: Int64 { columns.times[row] }

  mutating func write(
    upTo limit: (time: Int64, inclusive: Bool)?, to writer: TraceWriter
  ) throws(TraceError) {
    let end = runs[run].rows.upperBound
    var stop = end
    if let limit {
      stop = row
      while stop < end,
        limit.inclusive ? columns.times[stop] <= limit.time : columns.times[stop] < limit.time
      {
        stop += 1
      }
    }
    try writer.append(columns, rows: row..<stop, of: runs[run].device)
    row = stop
    if stop == end { run += 1 }
  }
}

/// A run in a temporary file, one block of it in memory.
struct SpillCursor: RunCursor {
  private let spill: Spill
  private let decoder: BlockDecoder
  private var next = 0
  private var held = MemoryCursor(InputColumns(), [])

  init(_ spill: Spill, symbols: Symbols) throws(TraceError) {
    self.spill = spill
    decoder = BlockDecoder(symbols: symbols)
    try refill()
  }

  var device: Device? { held.device }
  var time: Int64 { held.time }

  mutating func write(
    upTo limit: (time: Int64, inclusive: Bool)?, to writer: TraceWriter
  ) throws(TraceError) {
    try held.write(upTo: limit, to: writer)
    if held.device == nil { try refill() }
  }

  private mutating func refill() throws(TraceError) {
    guard next < spill.places.count else { return }
    let place = spill.places[next]
    next += 1
    let (scheduling, details) = try spill.read(place)
    do throws(BlockError) {
      try decoder.decode(scheduling: scheduling, details: details)
    } catch let error {
      throw error.located(file: spill.name, offset: place.offset)
    }
    held = MemoryCursor(decoder.takeColumns(), decoder.runs)
  }
}
