import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Traces with the events of each device together")
struct TraceRegrouperTests {
  /// Random events of several devices in three traces: whole thirds, or each third event, so that streams overlap.
  private func files(
    seed: UInt64, overlapping: Bool, in folder: ScratchFolder
  ) throws -> (files: [TraceFile], symbols: Symbols) {
    let random = RandomInputs(seed: seed, count: 1_500)
    var files: [TraceFile] = []
    for third in 0..<3 {
      let events = random.events.enumerated().filter { row, _ in
        (overlapping ? row % 3 : row * 3 / random.events.count) == third
      }
      let bytes = try TraceMaking.trace(
        of: events.map(\.element), symbols: random.symbols, eventsPerBlock: 90
      ).bytes
      let path = folder.file("\(third).wtrace")
      let output = try FileOutput(path: path)
      try output.write(bytes)
      try output.commit()
      files.append(try TraceFile(path: path))
    }
    return (files, random.symbols)
  }

  /// The events of traces as a replay takes them, device after device.
  private func events(of files: [TraceFile], _ symbols: Symbols) throws -> [Event] {
    let index = try TraceIndex(files: files)
    let blocks = BlockCache(index, symbols: symbols) { block, decoder throws(TraceError) in
      try decoder.decode(block.entry, of: index.files[block.file], details: true)
      return true
    }
    var events: [Event] = []
    for device in index.devices.indices {
      let cursor = try DeviceCursor(device: device, from: blocks)
      while let batch = try cursor.next() {
        for row in batch.rows {
          let time = Timestamp(nanoseconds: batch.columns.times[row])
          events.append(Event(time: time, device: batch.device, input: batch.columns[row]))
        }
      }
    }
    return events
  }

  @Test(
    "hold the events that a replay takes, in its order, whatever fits in memory",
    arguments: [true, false])
  func sameEvents(overlapping: Bool) throws {
    for seed: UInt64 in 0..<6 {
      let (folder, regrouped) = (try ScratchFolder(), try ScratchTrace())
      let (files, symbols) = try files(seed: seed, overlapping: overlapping, in: folder)
      let expected = TraceContents(try events(of: files, symbols))
      for eventsHeld in [1, 700, 1 << 20] {
        let at = "seed \(seed), overlapping \(overlapping), \(eventsHeld) events held"
        let output = MemoryOutput()
        let result = try TraceRegrouper(output: output, level: 1, eventsHeld: eventsHeld)
          .regroup(files)
        #expect(result.written.bytes == Int64(output.bytes.count), "\(at)")
        #expect(eventsHeld < 1 << 20 || result.passes == 1, "\(at): \(result.passes) passes")
        let verification = try regrouped.verify(output.bytes)
        #expect(verification.isWhole, "\(at): \(verification.problems)")
        let difference = try TraceContents(regrouped.path, symbols: symbols)
          .difference(from: expected, symbols)
        #expect(difference == nil, "\(at): \(difference ?? "")")
        let index = try TraceIndex(files: [TraceFile(path: regrouped.path)])
        #expect(!index.devices.indices.contains(where: index.needsMerge), "\(at): streams overlap")
      }
    }
  }

  @Test("keep the number of lost events, and tell missing blocks")
  func losses() throws {
    let symbols = Symbols()
    let device = symbols.devices.intern("watch")
    let encoder = try BlockEncoder(symbols: symbols, level: 1)
    var bytes: [UInt8] = []
    for (sequence, lost) in [(0 as UInt32, 0 as UInt64), (1, 17), (3, 5)] {
      var columns = InputColumns()
      columns.append(.lock, at: Timestamp(nanoseconds: Int64(sequence)))
      bytes += try encoder.encode(
        columns, runs: [DeviceRun(device: device, rows: 0..<1)], stream: 9, sequence: sequence,
        lostBefore: lost
      ).scheduling
    }
    let (given, regrouped) = (try ScratchTrace(), try ScratchTrace())
    try given.hold(bytes)
    let output = MemoryOutput()
    let result = try TraceRegrouper(output: output, level: 1).regroup([TraceFile(path: given.path)])
    #expect(result.missingBlocks == 1)
    #expect(try regrouped.verify(output.bytes).lostEvents == 22)
  }
}
