extension IntegerColumn {
  /// A value or an interval of values that has a symbol.
  private struct Entry {
    var base: Int64
    var bits: UInt8
  }

  /// Makes columns of values; keeps its tables from one column to the next.
  struct Encoder {
    private var histogram = ValueHistogram()

    /// The sections of a column of `values`.
    mutating func encode(_ values: [Int64]) -> [Section] {
      histogram.count(values)
      let (entries, symbolOf) = chooseEntries(values)
      let symbolsPerByte = entries.count <= 16 ? 2 : 1

      var symbols: [UInt8] = []
      symbols.reserveCapacity(values.count)
      var mantissas = BitWriter()
      for value in values {
        let symbol = symbolOf.symbol(of: value)
        let entry = entries[Int(symbol)]
        symbols.append(symbol)
        mantissas.append(UInt64(bitPattern: value &- entry.base), bits: Int(entry.bits))
      }
      mantissas.finish()

      var head = ByteWriter()
      head.append(UInt8(symbolsPerByte))
      head.append(UInt8(entries.count - 1))
      for entry in entries {
        head.appendZigzag(entry.base)
        head.append(entry.bits)
      }
      head.appendVarint(mantissas.bytes.count)
      if entries.count == 1 {
        symbols = []
      } else if symbolsPerByte == 2 {
        symbols = Self.pairs(symbols)
      }
      return [
        Section(kind: .plain, bytes: head.bytes), Section(kind: .symbols, bytes: symbols),
        Section(kind: .mantissas, bytes: mantissas.bytes),
      ]
    }

    private static func pairs(_ symbols: [UInt8]) -> [UInt8] {
      stride(from: 0, to: symbols.count, by: 2).map { index in
        symbols[index] | (index + 1 < symbols.count ? symbols[index + 1] << 4 : 0)
      }
    }

    /// Which symbol a value has.
    private struct SymbolMap {
      private var exact: [Int64: UInt8] = [:]
      /// The same for values near 0, which are most, found without hashing; -1 is none.
      private var near = [Int16](repeating: -1, count: 1_024)
      /// By ``sizeClass(_:isCoarse:)``.
      var classes = [UInt8](repeating: 0, count: 512)
      var isCoarse = false

      mutating func set(_ symbol: UInt8, for value: Int64) {
        exact[value] = symbol
        if (-512..<512).contains(value) { near[Int(value) + 512] = Int16(symbol) }
      }

      func symbol(of value: Int64) -> UInt8 {
        if (-512..<512).contains(value) {
          let symbol = near[Int(value) + 512]
          if symbol >= 0 { return UInt8(symbol) }
        } else if let symbol = exact[value] {
          return symbol
        }
        return classes[sizeClass(value, isCoarse: isCoarse)]
      }
    }

    /// The interval that a value belongs to, as a number below 512.
    ///
    /// Fine ones hold the values from 2^k to 2^(k+1) and their negatives; values beyond 57 bits need
    /// coarse ones, by their highest eight bits.
    private static func sizeClass(_ value: Int64, isCoarse: Bool) -> Int {
      if isCoarse { return 256 + Int(value >> 56) + 128 }
      let size = 64 - value.magnitude.leadingZeroBitCount
      return value < 0 ? 128 + size : size
    }

    private static func interval(_ sizeClass: Int) -> Entry {
      if sizeClass >= 256 { return Entry(base: Int64(sizeClass - 384) << 56, bits: 56) }
      let size = sizeClass & 127
      guard size > 0 else { return Entry(base: 0, bits: 0) }
      let low = Int64(1) << (size - 1)
      return sizeClass < 128
        ? Entry(base: low, bits: UInt8(size - 1))
        : Entry(base: 1 - 2 * low, bits: UInt8(size - 1))
    }

    private mutating func chooseEntries(_ values: [Int64]) -> ([Entry], SymbolMap) {
      var map = SymbolMap()
      map.isCoarse = histogram.distinct.contains { $0.value.magnitude >= 1 << 57 }
      // A value that is seen often is worth an entry without bits.
      let often = max(12, values.count / 3_000)
      var isUsed = [Bool](repeating: false, count: 512)
      var intervals = 0
      func useInterval(of value: Int64) {
        let sizeClass = Self.sizeClass(value, isCoarse: map.isCoarse)
        if !isUsed[sizeClass] { intervals += 1 }
        isUsed[sizeClass] = true
      }
      var frequent: [ValueHistogram.Count] = []
      for entry in histogram.distinct {
        if entry.count >= often {
          frequent.append(entry)
        } else {
          useInterval(of: entry.value)
        }
      }
      frequent.sort { $0.count != $1.count ? $0.count > $1.count : $0.value < $1.value }
      // The least frequent ones give way to intervals where there are too many.
      while frequent.count + intervals > 256, let last = frequent.popLast() {
        useInterval(of: last.value)
      }

      var entries: [Entry] = []
      for value in frequent.map(\.value).sorted() {
        map.set(UInt8(entries.count), for: value)
        entries.append(Entry(base: value, bits: 0))
      }
      for (sizeClass, isUsed) in isUsed.enumerated() where isUsed {
        map.classes[sizeClass] = UInt8(entries.count)
        entries.append(Self.interval(sizeClass))
      }
      return (entries, map)
    }
  }
}

/// Bits packed one after another, the lowest first.
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingBits = 0

  /// Appends the lowest `bits` of a value that has no higher ones; at most 56.
  mutating func append(_ value: UInt64, bits: Int) {
    pending |= value << UInt64(pendingBits)
    pendingBits += bits
    while pendingBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingBits -= 8
    }
  }

  /// Writes the last, partly filled byte.
  mutating func finish() {
    if pendingBits > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    (pending, pendingBits) = (0, 0)
  }
}

/// How often each value of a column occurs: open addressing, as it runs for every event written.
struct ValueHistogram {
  struct Count {
    var value: Int64
    var count: Int
  }

  /// The values, each once, in the order of their first occurrence.
  private(set) var distinct: [Count] = []
  /// Places in ``distinct`` plus 1 by hash; 0 is free.
  private var slots: [Int32] = []
  /// 64 less the bits of a place in ``slots``.
  private var shift = 0

  mutating func count(_ values: [Int64]) {
    distinct.removeAll(keepingCapacity: true)
    // At most half full.
    let wanted = max(16, values.count * 2)
    shift = (wanted - 1).leadingZeroBitCount
    slots = [Int32](repeating: 0, count: 1 << (Int.bitWidth - shift))
    for value in values {
      let place = place(of: value)
      distinct[place].count += 1
    }
  }

  /// The place of a value in ``distinct``, which is new if the value is.
  private mutating func place(of value: Int64) -> Int {
    // The highest bits depend on all of the value's, whose lowest are all 0 in many doubles.
    let hash = UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15
    var slot = Int(hash >> UInt64(shift))
    while slots[slot] != 0 {
      let place = Int(slots[slot]) - 1
      if distinct[place].value == value { return place }
      slot = (slot + 1) & (slots.count - 1)
    }
    distinct.append(Count(value: value, count: 0))
    slots[slot] = Int32(distinct.count)
    return distinct.count - 1
  }
}
