import CKernels
import Kernels
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeTrace

/// Compares each processor path with the portable one.
@Suite("Columns on each processor path")
struct ColumnPathTests {
  /// What comes of reading a block.
  private enum Outcome: Equatable {
    case rows(times: [Int64], kinds: [UInt8], types: [UInt32], sources: [UInt32])
    case refused(String)
  }

  private static func read(
    _ member: [UInt8], _ symbols: Symbols, sources: Bool, path: ProcessorPath
  ) -> Outcome {
    let decoder = BlockDecoder(symbols: symbols, path: path)
    do throws(BlockError) {
      try decoder.decode(scheduling: member, details: [], sources: sources)
      let columns = decoder.columns
      if let orderliness = decoder.orderliness {
        #expect(decoder.runs.allSatisfy { holds(orderliness, columns, $0.rows) })
      }
      return .rows(
        times: Array(columns.times.prefix(columns.count)),
        kinds: Array(columns.kinds.prefix(columns.count)),
        types: Array(columns.types.prefix(columns.count)),
        sources: columns.sources)
    } catch let error {
      return .refused("\(error)")
    }
  }

  private static func holds(
    _ orderliness: Orderliness, _ columns: InputColumns, _ rows: Range<Int>
  ) -> Bool {
    let times = Array(columns.times[rows])
    return times == times.sorted()
      && columns.types[rows].allSatisfy { $0 < orderliness.typeEnd }
      && columns.kinds[rows].allSatisfy { $0 == 0 || $0 == 1 && orderliness.hasDeletes }
  }

  /// A block of runs of all lengths, or of short ones only.
  ///
  /// - Parameters:
  ///   - keys: The number of types.
  ///   - step: The longest.
  private static func block(
    keys: Int, step: Int, using random: inout SplitMix64
  ) throws -> (member: [UInt8], symbols: Symbols) {
    let symbols = Symbols()
    var columns = InputColumns()
    var runs: [DeviceRun] = []
    let types = (0..<keys).map { symbols.types.intern("type \($0)") }
    let sources = (0..<5).map { symbols.sources.intern("source \($0)") }
    let deletes = random.pick([0, 20])
    let lengths = [1, 2, 7, 8, 9, 30] + (random.chance(50) ? [255, 256, 257, 1_500] : [])
    var time: Int64 = 1_700_000_000_000_000_000
    while columns.count < 4_300 {
      let start = columns.count
      for _ in 0..<random.pick(lengths) {
        time += Int64(random.below(random.chance(90) ? max(1, step / 50) : step)) * 1_000
        let source = random.chance(60) ? sources[runs.count % 5] : random.pick(sources)
        let type = types[min(random.below(keys), random.below(keys))]
        columns.append(
          random.chance(deletes)
            ? .delete(type: type, source: source) : .save(Sample(type: type, source: source)),
          at: Timestamp(nanoseconds: time))
      }
      let device = symbols.devices.intern("device \(runs.count)")
      runs.append(DeviceRun(device: device, rows: start..<columns.count))
    }
    let encoder = try BlockEncoder(symbols: symbols, level: 0)
    let block = try encoder.encode(columns, runs: runs, stream: 1, sequence: 0)
    return (block.scheduling, symbols)
  }

  private static let shapes = [
    (keys: 1, step: 4), (keys: 3, step: 5), (keys: 4, step: 8), (keys: 16, step: 16),
    (keys: 400, step: 2_000_000), (keys: 3_000, step: 200_000_000),
    (keys: 2_000, step: 1 << 33),
  ]

  @Test("are those that are read one by one", arguments: shapes.indices)
  func whole(shape: Int) throws {
    for seed in 0..<4 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (keys, step) = Self.shapes[shape]
      let (member, symbols) = try Self.block(keys: keys, step: step, using: &random)
      let sources = seed % 2 == 0
      let plain = Self.read(member, symbols, sources: sources, path: .portable)
      for path in ProcessorPath.available {
        let found = Self.read(member, symbols, sources: sources, path: path)
        #expect(found == plain, "seed \(seed), \(path)")
      }
      if case .refused(let why) = plain { Issue.record("seed \(seed): \(why)") }
    }
  }

  @Test(
    "are those that are read one by one, or refused alike, where blocks lie",
    arguments: shapes.indices)
  func lies(shape: Int) throws {
    var random = SplitMix64(seed: UInt64(shape))
    let (keys, step) = Self.shapes[shape]
    let (member, symbols) = try Self.block(keys: keys, step: step, using: &random)
    let original = try ForgedMember(member)
    var refused = 0
    for number in 0..<60 {
      var forged = original
      var columns = forged.columns
      let column = random.below(columns.count)
      guard !columns[column].bytes.isEmpty else { continue }
      for _ in 0...random.below(2) {
        let end = columns[column].bytes.count
        let place = random.below(random.chance(70) ? min(end, 60) : end)
        columns[column].bytes[place] = UInt8(random.below(256))
      }
      forged.columns = columns
      let bytes = try forged.bytes()
      let sources = random.chance(50)
      let plain = Self.read(bytes, symbols, sources: sources, path: .portable)
      for path in ProcessorPath.available {
        let found = Self.read(bytes, symbols, sources: sources, path: path)
        #expect(found == plain, "lie \(number), \(path)")
      }
      if case .refused = plain { refused += 1 }
    }
    #expect(refused > 0, "none of the lies was found")
  }

  /// Columns as no encoder would write them: entries of any base and size, the widest ones too.
  @Test("do not depend on the words of the block before", arguments: ProcessorPath.available)
  func wordsInTurn(path: ProcessorPath) throws {
    let symbols = Symbols()
    let types = (0..<320).map { symbols.types.intern("type \($0)") }
    let source = symbols.sources.intern("source")
    let device = symbols.devices.intern("device")
    /// A block in which each type comes with each step, in seconds.
    func block(_ types: ArraySlice<SampleType>, steps: [Int64]) throws -> [UInt8] {
      var columns = InputColumns()
      var time: Int64 = 1_700_000_000
      for row in 0..<2_000 {
        time += steps[row / types.count % steps.count]
        let type = types[types.startIndex + row % types.count]
        columns.append(
          .save(Sample(type: type, source: source)),
          at: Timestamp(nanoseconds: time * 1_000_000_000))
      }
      let runs = [DeviceRun(device: device, rows: 0..<columns.count)]
      return try BlockEncoder(symbols: symbols, level: 0)
        .encode(columns, runs: runs, stream: 1, sequence: 0).scheduling
    }
    // 60 words with types beyond a byte, 60 with long steps, 4 words, 40 words.
    let members = try [
      block(types[300...], steps: [0, 1, 2]), block(types[..<20], steps: [1, 9_000, 70_000]),
      block(types[..<2], steps: [1, 2]), block(types[..<20], steps: [3_600, 7_200]),
    ]
    let decoder = BlockDecoder(symbols: symbols, path: path)
    for (number, place) in [0, 2, 1, 2, 3, 0, 3, 1, 3, 2].enumerated() {
      let sources = number / 3 % 2 > 0
      try decoder.decode(scheduling: members[place], details: [], sources: sources)
      let alone = BlockDecoder(symbols: symbols, path: .portable)
      try alone.decode(scheduling: members[place], details: [], sources: sources)
      #expect(decoder.columns.times == alone.columns.times, "block \(place)")
      #expect(decoder.columns.types == alone.columns.types, "block \(place)")
      #expect(decoder.columns.sources == alone.columns.sources, "block \(place)")
      #expect(alone.columns.sources.isEmpty == !sources, "block \(place)")
    }
  }

  @Test("are those of any column that is in pairs", .expandsColumns)
  func columns() throws {
    let available = ProcessorPath.available.last(where: \.expandsColumns)
    let path = try #require(available)
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let count = 1 + random.below(80)
      let widest = Int(KERNELS_MANTISSA_BITS)
      let narrowest = random.pick([0, 0, widest])
      let bits = (0..<16).map { _ in
        narrowest + random.below(widest + 1 - narrowest)
      }
      let symbols = (0..<count).map { _ in UInt8(random.below(16)) }
      let whole = (symbols.reduce(0) { $0 + bits[Int($1)] } + 7) / 8
      let mantissas = max(0, whole + random.pick([0, 0, 0, -1, 1, -40]))
      var writer = ByteWriter()
      writer.append(2 as UInt8)
      writer.append(15 as UInt8)
      for bits in bits {
        writer.appendZigzag(random.within(-1 << 31...(1 << 31) - (1 << widest)))
        writer.append(UInt8(bits))
      }
      writer.appendVarint(UInt64(mantissas))
      for row in stride(from: 0, to: count, by: 2) {
        writer.append(symbols[row] | (row + 1 < count ? symbols[row + 1] << 4 : 0))
      }
      for _ in 0..<mantissas { writer.append(UInt8(random.below(256))) }
      let length = writer.bytes.count
      let payload = writer.bytes + [UInt8](repeating: 0xA5, count: IntegerColumn.padding)
      var column = IntegerColumnReader()
      var reader = ByteReader(payload, in: 0..<length, subject: "column")
      try column.read(&reader, payload: payload, count: count)
      var simdColumn = IntegerColumnReader(path: path)
      reader = ByteReader(payload, in: 0..<length, subject: "column")
      try simdColumn.read(&reader, payload: payload, count: count)
      #expect(!column.usesSIMD && simdColumn.usesSIMD, "seed \(seed)")

      let unit = Int64(random.pick([1, 1_000, 1 << 40]))
      var time: Int64 = 1
      var sums: [Int64] = []
      let isWhole = column.withCursor(payload) { cursor in
        cursor.forEach(0..<count) { _, step in
          time &+= step &* unit
          sums.append(time)
          return true
        }
      }
      let expected = isWhole ? sums : nil
      var times = [Int64](repeating: 0, count: count)
      let areWhole = unsafe times.withUnsafeMutableBufferPointer { times in
        guard let times = times.baseAddress else { return false }
        return unsafe simdColumn.withSIMDColumn(payload) { column in
          unsafe kernels_expand_times(path.kernelsPath, column, count, unit, 1, times)
        }
      }
      #expect((areWhole ? times : nil) == expected, "seed \(seed), \(count) rows")
    }
  }

  @Test("are those of entries whose mantissas and values are not too wide")
  func borders() throws {
    // No row is read, so the processor need not have the path.
    guard let path = ProcessorPath.all.last(where: \.expandsColumns) else { return }
    let most = Int(KERNELS_MANTISSA_BITS)
    let highest = (1 << 31 as Int64) - (1 << most)
    let entries: [(base: Int64, bits: Int, usesSIMD: Bool)] = [
      (0, most, true), (0, most + 1, false), (highest, most, true), (highest + 1, most, false),
      (-1 << 31, 0, true), (-1 << 31 - 1, 0, false),
    ]
    for entry in entries {
      var writer = ByteWriter()
      writer.append(2 as UInt8)
      writer.append(1 as UInt8)
      writer.appendZigzag(entry.base)
      writer.append(UInt8(entry.bits))
      writer.appendZigzag(0)
      writer.append(0 as UInt8)
      writer.appendVarint(0)
      var column = IntegerColumnReader(path: path)
      var reader = ByteReader(writer.bytes, in: 0..<writer.bytes.count, subject: "column")
      try column.read(&reader, payload: writer.bytes, count: 0)
      #expect(column.usesSIMD == entry.usesSIMD, "\(entry)")
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test of this processor's vector kernels; CKernelsTests runs them in plain C on every machine.
  fileprivate static var expandsColumns: ConditionTrait {
    .enabled(if: ProcessorPath.available.contains(where: \.expandsColumns), "needs AVX2")
  }
}
