/// The sequence numbers of a stream's blocks, as a sorted list of ranges.
struct SequenceRecord: Sendable {
  /// Consecutive sequence numbers, and the offset of the first block.
  private struct Span {
    var numbers: ClosedRange<Int>
    var offset: Int64
  }

  /// Ascending, with a gap between neighbours.
  private var spans: [Span] = []
  private var last: Int?

  /// Adds a block; returns an error if it is repeated or out of order.
  ///
  /// - Complexity: O(1) for a number greater than all others; else O(gaps).
  mutating func add(_ number: Int, at offset: Int64) -> BlockError? {
    defer { last = number }
    let place = spanBegun(upTo: number)
    if let place, spans[place].numbers.contains(number) {
      return BlockError(.repeatedBlock, "block \(number) of its stream occurs here again")
    }
    insert(number, behind: place, at: offset)
    guard let last, number < last else { return nil }
    return BlockError(
      .misplacedBlock, "block \(number) of its stream follows block \(last)")
  }

  /// The last span that starts at or before a number (binary search).
  private func spanBegun(upTo number: Int) -> Int? {
    if let last = spans.last, last.numbers.lowerBound <= number { return spans.count - 1 }
    var range = spans.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if spans[middle].numbers.lowerBound <= number {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound > 0 ? range.lowerBound - 1 : nil
  }

  private mutating func insert(_ number: Int, behind place: Int?, at offset: Int64) {
    if let place, spans[place].numbers.upperBound + 1 == number {
      spans[place].numbers = spans[place].numbers.lowerBound...number
      joinSpans(at: place)
    } else {
      let place = place.map { $0 + 1 } ?? 0
      spans.insert(Span(numbers: number...number, offset: offset), at: place)
      joinSpans(at: place)
    }
  }

  /// Joins a span with the next one if there is no gap.
  private mutating func joinSpans(at place: Int) {
    guard place + 1 < spans.count,
      spans[place].numbers.upperBound + 1 == spans[place + 1].numbers.lowerBound
    else { return }
    spans[place].numbers =
      spans[place].numbers.lowerBound...spans[place + 1].numbers.upperBound
    spans.remove(at: place + 1)
  }

  /// The missing numbers, and the offset of the next block.
  var missing: [(numbers: ClosedRange<Int>, offset: Int64)] {
    var missing: [(ClosedRange<Int>, Int64)] = []
    var expected = 0
    for span in spans {
      if span.numbers.lowerBound > expected {
        missing.append((expected...span.numbers.lowerBound - 1, span.offset))
      }
      expected = span.numbers.upperBound + 1
    }
    return missing
  }
}
