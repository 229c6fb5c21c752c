extension IntegerColumn {
  /// A value, or an interval of values, with a symbol of its own.
  struct Entry {
    var base: Int64
    var bits: UInt8
  }

  /// The entries of a column: the frequent values in ascending order, without mantissas, then intervals.
  struct EntryList {
    /// The most entries: one byte is a symbol.
    static let most = 256

    private(set) var entries: [Entry] = []
    private(set) var frequentCount = 0
    private(set) var symbolOfInterval = [UInt8](repeating: 0, count: ValueInterval.count)
    private var isUsed = [Bool](repeating: false, count: ValueInterval.count)
    private var usedCount = 0

    /// The count from which a value is frequent and gets an entry.
    static func often(among count: Int) -> Int { max(12, count / 3_000) }

    mutating func use(_ interval: Int) {
      if !isUsed[interval] { usedCount += 1 }
      isUsed[interval] = true
    }

    mutating func set(_ groups: Groups, intervals: [Int]) {
      frequentCount = 0
      entries = groups.entries
      for (interval, symbol) in zip(intervals, groups.symbolOfRange) {
        symbolOfInterval[interval] = symbol
      }
    }

    /// Sets the entries from the frequent values by descending count. If there are too many, the last become intervals.
    mutating func set(frequent: [Int64], isCoarse: Bool) {
      var frequent = frequent
      while frequent.count + usedCount > Self.most, let last = frequent.popLast() {
        use(ValueInterval.of(last, isCoarse: isCoarse))
      }
      frequentCount = frequent.count
      entries = frequent.sorted().map { Entry(base: $0, bits: 0) }
      for (interval, isUsed) in isUsed.enumerated() where isUsed {
        symbolOfInterval[interval] = UInt8(entries.count)
        entries.append(ValueInterval.entry(interval))
      }
    }
  }

  /// The intervals that entries may have, by number.
  enum ValueInterval {
    static let count = 512

    /// The interval of a value.
    ///
    /// Fine intervals are 2^k ..< 2^(k+1) and their negatives. If any value needs more than 57 bits, all use coarse
    /// intervals by their highest eight bits.
    @inline(__always)
    static func of(_ value: Int64, isCoarse: Bool) -> Int {
      isCoarse ? 384 &+ Int(value &>> 56) : fine(value)
    }

    @inline(__always)
    static func fine(_ value: Int64) -> Int {
      let size = 64 &- value.magnitude.leadingZeroBitCount
      return value < 0 ? 128 &+ size : size
    }

    /// The fine intervals in ascending order of values.
    static let fineByValue = (129...192).reversed() + Array(0...64)

    static func entry(_ interval: Int) -> Entry {
      if interval >= 256 { return Entry(base: Int64(interval - 384) << 56, bits: 56) }
      let size = interval & 127
      guard size > 0 else { return Entry(base: 0, bits: 0) }
      let low = Int64(1) << (size - 1)
      return interval < 128
        ? Entry(base: low, bits: UInt8(size - 1))
        : Entry(base: 1 - 2 * low, bits: UInt8(size - 1))
    }
  }

  private struct SymbolLookup {
    /// Symbols of the values near 0, then of the intervals.
    private(set) var table: [UInt8]
    private(set) var areFrequentNear = true
    /// A hash table of the frequent values far from 0, with linear probing; 0 is free.
    private(set) var farValues: [Int64] = []
    private(set) var farSymbols: [UInt8] = []

    init(_ list: EntryList, isCoarse: Bool) {
      let reach = ValueCensus.reach
      table = (-reach..<reach).map {
        list.symbolOfInterval[ValueInterval.of($0, isCoarse: isCoarse)]
      }
      table += list.symbolOfInterval
      for (symbol, entry) in list.entries[..<list.frequentCount].enumerated() {
        if (-reach..<reach).contains(entry.base) {
          table[Int(entry.base + reach)] = UInt8(symbol)
          continue
        }
        if areFrequentNear {
          areFrequentNear = false
          farValues = [Int64](repeating: 0, count: Self.farPlaces)
          farSymbols = [UInt8](repeating: 0, count: Self.farPlaces)
        }
        var place = Self.farPlace(entry.base)
        while farValues[place] != 0 { place = (place + 1) & (Self.farPlaces - 1) }
        farValues[place] = entry.base
        farSymbols[place] = UInt8(symbol)
      }
    }

    /// The size of the hash table: so large that a lookup of another value mostly ends at once.
    static let farPlaces = 4_096

    @inline(__always)
    static func farPlace(_ value: Int64) -> Int {
      Int(truncatingIfNeeded: (UInt64(bitPattern: value) &* 0x9E37_79B9_7F4A_7C15) &>> 52)
    }
  }

  /// Encodes columns; reuses its tables from column to column.
  struct Encoder {
    private var census = ValueCensus()
    private var packed: [UInt8] = []

    /// The sections of a column of `values`. With `groups`, symbols of half a byte may be chosen at a slight cost.
    mutating func encode(_ values: [Int64], groups: Bool = false) -> [Section] {
      census.take(values, often: EntryList.often(among: values.count))
      let isCoarse = census.allSizes >> 57 > 0
      var list = EntryList()
      for value in census.otherNear { list.use(ValueInterval.of(value, isCoarse: isCoarse)) }
      let frequent = census.frequent.sorted {
        $0.count != $1.count ? $0.count > $1.count : $0.value < $1.value
      }.map(\.value)
      if isCoarse {
        let known = Set(frequent)
        for value in values where !known.contains(value) {
          list.use(ValueInterval.of(value, isCoarse: true))
        }
      } else {
        for bit in 0..<57 {
          if census.positiveSizes >> UInt64(bit) & 1 > 0 { list.use(bit + 1) }
          if census.negativeSizes >> UInt64(bit) & 1 > 0 { list.use(bit + 129) }
        }
      }
      list.set(frequent: frequent, isCoarse: isCoarse)
      if groups, !isCoarse, list.entries.count > Groups.most, values.count >= Groups.leastIntegers {
        group(values, &list)
      }
      let lookup = SymbolLookup(list, isCoarse: isCoarse)
      return unsafe values.withUnsafeBufferPointer { values in
        unsafe lookup.table.withUnsafeBufferPointer { table in
          if lookup.areFrequentNear, !isCoarse {
            return column(list, count: values.count) {
              let value = unsafe values[$0]
              return unsafe (value, table[Self.place(value, isCoarse: false)])
            }
          }
          return column(list, count: values.count) {
            let value = unsafe values[$0]
            return unsafe (value, Self.symbol(of: value, lookup, table, isCoarse: isCoarse))
          }
        }
      }
    }

    private func group(_ values: [Int64], _ list: inout EntryList) {
      var counts = [Int](repeating: 0, count: ValueInterval.count)
      // Unsafe, since it runs once an event; there is a count for each interval.
      unsafe counts.withUnsafeMutableBufferPointer { counts in
        for value in values { unsafe counts[ValueInterval.fine(value)] &+= 1 }
      }
      let intervals = ValueInterval.fineByValue.filter { counts[$0] > 0 }
      let ranges = intervals.map { interval in
        let entry = ValueInterval.entry(interval)
        return ValueRange(
          low: entry.base, high: entry.base &+ (1 << Int64(entry.bits) - 1),
          count: counts[interval])
      }
      for frequent in census.frequent {
        counts[ValueInterval.fine(frequent.value)] -= frequent.count
      }
      if let groups = Groups(
        ranges, frequent: census.frequent.map(\.count), others: counts, integers: values.count)
      {
        list.set(groups, intervals: intervals)
      }
    }

    /// Groups of ranks and the symbol of each rank, if they are nearly as small as the list.
    private func group(
      ranks counts: [UInt32], count: Int, _ list: EntryList
    ) -> (groups: Groups, symbols: [UInt8])? {
      var ranges: [ValueRange] = []
      var low = 0
      while low < counts.count {
        // Four ranges an octave.
        let length = max(1, (1 << (Int.bitWidth - 1 - low.leadingZeroBitCount)) >> 2)
        let high = min(counts.count, low + length) - 1
        ranges.append(
          ValueRange(
            low: Int64(low), high: Int64(high),
            count: counts[low...high].reduce(0) { $0 + Int($1) }))
        low = high + 1
      }
      var others = [Int](repeating: 0, count: ValueInterval.count)
      for rank in list.frequentCount..<counts.count {
        others[ValueInterval.fine(Int64(rank))] += Int(counts[rank])
      }
      guard
        let groups = Groups(
          ranges, frequent: counts[..<list.frequentCount].map { Int($0) }, others: others,
          integers: count)
      else { return nil }
      let symbols = zip(ranges, groups.symbolOfRange).flatMap { range, symbol in
        repeatElement(symbol, count: Int(range.high - range.low) + 1)
      }
      return (groups, symbols)
    }

    /// The sections of a column of the ranks at `places` in `ranks`. `counts` has the count of each rank, descending.
    mutating func encode(places: [UInt16], ranks: [UInt32], counts: [UInt32]) -> [Section] {
      let often = EntryList.often(among: places.count)
      let frequentCount = counts.firstIndex { $0 < often } ?? counts.count
      var list = EntryList()
      for rank in frequentCount..<counts.count { list.use(ValueInterval.fine(Int64(rank))) }
      list.set(frequent: (0..<frequentCount).map { Int64($0) }, isCoarse: false)
      var symbolOfRank: [UInt8] = []
      if list.entries.count > Groups.most, places.count >= Groups.leastIntegers,
        let (groups, symbols) = group(ranks: counts, count: places.count, list)
      {
        list.set(groups, intervals: [])
        symbolOfRank = symbols
      }
      let symbols = ranks.map { rank in
        if !symbolOfRank.isEmpty { return symbolOfRank[Int(rank)] }
        return Int(rank) < list.frequentCount
          ? UInt8(rank) : list.symbolOfInterval[ValueInterval.fine(Int64(rank))]
      }
      return unsafe places.withUnsafeBufferPointer { places in
        unsafe ranks.withUnsafeBufferPointer { ranks in
          unsafe symbols.withUnsafeBufferPointer { symbols in
            column(list, count: places.count) {
              let place = unsafe Int(places[$0])
              return unsafe (Int64(ranks[place]), symbols[place])
            }
          }
        }
      }
    }

    @inline(__always)
    private static func place(_ value: Int64, isCoarse: Bool) -> Int {
      let near = Int(truncatingIfNeeded: value &+ ValueCensus.reach)
      let isNear = UInt64(bitPattern: value &+ ValueCensus.reach) < UInt64(ValueCensus.nearValues)
      return isNear ? near : ValueCensus.nearValues &+ ValueInterval.of(value, isCoarse: isCoarse)
    }

    @inline(__always)
    private static func symbol(
      of value: Int64, _ lookup: SymbolLookup, _ table: UnsafeBufferPointer<UInt8>, isCoarse: Bool
    ) -> UInt8 {
      let place = place(value, isCoarse: isCoarse)
      if !lookup.areFrequentNear, place >= ValueCensus.nearValues {
        var far = SymbolLookup.farPlace(value)
        while lookup.farValues[far] != 0 {
          if lookup.farValues[far] == value { return lookup.farSymbols[far] }
          far = (far &+ 1) & (SymbolLookup.farPlaces - 1)
        }
      }
      return unsafe table[place]
    }

    /// Writes a column; `word` returns values and their symbols.
    ///
    /// Unsafe, since it runs once an event: the buffer has room for all mantissas, and every symbol has an entry.
    @inline(__always)
    private mutating func column(
      _ list: EntryList, count: Int, _ word: (Int) -> (value: Int64, symbol: UInt8)
    ) -> [Section] {
      let entries = list.entries.map { (base: $0.base, bits: UInt64($0.bits)) }
      let room = count * 7 + BitPacker.margin + 1
      if packed.count < room { packed = [UInt8](repeating: 0, count: room) }
      var packedCount = 0
      var symbols = unsafe [UInt8](unsafeUninitializedCapacity: count) { symbols, written in
        unsafe entries.withUnsafeBufferPointer { entries in
          unsafe packed.withUnsafeMutableBytes { packed in
            guard let memory = packed.baseAddress else { return }
            var packer = unsafe BitPacker(memory)
            for index in 0..<count {
              let (value, symbol) = word(index)
              let entry = unsafe entries[Int(symbol)]
              unsafe symbols[index] = symbol
              packer.append(UInt64(bitPattern: value &- entry.base), bits: entry.bits)
            }
            packedCount = packer.finish()
          }
        }
        written = count
      }
      if entries.count == 1 {
        symbols = []
      } else if entries.count <= 16 {
        symbols = Self.pairs(symbols)
      }
      var head = ByteWriter()
      head.append(UInt8(entries.count <= 16 ? 2 : 1))
      head.append(UInt8(entries.count - 1))
      for entry in list.entries {
        head.appendZigzag(entry.base)
        head.append(entry.bits)
      }
      head.appendVarint(packedCount)
      return [
        Section(kind: .plain, bytes: head.bytes), Section(kind: .symbols, bytes: symbols),
        Section(kind: .mantissas, bytes: Array(packed[..<packedCount])),
      ]
    }

    private static func pairs(_ symbols: [UInt8]) -> [UInt8] {
      var pairs = [UInt8](repeating: 0, count: (symbols.count + 1) / 2)
      for pair in 0..<symbols.count / 2 {
        pairs[pair] = symbols[2 * pair] | symbols[2 * pair + 1] << 4
      }
      if symbols.count & 1 > 0 { pairs[symbols.count / 2] = symbols[symbols.count - 1] }
      return pairs
    }
  }
}
