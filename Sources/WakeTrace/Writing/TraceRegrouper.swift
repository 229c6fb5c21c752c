import WakeEvents

/// Writes traces anew as one stream in which the events of each device are together.
///
///     let regrouper = TraceRegrouper(to: output, level: 6)
///     let result = try regrouper.regroup([try TraceFile(path: "joined.wtrace")])
///     try output.commit()
///
/// Devices come in the order of first appearance, and the streams of a device are merged by time, so that a replay of the
/// new trace gives the same result. Devices are taken in groups whose events fit in memory. Each group is a pass over the
/// blocks that hold some of its events.
public final class TraceRegrouper {
  /// What was done.
  public struct Result: Hashable, Sendable {
    /// What was written.
    public var written: TraceWriter.Statistics
    /// Blocks that the numbers of the streams show to be missing; the new stream has no gaps.
    public var missingBlocks: Int
    /// Blocks that are repeated, or out of the order of their streams; the new stream is in order.
    public var misplacedBlocks: Int
    /// Groups of devices.
    public var passes: Int
  }

  private let output: any BlockOutput
  private let level: Int
  private let eventsHeld: Int

  /// Starts an output.
  ///
  /// - Parameters:
  ///   - output: The file, which the caller commits.
  ///   - level: zlib's level, from 0 to 9.
  public convenience init(to output: FileOutput, level: Int = 6) {
    self.init(output: output, level: level)
  }

  /// - Parameter eventsHeld: The events of a group of several devices, about 30 bytes each and 40 with details.
  init(output: any BlockOutput, level: Int, eventsHeld: Int = 4 << 20) {
    self.output = output
    self.level = level
    self.eventsHeld = eventsHeld
  }

  /// Writes the events of traces.
  ///
  /// - Parameters:
  ///   - files: The traces; the streams of all of them are merged.
  ///   - shard: The devices that are written; nil is all.
  ///   - progress: Called now and then with the events written.
  /// - Throws: ``TraceError`` for any damage, for two devices whose names have the same hash, or if the output cannot be
  ///   written.
  /// - Complexity: O(events), and O(blocks) for each group; memory grows with the devices, not with the events.
  public func regroup(
    _ files: [TraceFile], of shard: DeviceShard? = nil, progress: ((_ events: Int) -> Void)? = nil
  ) throws(TraceError) -> Result {
    var selection = BlockSelection()
    selection.shard = shard
    let index = try TraceIndex(files: files, selection: selection, observations: true)
    var symbols = Symbols()
    let writer = try TraceWriter(
      output: output, symbols: symbols, level: level, eventsPerBlock: TraceLimits.eventsPerBlock)
    writer.lostBefore = index.lostEvents
    let groups = groups(index)
    for group in groups {
      // New tables for each group, so that the names of many devices do not pile up.
      symbols = Symbols()
      try writer.use(symbols)
      if group.count == 1 {
        try write(group.lowerBound, of: index, symbols, to: writer, progress)
      } else {
        try write(group, of: index, symbols, to: writer, progress)
      }
    }
    try writer.finish()
    return Result(
      written: writer.statistics, missingBlocks: index.order.missing + index.order.missingAtStart,
      misplacedBlocks: index.order.misplaced, passes: groups.count)
  }

  /// Devices whose events fit in memory together; one by itself may have more.
  private func groups(_ index: TraceIndex) -> [Range<Int>] {
    var events = [Int](repeating: 0, count: index.devices.count)
    for block in index.blocks {
      for (run, device) in zip(block.entry.joinedHeader.runs, block.devices) where device >= 0 {
        events[Int(device)] += run.events
      }
    }
    var groups: [Range<Int>] = []
    var held = 0
    for device in events.indices {
      if let last = groups.last, held + events[device] <= eventsHeld {
        groups[groups.count - 1] = last.lowerBound..<device + 1
        held += events[device]
      } else {
        groups.append(device..<device + 1)
        held = events[device]
      }
    }
    return groups
  }

  /// Writes a device by itself, block by block.
  private func write(
    _ device: Int, of index: TraceIndex, _ symbols: Symbols, to writer: TraceWriter,
    _ progress: ((Int) -> Void)?
  ) throws(TraceError) {
    let blocks = BlockCache(index, symbols: symbols) { block, decoder throws(TraceError) in
      try decoder.decode(
        block.entry, of: index.files[block.file], details: true, observations: .byDevice)
      return true
    }
    let cursor = try DeviceCursor(device: device, from: blocks)
    var name: Device?
    while let batch = try cursor.next() {
      try check(batch.device, is: &name)
      try writer.append(batch.columns, rows: batch.rows, of: batch.device)
      progress?(writer.statistics.events)
    }
  }

  /// Reads the events of several devices into memory and writes them device by device.
  private func write(
    _ group: Range<Int>, of index: TraceIndex, _ symbols: Symbols, to writer: TraceWriter,
    _ progress: ((Int) -> Void)?
  ) throws(TraceError) {
    let decoder = BlockDecoder(symbols: symbols)
    var columns = InputColumns()
    // By block, then by run.
    var rows = [[Range<Int>]](repeating: [], count: index.blocks.count)
    var names = [Device?](repeating: nil, count: group.count)
    for (number, block) in index.blocks.enumerated()
    where block.devices.contains(where: { group.contains(Int($0)) }) {
      try decoder.decode(
        block.entry, of: index.files[block.file], details: true, observations: .byDevice)
      rows[number] = Array(repeating: 0..<0, count: block.devices.count)
      for (place, device) in block.devices.enumerated() where group.contains(Int(device)) {
        let run = decoder.runs[place]
        try check(run.device, is: &names[Int(device) - group.lowerBound])
        let start = columns.count
        columns.append(contentsOf: decoder.columns, rows: run.rows)
        rows[number][place] = start..<columns.count
      }
    }
    for device in group {
      guard let name = names[device - group.lowerBound] else { continue }
      if index.needsMerge(device) {
        let cursor = try DeviceCursor(index.partsByStream(of: device)) { part in
          DeviceCursor.Batch(columns: columns, rows: rows[part.block][part.run], device: name)
        }
        while let batch = try cursor.next() {
          try writer.append(batch.columns, rows: batch.rows, of: name)
        }
      } else {
        for part in index.parts(of: device) {
          try writer.append(columns, rows: rows[part.block][part.run], of: name)
        }
      }
      progress?(writer.statistics.events)
    }
  }

  private func check(_ device: Device, is name: inout Device?) throws(TraceError) {
    guard name == nil || name == device else { throw .devicesOfEqualHash }
    name = device
  }
}
