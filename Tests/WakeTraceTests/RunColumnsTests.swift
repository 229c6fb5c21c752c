import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// The two shapes of the runs of a block.
@Suite("Runs of a block")
struct RunColumnsTests {
  private struct Made {
    var symbols = Symbols()
    var columns = InputColumns()
    var runs: [DeviceRun] = []

    /// Adds a run of saves whose first is at `origin`.
    mutating func append(_ device: String, events: Int, origin: Int64, source: String) {
      let start = columns.count
      let type = symbols.types.intern("HKQuantityTypeIdentifierHeartRate")
      let source = symbols.sources.intern(source)
      for event in 0..<events {
        columns.append(
          .save(Sample(type: type, source: source)),
          at: Timestamp(nanoseconds: origin + Int64(event)))
      }
      runs.append(
        DeviceRun(device: symbols.devices.intern(device), rows: start..<columns.count))
    }

    func member(level: Int = 1) throws -> [UInt8] {
      try BlockEncoder(symbols: symbols, level: level)
        .encode(columns, runs: runs, stream: 5, sequence: 0).scheduling
    }
  }

  /// As files whose devices interleave have them: devices by turns, each with a few events.
  private static func interleaved(_ count: Int) -> Made {
    var random = SplitMix64(seed: UInt64(count))
    var made = Made()
    for run in 0..<count {
      let milliseconds = 1_767_225_600_000 + Int64(random.below(40_000_000))
      made.append(
        "device-\(run % 1_500)", events: 1 + run % 3, origin: milliseconds * 1_000_000,
        source: "source \(run % 1_500 % 7)")
    }
    return made
  }

  /// Times at both ends, devices in any order, and no unit.
  private static func extreme(_ count: Int) -> Made {
    var random = SplitMix64(seed: UInt64(count) + 9)
    var made = Made()
    var last = -1
    let (lowest, highest) = (Timestamp.validRange.lowerBound, Timestamp.validRange.upperBound)
    for _ in 0..<count {
      var device = Int(random.below(40))
      if device == last { device += 1 }
      last = device
      let origin = random.pick([lowest, highest - 4_000, 0, 1])
      made.append(
        "device-\(device)", events: 1 + Int(random.below(200)), origin: origin,
        source: "source \(random.below(300))")
    }
    return made
  }

  private static func constant(_ count: Int) -> Made {
    var made = Made()
    for run in 0..<count { made.append("\(run)", events: 1, origin: -7, source: "a") }
    return made
  }

  private func expectBack(_ member: [UInt8], _ made: Made, _ what: Comment) throws {
    let decoder = BlockDecoder(symbols: made.symbols)
    // What an earlier block left in the reader has no effect.
    try decoder.decode(scheduling: Self.interleaved(100).member(), details: [])
    try decoder.decode(scheduling: member, details: [])
    #expect(decoder.columns.times == made.columns.times, what)
    #expect(decoder.columns.sources == made.columns.sources, what)
    #expect(decoder.runs == made.runs, what)
  }

  /// The same block with its runs in the shape that few of them have.
  private func listed(_ made: Made) throws -> [UInt8] {
    var member = try ForgedMember(made.member())
    let place = try #require(member.columns.firstIndex { $0.id == Column.manyRuns.rawValue })
    member.columns[place] = (Column.runs.rawValue, try runsColumn(made))
    return try member.bytes()
  }

  private func runsColumn(_ made: Made) throws -> [UInt8] {
    var (devices, sources): ([Device], [Source]) = ([], [])
    var writer = ByteWriter()
    writer.appendVarint(made.runs.count)
    var previous: Int64 = 0
    for run in made.runs {
      let source = Source(index: made.columns.sources[run.rows.lowerBound])
      if !devices.contains(run.device) { devices.append(run.device) }
      if !sources.contains(source) { sources.append(source) }
      writer.appendVarint(try #require(devices.firstIndex(of: run.device)))
      writer.appendVarint(try #require(sources.firstIndex(of: source)))
      writer.appendVarint(run.rows.count)
      let origin = made.columns.times[run.rows.lowerBound]
      writer.appendZigzag(origin &- previous)
      previous = origin
    }
    return writer.bytes
  }

  @Test("have a column for each field from 64 on", arguments: [1, 2, 63, 64, 65, 700, 2_048])
  func shapes(count: Int) throws {
    for (name, made) in [
      ("interleaved", Self.interleaved(count)), ("extreme", Self.extreme(min(count, 600))),
      ("constant", Self.constant(count)),
    ] {
      let member = try made.member()
      let ids = try ForgedMember(member).columns.map(\.id)
      let (expected, other) = made.runs.count < 64 ? (UInt8(2), UInt8(8)) : (8, 2)
      #expect(ids.contains(expected) && !ids.contains(other), "\(name), \(count): \(ids)")
      try expectBack(member, made, "\(name), \(count) runs")
      if made.runs.count >= 64 {
        try expectBack(listed(made), made, "\(name), \(count) runs, one behind the other")
      }
    }
  }

  @Test(
    "take no more bytes than one behind the other, and two thirds where there are many",
    arguments: [(64, 1.0), (100, 1.0), (2_048, 2.0 / 3)])
  func size(count: Int, most: Double) throws {
    let made = Self.interleaved(count)
    let column = try #require(
      ForgedMember(made.member()).columns.first { $0.id == Column.manyRuns.rawValue })
    let bytes = try Deflater.stream(of: [column.bytes], level: 6).count
    let listed = try Deflater.stream(of: [try runsColumn(made)], level: 6).count
    #expect(Double(bytes) <= most * Double(listed), "\(count) runs: \(bytes), not \(listed)")
  }

  @Test("that contradict the header or the lists of names are refused")
  func lies() throws {
    let made = Self.interleaved(70)
    var integers = IntegerColumn.Encoder()
    let (devices, sources) = (70, 7)
    /// The column with other fields than the block's.
    func column(
      unit: UInt64 = 1_000_000, _ change: (inout [[Int64]]) -> Void = { _ in }
    ) -> [UInt8] {
      var fields = [[Int64]](repeating: [], count: 4)
      var previous = made.columns.times[0]
      for (number, run) in made.runs.enumerated() {
        fields[0].append(1)
        fields[1].append(Int64(number % sources))
        fields[2].append(Int64(run.rows.count))
        fields[3].append((made.columns.times[run.rows.lowerBound] - previous) / 1_000_000)
        previous = made.columns.times[run.rows.lowerBound]
      }
      change(&fields)
      var writer = ByteWriter()
      writer.appendZigzag(made.columns.times[0])
      writer.appendVarint(unit)
      for field in fields {
        for section in integers.encode(field) { writer.append(bytes: section.bytes) }
      }
      return writer.bytes
    }
    let whole = try ForgedMember(made.member())
    let place = try #require(whole.columns.firstIndex { $0.id == Column.manyRuns.rawValue })
    func forged(_ bytes: [UInt8]) throws -> [UInt8] {
      var member = whole
      member.columns[place].bytes = bytes
      return try member.bytes()
    }
    try expectBack(forged(column()), made, "as it is")
    let lies: [(String, [UInt8])] = [
      ("a device beyond the list", column { $0[0][0] = Int64(devices) }),
      ("a device before the list", column { $0[0][0] = 0 }),
      ("another device", column { $0[0][5] = 2 }),
      ("the lowest of steps", column { $0[0][5] = .min }),
      ("a source beyond the list", column { $0[1][3] = Int64(sources) }),
      ("a negative source", column { $0[1][3] = -1 }),
      ("an event more", column { $0[2][3] += 1 }),
      ("negative events", column { $0[2][3] = -1 }),
      ("as many events as can be said", column { $0[2][3] = .max }),
      ("another origin", column { $0[3][69] += 100_000_000 }),
      ("the highest of distances", column { $0[3][1] = .max }),
      ("two runs less", column { fields in for field in 0..<4 { fields[field].removeLast(2) } }),
      ("two runs more", column { fields in for field in 0..<4 { fields[field] += [1, 1] } }),
      ("no unit", column(unit: 0)),
      ("a unit beyond 63 bits", column(unit: 1 << 63)),
      ("a byte more", column() + [0]),
      ("a byte less", column().dropLast()),
      ("nothing", []),
    ].map { ($0.0, Array($0.1)) }
    for (what, bytes) in lies {
      let decoder = BlockDecoder(symbols: made.symbols)
      #expect(throws: BlockError.self, "\(what)") {
        try decoder.decode(scheduling: try forged(bytes), details: [])
      }
    }
    var both = whole
    both.columns.append((Column.runs.rawValue, try runsColumn(made)))
    var neither = whole
    neither.columns.remove(at: place)
    for (what, member) in [("both shapes", both), ("neither shape", neither)] {
      let decoder = BlockDecoder(symbols: made.symbols)
      #expect(throws: BlockError.self, "\(what)") {
        try decoder.decode(scheduling: try member.bytes(), details: [])
      }
    }
  }
}
