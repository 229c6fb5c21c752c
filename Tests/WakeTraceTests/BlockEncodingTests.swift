import Kernels
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

@Suite("Blocks")
struct BlockEncodingTests {
  private struct Made {
    var symbols = Symbols()
    var columns = InputColumns()
    var runs: [DeviceRun] = []
  }

  /// Events of several devices, each with a home source, with few or many names beside theirs.
  private static func make(seed: UInt64, names: Int) -> Made {
    var random = SplitMix64(seed: seed)
    var made = Made()
    for name in 0..<12 { _ = made.symbols.types.intern("type \(name)") }
    for name in 0..<9 { _ = made.symbols.sources.intern("source \(name)") }
    for name in 0..<names {
      _ = made.symbols.types.intern("another type \(name)")
      _ = made.symbols.sources.intern("another source \(name)")
    }
    var time: Int64 = 1_700_000_000_000_000_000
    for device in 0..<4 {
      let start = made.columns.count
      for _ in 0..<400 {
        time += Int64(random.below(5_000)) * 1_000
        let type = SampleType(index: UInt32(min(random.below(12), random.below(12))))
        let source = Source(index: UInt32(random.chance(60) ? device : random.below(9)))
        let input: Input =
          random.chance(5)
          ? .lock
          : random.chance(10)
            ? .delete(type: type, source: source) : .save(Sample(type: type, source: source))
        made.columns.append(input, at: Timestamp(nanoseconds: time))
      }
      let symbol = made.symbols.devices.intern("device \(device)")
      made.runs.append(DeviceRun(device: symbol, rows: start..<made.columns.count))
    }
    return made
  }

  private static func encode(_ made: Made, level: Int) throws -> BlockEncoder.Block {
    try BlockEncoder(symbols: made.symbols, level: level)
      .encode(made.columns, runs: made.runs, stream: 5, sequence: 0)
  }

  @Test("have the same bytes whether few names are known or too many for a table", arguments: 0..<6)
  func denseAndSparse(seed: Int) throws {
    let few = try Self.encode(Self.make(seed: UInt64(seed), names: 0), level: 6)
    let many = try Self.encode(Self.make(seed: UInt64(seed), names: 400), level: 6)
    #expect(few.scheduling == many.scheduling, "seed \(seed)")
  }

  @Test("are read as they were, with few names and many, at levels 0, 1 and 6", arguments: 0..<4)
  func roundTrip(seed: Int) throws {
    let paths = ProcessorPath.available
    for names in [0, 400, 5_000] {
      for level in [0, 1, 6] {
        let made = Self.make(seed: UInt64(seed), names: names)
        let block = try Self.encode(made, level: level)
        let path = paths[(seed + level) % paths.count]
        let decoder = BlockDecoder(symbols: made.symbols, path: path)
        try decoder.decode(scheduling: block.scheduling, details: block.details)
        let what: Comment = "seed \(seed), \(names) names, level \(level), \(path)"
        #expect(decoder.runs == made.runs, what)
        #expect(decoder.columns.times == made.columns.times, what)
        for row in 0..<made.columns.count {
          #expect(decoder.columns[row] == made.columns[row], what)
        }
      }
    }
  }

  @Test("do not depend on what their encoder wrote before")
  func encoderIsReused() throws {
    var made = Self.make(seed: 1, names: 0)
    let fresh = try Self.encode(made, level: 1)
    let encoder = try BlockEncoder(symbols: made.symbols, level: 1)
    var other = Self.make(seed: 2, names: 0)
    other.columns.append(.unlock, at: Timestamp(nanoseconds: 1_800_000_000_000_000_000))
    other.runs[3].rows = other.runs[3].rows.lowerBound..<other.columns.count
    _ = try encoder.encode(other.columns, runs: other.runs, stream: 5, sequence: 0)
    let again = try encoder.encode(made.columns, runs: made.runs, stream: 5, sequence: 0)
    #expect(again.scheduling == fresh.scheduling)

    // Names that come later may be too many for a table.
    for name in 0..<400 {
      _ = made.symbols.types.intern("later type \(name)")
      _ = made.symbols.sources.intern("later source \(name)")
    }
    let later = try encoder.encode(made.columns, runs: made.runs, stream: 5, sequence: 0)
    #expect(later.scheduling == fresh.scheduling)
    made.columns.append(
      .save(Sample(type: SampleType(index: 411), source: Source(index: 408))),
      at: Timestamp(nanoseconds: 1_800_000_000_000_000_000))
    made.runs[3].rows = made.runs[3].rows.lowerBound..<made.columns.count
    let block = try encoder.encode(made.columns, runs: made.runs, stream: 5, sequence: 0)
    let decoder = BlockDecoder(symbols: made.symbols)
    try decoder.decode(scheduling: block.scheduling, details: [])
    #expect(decoder.columns[made.columns.count - 1] == made.columns[made.columns.count - 1])
  }

  @Test("hold their payload as it is at level 0")
  func levelZero() throws {
    let made = Self.make(seed: 3, names: 0)
    let block = try Self.encode(made, level: 0)
    let member = try ForgedMember(block.scheduling)
    let start = GzipMember.prefixLength + member.header.encodedLength
    // What is stored begins behind five bytes, and none of it is code.
    let payload = Array(member.payload.prefix(100))
    #expect(Array(block.scheduling[start + 5..<start + 105]) == payload)
    #expect(block.scheduling.count > member.header.payloadLength)
  }

  @Test("refuse symbols of another table, be there few names or many")
  func foreignSymbols() async {
    await #expect(processExitsWith: .failure) {
      try Self.encodeForeign(names: 0, type: 12, source: 0)
    }
    await #expect(processExitsWith: .failure) {
      try Self.encodeForeign(names: 0, type: 0, source: 9)
    }
    await #expect(processExitsWith: .failure) {
      try Self.encodeForeign(names: 400, type: .max, source: 0)
    }
    await #expect(processExitsWith: .failure) {
      try Self.encodeForeign(names: 400, type: 0, source: .max)
    }
  }

  /// Encodes a block one row of which has a type and a source by their indices.
  private static func encodeForeign(names: Int, type: UInt32, source: UInt32) throws {
    var made = make(seed: 1, names: names)
    made.columns.types[7] = type
    made.columns.sources[7] = source
    _ = try BlockEncoder(symbols: made.symbols, level: 1)
      .encode(made.columns, runs: made.runs, stream: 1, sequence: 0)
  }
}
