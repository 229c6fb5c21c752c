import CKernels
import Testing
import WakeTestSupport

/// Expansion of columns against a loop that reads bit by bit.
@Suite("Kernels that expand columns")
struct ColumnKernelTests {
  /// A column of 4-bit symbols and their mantissas.
  private struct Column {
    let bases: [Int32]
    let bits: [UInt8]
    let symbols: [UInt8]
    /// Two symbols to a byte, and what may be loaded behind them.
    let symbolBytes: [UInt8]
    let mantissas: [UInt8]
    /// Bits that are not padding.
    let end: Int
    let lowest, highest: Int32

    /// - Parameters:
    ///   - bound: Of values from 0 on; nil for any value.
    ///   - missing: Bytes of mantissas that are left out; if negative, so many are added behind those of the rows.
    init(count: Int, bound: Int? = nil, missing: Int = 0, using random: inout SplitMix64) {
      let widest = Int(KERNELS_MANTISSA_BITS)
      let widths = random.pick([[0], [widest], [0, widest], Array(0...widest), [3, 4, 5]])
      // Kernels may add up eight or sixteen integers in 32 bits if these are small.
      let border = Int64(Int32.max) / random.pick([8, 16])
      let high = random.pick([border, border + 1, Int64(Int32.max)])
      let low = high == Int32.max && random.chance(50) ? Int64(Int32.min) : -high
      let areHighest = random.chance(10)
      var bits: [UInt8] = []
      var bases: [Int32] = []
      for _ in 0..<16 {
        let width: Int
        if let bound {
          // As wide as keys of 16 bits may be.
          width = random.below(min(17, Int.bitWidth - bound.leadingZeroBitCount))
        } else {
          width = areHighest ? 0 : random.pick(widths)
        }
        let most = high - (1 << width - 1)
        let base: Int64
        if let bound {
          base = Int64(random.below(bound - (1 << width) + 1))
        } else {
          base = areHighest ? most : random.pick([low, most, most, random.within(low...most)])
        }
        bits.append(UInt8(width))
        bases.append(Int32(base))
      }
      symbols = (0..<count).map { _ in UInt8(random.below(16)) }
      let total = symbols.reduce(0) { $0 + Int(bits[Int($1)]) }
      end = max(0, (total + 7) / 8 - missing) * 8
      let padding = Int(KERNELS_PADDING)
      mantissas = (0..<end / 8 + padding).map { _ in UInt8(random.below(256)) }
      var bytes = [UInt8](repeating: 0, count: (count + 1) / 2 + padding)
      for place in bytes.indices.suffix(padding) { bytes[place] = UInt8(random.below(256)) }
      for (row, symbol) in symbols.enumerated() { bytes[row / 2] |= symbol << (row % 2 * 4) }
      symbolBytes = bytes
      lowest = bases.min() ?? 0
      highest = zip(bases, bits).map { $0 + (1 << Int32($1) - 1) }.max() ?? 0
      // What comes of symbols that no row has is never used.
      for symbol in bits.indices where !symbols.contains(UInt8(symbol)) {
        bits[symbol] = UInt8(random.below(64))
      }
      (self.bases, self.bits) = (bases, bits)
    }

    /// The integers one by one, and whether they take all mantissas to the last byte.
    func integers() -> (values: [Int64], areAll: Bool) {
      var bit = 0
      var values: [Int64] = []
      for symbol in symbols {
        var mantissa: Int64 = 0
        for place in 0..<Int(bits[Int(symbol)]) {
          if bit / 8 < mantissas.count, mantissas[bit / 8] >> UInt8(bit % 8) & 1 > 0 {
            mantissa |= 1 << Int64(place)
          }
          bit += 1
        }
        values.append(Int64(bases[Int(symbol)]) + mantissa)
      }
      return (values, (bit + 7) / 8 == end / 8)
    }

    func with<Result>(_ body: (UnsafePointer<kernels_column>) -> Result) -> Result {
      unsafe bases.withUnsafeBufferPointer { bases in
        unsafe bits.withUnsafeBufferPointer { bits in
          unsafe symbolBytes.withUnsafeBufferPointer { symbols in
            unsafe mantissas.withUnsafeBufferPointer { mantissas in
              let column = unsafe kernels_column(
                bases: bases.baseAddress, bits: bits.baseAddress, symbols: symbols.baseAddress,
                mantissas: mantissas.baseAddress, end: end, lowest: lowest, highest: highest)
              return unsafe withUnsafePointer(to: column) { unsafe body($0) }
            }
          }
        }
      }
    }
  }

  @Test("write the prefix sums of every length", arguments: Implementation.expandingColumns)
  func times(implementation: Implementation) {
    for count in 0...200 {
      for missing in [0, 0, 1, 5, -1] {
        var random = SplitMix64(seed: UInt64(count * 10 + abs(missing)))
        let column = Column(count: count, missing: missing, using: &random)
        let unit = random.pick([
          1, 1_000, 0, Int64(Int32.max), Int64(Int32.max) + 1, Int64(Int32.min),
          Int64(Int32.min) - 1, Int64(UInt32.max), .max, .min, Int64(bitPattern: random.next()),
        ])
        let start = random.pick([0, .max, .min, Int64(bitPattern: random.next())])
        let (values, areAll) = column.integers()
        var times = [Int64](repeating: 42, count: count + 1)
        let isWhole = unsafe times.withUnsafeMutableBufferPointer { times in
          unsafe column.with { column in
            unsafe times.baseAddress.map {
              unsafe implementation.expandTimes(column, count, unit, start, $0)
            }
          }
        }
        #expect(isWhole == areAll, "\(count) rows")
        #expect(times[count] == 42, "\(count) rows")
        guard areAll else { continue }
        var time = start
        for row in 0..<count {
          time &+= values[row] &* unit
          #expect(times[row] == time, "row \(row) of \(count)")
        }
      }
    }
  }

  @Test("look up event keys of every length", arguments: Implementation.expandingColumns)
  func keys(implementation: Implementation) {
    for count in Array(0...200) + [255, 256, 257, 511, 513, 700] {
      var random = SplitMix64(seed: UInt64(count))
      // Of 16 bits, and beyond.
      let keyCount = 2 + random.below(random.pick([300, 300, 65_535, 70_000]))
      let column = Column(
        count: count, bound: random.chance(90) ? keyCount : keyCount + 1,
        missing: random.chance(90) ? 0 : random.pick([1, -1]), using: &random)
      let (values, areAll) = column.integers()
      let subjects = (0..<keyCount).map { _ in
        kernels_subject(
          type: UInt32(truncatingIfNeeded: random.next()), kind: UInt8(random.below(256)))
      }
      let sources = (0..<keyCount).map { _ in
        UInt32(truncatingIfNeeded: random.next())
      }
      let wantsSources = random.chance(50)
      var (types, foundSources) = (
        [UInt32](repeating: 42, count: count + 1), [UInt32](repeating: 42, count: count + 1)
      )
      var kinds = [UInt8](repeating: 42, count: count + 1)
      var isWhole = false
      unsafe subjects.withUnsafeBufferPointer { subjects in
        unsafe sources.withUnsafeBufferPointer { sources in
          unsafe types.withUnsafeMutableBufferPointer { types in
            unsafe kinds.withUnsafeMutableBufferPointer { kinds in
              unsafe foundSources.withUnsafeMutableBufferPointer { foundSources in
                let keys = unsafe kernels_event_keys(
                  subjects: subjects.baseAddress, sources: sources.baseAddress, count: keyCount)
                let rows = unsafe kernels_rows(
                  types: types.baseAddress, kinds: kinds.baseAddress,
                  sources: wantsSources ? foundSources.baseAddress : nil)
                isWhole = unsafe column.with { column in
                  unsafe implementation.expandKeys(column, count, keys, rows)
                }
              }
            }
          }
        }
      }
      let areKeys = values.allSatisfy { 0 <= $0 && $0 < keyCount }
      #expect(isWhole == (areAll && areKeys), "\(count) rows")
      #expect(types[count] == 42 && kinds[count] == 42 && foundSources[count] == 42)
      guard isWhole else { continue }
      for row in 0..<count {
        let key = Int(values[row])
        #expect(types[row] == subjects[key].type && kinds[row] == subjects[key].kind)
        #expect(foundSources[row] == (wantsSources ? sources[key] : 42), "row \(row) of \(count)")
      }
    }
  }

  private static let unknownKeys: [(keys: Int, unknown: [Int32])] = [
    (2, [2, -1, .max, .min]),
    // Of 16 bits: kernels may look them up otherwise.
    (2, [2, 65_535, 32_768, 258]),
    // With the same lower 16 bits as a key.
    (65_536, [65_536, -1, .max, .min]),
    // None is negative, so that only the upper bound tells.
    (65_536, [65_536, 65_536, 65_536, 65_536]),
    // Without any key.
    (0, [0, 0, 0, 0]),
  ]

  @Test(
    "refuse one row that names no key", arguments: Implementation.expandingColumns,
    unknownKeys)
  func wrongKeys(implementation: Implementation, wrongKeys: (keys: Int, unknown: [Int32])) {
    let bases = [0] + wrongKeys.unknown + [Int32](repeating: 0, count: 11)
    let (lowest, highest) = (bases.min() ?? 0, bases.max() ?? 0)
    let bits = [UInt8](repeating: 0, count: 16)
    let subjects = [kernels_subject](
      repeating: kernels_subject(type: 9, kind: 1), count: wrongKeys.keys)
    for count in Array(1...33) + [255, 256, 257, 272] {
      for row in 0..<count {
        var symbols = [UInt8](repeating: 0, count: (count + 1) / 2 + 2 * Int(KERNELS_PADDING))
        symbols[row / 2] = UInt8(1 + (count + row) % 4) << (row % 2 * 4)
        var types = [UInt32](repeating: 0, count: count)
        var kinds = [UInt8](repeating: 0, count: count)
        let isWhole = unsafe bases.withUnsafeBufferPointer { bases in
          unsafe bits.withUnsafeBufferPointer { bits in
            unsafe symbols.withUnsafeBufferPointer { symbols in
              unsafe subjects.withUnsafeBufferPointer { subjects in
                unsafe types.withUnsafeMutableBufferPointer { types in
                  unsafe kinds.withUnsafeMutableBufferPointer { kinds in
                    guard let bytes = symbols.baseAddress else { return true }
                    let column = unsafe kernels_column(
                      bases: bases.baseAddress, bits: bits.baseAddress, symbols: bytes,
                      mantissas: bytes + (count + 1) / 2, end: 0, lowest: lowest,
                      highest: highest)
                    let keys = unsafe kernels_event_keys(
                      subjects: subjects.baseAddress, sources: nil, count: wrongKeys.keys)
                    let rows = unsafe kernels_rows(
                      types: types.baseAddress, kinds: kinds.baseAddress, sources: nil)
                    return unsafe withUnsafePointer(to: column) {
                      unsafe implementation.expandKeys($0, count, keys, rows)
                    }
                  }
                }
              }
            }
          }
        }
        #expect(!isWhole, "row \(row) of \(count)")
      }
    }
  }

  @Test("look up words of every length and number", arguments: Implementation.all)
  func words(implementation: Implementation) {
    for round in 0...1_000 {
      var random = SplitMix64(seed: UInt64(round))
      let count = round % 200
      let wordCount = random.pick([1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 255, 256])
      let words = (0..<count).map { _ in
        UInt8(random.chance(30) ? wordCount - 1 : random.below(wordCount))
      }
      // Borders of what paths add up in bytes or in 16 bits, of 32-bit factors, and of types of a byte.
      let borders: [Int64] = [
        0, 1, 7, 8, 15, 16, 16, 255, 256, 8_191, 8_192, 65_535, 65_536, .max,
      ]
      let highest = random.pick(borders)
      let lowest = random.pick([0, 0, 0, -1, Int64.min])
      let units: [Int64] = [
        1, 1_000_000_000, 0xFFFF_FFFF, 0x1_0000_0000, 0x1_0000_0080, 30_000_000_000,
        0xFF_FFFF_FF00, 0x100_0000_0000, 0x100_0000_0100, 1_200_000_000_000, 3_600_000_000_000,
        86_400_000_000_000, 0x7FFF_FFFF_8000_0000, .max,
      ]
      let unit = random.pick(units)
      let areHighest = random.chance(30)
      let steps = (0..<256).map { _ in
        areHighest
          ? highest : random.pick([highest, lowest, Int64(random.next() >> 1) & highest])
      }
      let highestType = random.pick([UInt32(0), 127, 255, 255, 256, .max])
      let types = (0..<256).map { _ in
        random.chance(10) ? highestType : UInt32(truncatingIfNeeded: random.next()) & highestType
      }
      let start = random.pick([0, .max, .min, Int64(bitPattern: random.next())])
      var time = start
      let times = words.map { word in
        time &+= steps[Int(word)] &* unit
        return time
      }
      let found = implementation.expandWords(
        words, wordCount, steps: steps, unit: unit, types, start)
      let what =
        "\(count) rows of \(wordCount) words, steps to \(highest), unit \(unit), types to \(highestType)"
      #expect(found.times == times + [42], "\(what)")
      #expect(found.types == words.map { types[Int($0)] } + [42], "\(what)")
    }
  }
}
