public import WakeEvents

/// Writes one stream of events to a trace, device after device.
///
/// Give the events of a device in their order, one device after the other. The bytes depend only on that sequence: the
/// stream's id is derived from the first block.
public final class TraceWriter {
  /// The amount written.
  public struct Statistics: Hashable, Sendable {
    /// Events in blocks.
    public var events = 0
    /// Blocks.
    public var blocks = 0
    /// Bytes of the file.
    public var bytes: Int64 = 0
    /// Bytes of the file that are details, which scheduling without predicates hops over.
    public var detailBytes: Int64 = 0

    /// Makes the statistics of nothing.
    public init() {}

    mutating func add(_ block: BlockEncoder.Block, events: Int) {
      self.events += events
      blocks += 1
      bytes += Int64(block.bytes)
      detailBytes += Int64(block.details.count)
    }
  }

  /// A new device's events start a new block if the pending one has this many events.
  private static let roomyBlock = TraceLimits.eventsPerBlock / 2

  let output: any BlockOutput
  private let encoder: BlockEncoder
  private let eventsPerBlock: Int
  private var stream: UInt64?
  private var sequence: UInt32 = 0
  private var pending = InputColumns()
  private var runs: [DeviceRun] = []
  private var pendingText = 0
  /// Events that were lost before the next block.
  package var lostBefore: UInt64 = 0

  /// The amount written so far, without pending events.
  public private(set) var statistics = Statistics()

  /// Starts a stream.
  ///
  /// - Parameters:
  ///   - output: The file to write to, which the caller commits after ``finish()``.
  ///   - symbols: The tables that the events' symbols come from.
  ///   - level: zlib's level, from 0 to 9.
  /// - Throws: ``TraceError`` if zlib cannot be started.
  public convenience init(
    to output: FileOutput, symbols: Symbols, level: Int = 6
  ) throws(TraceError) {
    try self.init(
      output: output, symbols: symbols, level: level,
      eventsPerBlock: TraceLimits.eventsPerBlock)
  }

  init(
    output: any BlockOutput, symbols: Symbols, level: Int, eventsPerBlock: Int
  ) throws(TraceError) {
    self.output = output
    self.eventsPerBlock = eventsPerBlock
    encoder = try BlockEncoder(symbols: symbols, level: level, file: output.name)
  }

  /// Starts a stream with a given id; streams may share the encoder.
  package init(output: any BlockOutput, encoder: BlockEncoder, stream: UInt64) {
    self.output = output
    self.encoder = encoder
    self.stream = stream
    eventsPerBlock = TraceLimits.eventsPerBlock
  }

  /// Adds an event.
  ///
  /// - Complexity: O(1), and O(block) when one is full.
  /// - Throws: ``TraceError``: `invalidEvent` or `tooLarge` for what a trace cannot hold, `inputOutput` if the file cannot be
  ///   written.
  public func append(_ event: Event) throws(TraceError) {
    try begin(event.device)
    pending.append(event.input, at: event.time)
    try extend(by: 1, text: Self.textBytes(event.input))
  }

  /// Adds rows of a device.
  ///
  /// - Complexity: O(rows).
  /// - Throws: As ``append(_:)``.
  public func append(
    _ columns: borrowing InputColumns, rows: Range<Int>, of device: Device
  ) throws(TraceError) {
    var rest = rows
    while !rest.isEmpty {
      try begin(device)
      let end = min(rest.upperBound, rest.lowerBound + eventsPerBlock - pending.count)
      var piece = rest.lowerBound..<end
      var text = 0
      // Blocks with much text in pushes and observations end early.
      for row in piece where Self.holdsText(columns.kinds[row]) {
        text += Self.textBytes(columns.others[Int(columns.types[row])])
        if pendingText + text > TraceLimits.textBytesPerBlock {
          piece = rest.lowerBound..<row + 1
          break
        }
      }
      pending.append(contentsOf: columns, rows: piece)
      try extend(by: piece.count, text: text)
      rest = piece.upperBound..<rest.upperBound
    }
  }

  /// Starts a run of a device unless the last run is its.
  private func begin(_ device: Device) throws(TraceError) {
    guard runs.last?.device != device else { return }
    if pending.count >= Self.roomyBlock || runs.count == TraceLimits.runsPerBlock { try finish() }
    runs.append(DeviceRun(device: device, rows: pending.count..<pending.count))
  }

  private func extend(by events: Int, text: Int) throws(TraceError) {
    let last = runs.count - 1
    runs[last].rows = runs[last].rows.lowerBound..<pending.count
    pendingText += text
    if pending.count >= eventsPerBlock || pendingText > TraceLimits.textBytesPerBlock {
      try finish()
    }
  }

  private static func holdsText(_ kind: UInt8) -> Bool {
    kind == InputKind.push.rawValue || kind == InputKind.observed.rawValue
  }

  /// Bytes of text that an input holds itself, beside names. A type of an observation counts as four.
  package static func textBytes(_ input: Input) -> Int {
    switch input {
    case .push(_, let push):
      push.id.utf8.count + (push.aps?.json.utf8.count ?? 0) + (push.pushType?.utf8.count ?? 0)
    case .observed(_, let observation):
      (observation.push?.utf8.count ?? 0) + 4 * observation.types.count
    default: 0
    }
  }

  /// Writes the pending events.
  ///
  /// - Throws: As ``append(_:)``.
  public func finish() throws(TraceError) {
    if !pending.times.isEmpty { try write(pending, runs) }
    pending.removeAll()
    runs.removeAll(keepingCapacity: true)
    pendingText = 0
  }

  /// Writes the pending events, and takes the symbols of the next ones from other tables.
  package func use(_ symbols: Symbols) throws(TraceError) {
    try finish()
    encoder.use(symbols)
  }

  /// Frees the memory that is kept for the next events; none may be pending.
  package func freeMemory() {
    pending = InputColumns()
    runs = []
  }

  /// Writes a block; in halves if its names exceed the size of one.
  private func write(_ columns: borrowing InputColumns, _ runs: [DeviceRun]) throws(TraceError) {
    let block: BlockEncoder.Block
    do throws(BlockError) {
      block = try encoder.encode(
        columns, runs: runs, stream: stream, sequence: sequence, lostBefore: lostBefore)
    } catch let error {
      guard error.code == .tooLarge, columns.times.count > 1 else {
        throw error.located(file: output.name, offset: statistics.bytes)
      }
      for half in [0..<columns.times.count / 2, columns.times.count / 2..<columns.times.count] {
        var part = InputColumns()
        part.append(contentsOf: columns, rows: half)
        try write(part, Self.runs(runs, in: half))
      }
      return
    }
    try output.write(block)
    stream = block.stream
    sequence += 1
    lostBefore = 0
    statistics.add(block, events: columns.times.count)
  }

  /// The parts of runs in `rows`, relative to its start.
  private static func runs(_ runs: [DeviceRun], in rows: Range<Int>) -> [DeviceRun] {
    runs.compactMap { run in
      let part = run.rows.clamped(to: rows)
      guard !part.isEmpty else { return nil }
      return DeviceRun(
        device: run.device,
        rows: part.lowerBound - rows.lowerBound..<part.upperBound - rows.lowerBound)
    }
  }
}

package protocol BlockOutput: AnyObject {
  var name: String { get }
  func write(_ block: BlockEncoder.Block) throws(TraceError)
}

extension FileOutput: BlockOutput {
  package func write(_ block: BlockEncoder.Block) throws(TraceError) {
    try write(block.scheduling)
    try write(block.details)
    try write(block.observations)
  }
}
