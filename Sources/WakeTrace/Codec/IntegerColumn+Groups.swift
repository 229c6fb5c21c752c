import Glibc

extension IntegerColumn {
  /// An interval of values and the number of the column's integers in it.
  struct ValueRange {
    var low: Int64
    var high: Int64
    var count: Int
  }

  /// At most 16 entries, so that two symbols share a byte; each covers neighbouring ranges of values.
  ///
  /// The time to inflate grows with bytes, and mantissas are stored, so half bytes are read in half the time. They cost
  /// hardly any size where the values within an entry are about equally frequent.
  struct Groups {
    /// The most entries: half a byte is a symbol.
    static let most = 16
    /// Two mantissas are read with one load.
    private static let mostBits = maximumBits / 2
    /// Shorter columns do not pay for the search.
    static let leastIntegers = 4_096

    private(set) var entries: [Entry] = []
    private(set) var symbolOfRange: [UInt8] = []
    /// The entropy of the symbols plus the mantissas.
    private var bits = Double.infinity

    /// Finds the groups with the fewest bits by dynamic programming; nil if values are too far apart. O(ranges^2).
    private init?(_ ranges: [ValueRange]) {
      guard !ranges.isEmpty else { return nil }
      let total = Double(ranges.reduce(0) { $0 + $1.count })
      // By number of groups and number of ranges covered: the fewest bits, and where the last group starts.
      let width = ranges.count + 1
      var least = [Double](repeating: .infinity, count: (Self.most + 1) * width)
      var starts = [Int](repeating: 0, count: least.count)
      least[0] = 0
      for start in ranges.indices {
        var count = 0
        for end in start + 1...ranges.count {
          count += ranges[end - 1].count
          let bits = Self.bits(from: ranges[start].low, to: ranges[end - 1].high)
          guard bits <= Self.mostBits else { break }
          let cost = Double(count) * (Double(bits) + log2(total / Double(count)))
          for groups in 0..<Self.most {
            let all = least[groups * width + start] + cost
            let place = (groups + 1) * width + end
            if all < least[place] { (least[place], starts[place]) = (all, start) }
          }
        }
      }
      var groups = 0
      for number in 1...Self.most where least[number * width + ranges.count] < bits {
        (groups, bits) = (number, least[number * width + ranges.count])
      }
      guard groups > 0 else { return nil }
      symbolOfRange = [UInt8](repeating: 0, count: ranges.count)
      var end = ranges.count
      for group in stride(from: groups, to: 0, by: -1) {
        let start = starts[group * width + end]
        for range in start..<end { symbolOfRange[range] = UInt8(group - 1) }
        let bits = Self.bits(from: ranges[start].low, to: ranges[end - 1].high)
        entries.append(Entry(base: ranges[start].low, bits: UInt8(bits)))
        end = start
      }
      entries.reverse()
    }

    /// Finds groups of ranges, which ascend and are not empty, nearly as small as a list of entries; nil if there are
    /// none. The list has the counts of the frequent values, and of the others in each fine interval.
    init?(_ ranges: [ValueRange], frequent: [Int], others: [Int], integers: Int) {
      self.init(ranges)
      func entropy(_ count: Int) -> Double {
        Double(count) * log2(Double(integers) / Double(count))
      }
      var listBits = frequent.reduce(0.0) { $0 + entropy($1) }
      for (interval, count) in others.enumerated() where count > 0 {
        listBits += Double(count) * Double(ValueInterval.entry(interval).bits) + entropy(count)
      }
      // Repetitive columns compress better with one byte an integer.
      guard bits <= 1.01 * listBits, listBits >= 4 * Double(integers) else { return nil }
    }

    /// The width of the mantissas of an interval.
    private static func bits(from low: Int64, to high: Int64) -> Int {
      64 - high.subtractingReportingOverflow(low).partialValue.leadingZeroBitCount
    }
  }
}
