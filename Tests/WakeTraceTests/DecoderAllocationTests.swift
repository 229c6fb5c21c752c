import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("What reading a block allocates", .enabled(if: AllocationCounter.isAvailable))
struct DecoderAllocationTests {
  private static let names = 20

  /// The allocations of decoding the only block of a file of saves again, once all is warm.
  private func allocations(ofDecoding events: Int, details: Bool) throws -> Int {
    let symbols = Symbols()
    let types = (0..<Self.names).map { symbols.types.intern("HKQuantityTypeIdentifier\($0)") }
    let source = symbols.sources.intern("a source with a name")
    let device = symbols.devices.intern("")
    let folder = try ScratchFolder()
    let path = folder.path + "/saves.wtrace"
    let output = try FileOutput(path: path)
    let assembler = try TraceAssembler(to: output, symbols: symbols, sorted: false)
    var random = SplitMix64(seed: 1)
    var time: Int64 = 1_700_000_000_000_000_000
    for _ in 0..<events {
      time += random.within(1...2_000_000_000)
      var sample = Sample(type: random.pick(types), source: source)
      if details { sample.value = Double(random.below(200)) }
      try assembler.append(
        Event(time: Timestamp(nanoseconds: time), device: device, input: .save(sample)))
    }
    _ = try assembler.finish()
    try output.commit()

    let file = try TraceFile(path: path)
    var scan = BlockScan(file)
    let block = try #require(try scan.next())
    let decoder = BlockDecoder(symbols: symbols)
    for _ in 0..<2 { try decoder.decode(block, of: file, details: details) }
    let made = try AllocationCounter.allocations {
      try decoder.decode(block, of: file, details: details)
    }
    #expect(decoder.columns.count == events)
    return made.count
  }

  @Test("is nothing for an event and little for a block", arguments: [false, true])
  func perBlock(details: Bool) throws {
    let few = try allocations(ofDecoding: 2_000, details: details)
    let many = try allocations(ofDecoding: 65_536, details: details)
    #if DEBUG
      // Unoptimised, generic code of the standard library allocates on its own account.
      #expect(many <= 6 * 65_536, "\(many)")
    #else
      #expect(many == few, "\(few) for 2,000 events, \(many) for 65,536")
      #expect(many <= 2 * Self.names + 80, "\(many)")
    #endif
  }
}
