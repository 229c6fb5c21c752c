/// The sequence numbers of a stream's blocks.
struct SequenceRecord: Sendable {
  private var numbers = RangeSet<Int>()
  /// The offset of the first block of each range.
  private var offsets: [Int: Int64] = [:]
  private var last: Int?

  /// Adds a block; returns an error if it is repeated or out of order.
  ///
  /// - Complexity: O(log gaps) for a number greater than all others; else O(gaps).
  mutating func add(_ number: Int, at offset: Int64) -> BlockError? {
    defer { last = number }
    if numbers.contains(number) {
      return BlockError(.repeatedBlock, "block \(number) of its stream occurs here again")
    }
    numbers.insert(contentsOf: number..<number + 1)
    if !numbers.contains(number - 1) { offsets[number] = offset }
    offsets[number + 1] = nil
    guard let last, number < last else { return nil }
    return BlockError(.misplacedBlock, "block \(number) of its stream follows block \(last)")
  }

  /// The missing numbers, and the offset of the next block.
  var missing: [(numbers: ClosedRange<Int>, offset: Int64)] {
    var expected = 0
    return numbers.ranges.compactMap { range in
      defer { expected = range.upperBound }
      guard range.lowerBound > expected, let offset = offsets[range.lowerBound] else { return nil }
      return (expected...range.lowerBound - 1, offset)
    }
  }
}
