import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("A trace written anew at another level")
struct TraceRepackerTests {
  /// Two streams with blocks of few events, losses and a missing block among them.
  private func trace(seed: UInt64, level: Int) throws -> (bytes: [UInt8], random: RandomInputs) {
    let random = RandomInputs(seed: seed, count: 1_200)
    let half = random.events.count / 2
    var bytes: [UInt8] = []
    for (events, perBlock) in [(random.events[..<half], 100), (random.events[half...], 33)] {
      bytes += try TraceMaking.trace(
        of: Array(events), symbols: random.symbols, level: level, eventsPerBlock: perBlock
      ).bytes
    }
    return (bytes, random)
  }

  private func repack(_ path: String, level: Int) throws -> MemoryOutput {
    let output = MemoryOutput()
    let statistics = try TraceRepacker(output: output, level: level)
      .repack(try TraceFile(path: path))
    #expect(statistics.bytes == Int64(output.bytes.count))
    return output
  }

  private func headers(_ path: String) throws -> [BlockHeader] {
    var scan = BlockScan(try TraceFile(path: path))
    var headers: [BlockHeader] = []
    while let block = try scan.next() {
      for var header in [block.header] + (block.details.map { [$0.header] } ?? []) {
        header.memberLength = 0
        headers.append(header)
      }
    }
    return headers
  }

  @Test("has the same blocks and events", arguments: RandomSeeds.orFirst(4))
  func sameEvents(seed: UInt64) throws {
    let (bytes, random) = try trace(seed: seed, level: 1)
    let (given, repacked) = (try ScratchTrace(), try ScratchTrace())
    try given.hold(bytes)
    let original = try TraceContents(given.path, symbols: random.symbols)
    for level in [0, 1, 6, 9] {
      let output = try repack(given.path, level: level)
      let verification = try repacked.verify(output.bytes)
      #expect(verification.isWhole, "seed \(seed), level \(level): \(verification.problems)")
      #expect(try headers(repacked.path) == headers(given.path), "seed \(seed), level \(level)")
      let difference = try TraceContents(repacked.path, symbols: random.symbols)
        .difference(from: original, random.symbols)
      #expect(difference == nil, "seed \(seed), level \(level): \(difference ?? "")")
    }
  }

  @Test("has the bytes of one written at that level", arguments: [0, 1, 6])
  func sameBytes(level: Int) throws {
    let given = try ScratchTrace()
    try given.hold(try trace(seed: 7, level: 9).bytes)
    #expect(try repack(given.path, level: level).bytes == trace(seed: 7, level: level).bytes)
  }

  @Test("keeps what was lost before a block, and the gap of one that is missing")
  func losses() throws {
    let symbols = Symbols()
    let device = symbols.devices.intern("watch")
    let encoder = try BlockEncoder(symbols: symbols, level: 1)
    var bytes: [UInt8] = []
    for (sequence, lost) in [(0 as UInt32, 0 as UInt64), (1, 17), (3, 1 << 40)] {
      var columns = InputColumns()
      columns.append(.lock, at: Timestamp(nanoseconds: Int64(sequence)))
      bytes += try encoder.encode(
        columns, runs: [DeviceRun(device: device, rows: 0..<1)], stream: .max, sequence: sequence,
        lostBefore: lost
      ).scheduling
    }
    let (given, repacked) = (try ScratchTrace(), try ScratchTrace())
    try given.hold(bytes)
    try repacked.hold(try repack(given.path, level: 9).bytes)
    let kept = try headers(repacked.path)
    #expect(kept.map(\.lostBefore) == [0, 17, 1 << 40])
    #expect(kept.map(\.sequence) == [0, 1, 3])
    #expect(kept.allSatisfy { $0.stream == .max })
  }

  @Test("is none of a damaged one")
  func damage() throws {
    let given = try ScratchTrace()
    var bytes = try trace(seed: 1, level: 6).bytes
    bytes[bytes.count / 2] ^= 0x55
    try given.hold(bytes)
    #expect(throws: TraceError.self) { try repack(given.path, level: 9) }
  }
}
