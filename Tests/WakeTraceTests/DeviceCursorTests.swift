import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Cursors over devices")
struct DeviceCursorTests {
  /// An index of three captures of the same devices at the same times, and the table of their names.
  private struct Captures {
    let symbols = Symbols()
    let folder: ScratchFolder
    let index: TraceIndex

    init(devices: Int, events: Int) throws {
      folder = try ScratchFolder()
      let symbols = symbols
      let types = ["a", "b", "c"].map { symbols.types.intern($0) }
      let source = symbols.sources.intern("source")
      var random = SplitMix64(seed: UInt64(devices))
      var files: [TraceFile] = []
      for capture in 0..<3 {
        let output = try FileOutput(path: folder.file("\(capture).wtrace"))
        let assembler = try TraceAssembler(to: output, symbols: symbols, sorted: false)
        for event in 0..<events {
          for device in 0..<devices {
            let time = Int64(event * 100 + random.below(150))
            try assembler.append(
              Event(
                time: Timestamp(nanoseconds: time),
                device: symbols.devices.intern("device \(device)"),
                input: .save(Sample(type: random.pick(types), source: source))))
          }
        }
        _ = try assembler.finish()
        try output.commit()
        files.append(try TraceFile(path: folder.file("\(capture).wtrace")))
      }
      index = try TraceIndex(files: files)
    }

    /// All that a cursor shows of all devices, and how often a block was decoded for it.
    func walk(window: Int?) throws -> (events: [Event], decoded: Int) {
      var decoded = 0
      let blocks = BlockCache(index, symbols: symbols) { block, decoder throws(TraceError) in
        decoded += 1
        try decoder.decode(block.entry, of: index.files[block.file], details: true)
        return true
      }
      var events: [Event] = []
      for device in index.devices.indices {
        let cursor = try DeviceCursor(device: device, from: blocks, window: window)
        while let batch = try cursor.next() {
          for row in batch.rows {
            events.append(
              Event(
                time: Timestamp(nanoseconds: batch.columns.times[row]), device: batch.device,
                input: batch.columns[row]))
          }
        }
      }
      return (events, decoded)
    }
  }

  @Test("decode a block once for all the devices in it")
  func decodeOnce() throws {
    let captures = try Captures(devices: 50, events: 20)
    let merged = captures.index.devices.indices.filter { captures.index.needsMerge($0) }
    #expect(merged.count == 50)
    let walk = try captures.walk(window: nil)
    #expect(walk.events.count == 3 * 50 * 20)
    #expect(walk.decoded == captures.index.blocks.count)
  }

  @Test("show the same whatever they keep at hand", arguments: [1, 2, 7, 64, 1_000])
  func showTheSame(window: Int) throws {
    let captures = try Captures(devices: 5, events: 60)
    let whole = try captures.walk(window: nil)
    let windowed = try captures.walk(window: window)
    #expect(windowed.events == whole.events, "window \(window)")
  }
}
