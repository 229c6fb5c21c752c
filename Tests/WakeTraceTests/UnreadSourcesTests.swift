import Foundation
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Blocks whose sources are not read")
struct UnreadSourcesTests {
  private let scratch: ScratchFolder
  private let symbols = Symbols()

  init() throws { scratch = try ScratchFolder() }

  /// Saves of sources that differ, with an observed wake after every third.
  private func write() throws -> String {
    let device = symbols.devices.intern("watch")
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    let sources = ["home", "other", "third"].map(symbols.sources.intern)
    let events = (0..<30).map { row in
      Event(
        time: Timestamp(nanoseconds: Int64(row) * 1_000_000_000), device: device,
        input: row % 4 == 3
          ? .observed(app: app, Observation(types: [type]))
          : .save(Sample(type: type, source: sources[row % 3])))
    }
    let path = scratch.file("trace.wtrace")
    let trace = try TraceMaking.trace(of: events, symbols: symbols)
    try Data(trace.bytes).write(to: URL(filePath: path))
    return path
  }

  private func decode(
    _ path: String, sources: Bool, observations: Bool
  ) throws -> InputColumns {
    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let decoder = BlockDecoder(symbols: symbols)
    let block = try #require(try scan.next())
    try decoder.decode(block, of: file, sources: sources, observations: observations)
    return decoder.columns
  }

  @Test("have no sources, unless observations are read too")
  func observations() throws {
    let path = try write()
    let inputs = try decode(path, sources: false, observations: false)
    #expect(inputs.sources.isEmpty)
    let whole = try decode(path, sources: true, observations: false)
    #expect(Set(whole.sources).count > 1)
    #expect(inputs.times == whole.times)
    #expect(inputs.types == whole.types)
    let all = try decode(path, sources: false, observations: true)
    let expected = try decode(path, sources: true, observations: true)
    #expect(all.count > whole.count)
    #expect(
      (0..<all.count).map { all[$0] } == (0..<expected.count).map { expected[$0] })
  }
}
