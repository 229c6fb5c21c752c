import Glibc

extension IntegerColumn {
  /// Values that lie next to each other, and how many of a column's integers are among them.
  struct ValueRange {
    var low: Int64
    var high: Int64
    var count: Int
  }

  /// So few entries that two symbols share a byte, each for ranges of values that follow each other.
  ///
  /// Inflating takes its time by the byte, and mantissas are stored, so halves are read in half the time
  /// of bytes. They also cost next to nothing in size, where values within an entry come about as often as
  /// each other.
  struct Groups {
    /// Entries that half a byte tells apart.
    static let most = 16
    /// Mantissas of two entries are read at once.
    private static let mostBits = maximumBits / 2
    /// Columns of fewer integers are not worth the search.
    static let leastIntegers = 4_096

    /// By rising values.
    private(set) var entries: [Entry] = []
    /// The entry of each range.
    private(set) var symbolOfRange: [UInt8] = []
    /// That an ideal code for the symbols takes, and the mantissas.
    private(set) var bits = Double.infinity

    /// Finds the groups of ranges that take the fewest bits; nil if their values are too far apart.
    ///
    /// - Parameter ranges: By rising values, each with integers.
    /// - Complexity: O(ranges^2).
    init?(_ ranges: [ValueRange]) {
      guard !ranges.isEmpty else { return nil }
      let total = Double(ranges.reduce(0) { $0 + $1.count })
      // For each number of groups and of ranges in them: the bits, and where the last group begins.
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

    /// The bits of a mantissa that tells values apart.
    private static func bits(from low: Int64, to high: Int64) -> Int {
      64 - high.subtractingReportingOverflow(low).partialValue.leadingZeroBitCount
    }

    /// Whether they are to be taken in place of entries that take so many bits.
    func arePreferred(to bits: Double, integers: Int) -> Bool {
      // What recurs is better left to deflate, a byte for each integer.
      self.bits <= 1.01 * bits && bits >= 4 * Double(integers)
    }
  }

  /// The bits that an ideal code takes to say, for so many among all, which entry they have.
  static func bits(of count: Int, among total: Int) -> Double {
    count == 0 ? 0 : Double(count) * log2(Double(total) / Double(count))
  }
}
