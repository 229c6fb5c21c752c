/// Which blocks the numbers of their streams show to be missing, repeated or out of order.
///
/// Memory grows with gaps and with streams that are not in order only.
package struct StreamOrder {
  /// Blocks between others of their stream that are not there.
  package private(set) var missing = 0
  /// Blocks before the first one of their stream that are not there. Apart, as a trace may be a piece of another one, such
  /// as the blocks of a group of ``TraceLayout``.
  package private(set) var missingAtStart = 0
  /// Blocks that come again, as in a trace that is there twice, or after a later one of their stream.
  package private(set) var misplaced = 0
  private var gaps: [UInt64: RangeSet<Int>] = [:]
  /// The first numbers of streams that do not begin with 0.
  private var starts: [UInt64: Int] = [:]
  /// The greatest numbers of streams that went back.
  private var greatest: [UInt64: Int] = [:]

  init() {}

  /// The order of the blocks of traces, by their headers.
  ///
  /// - Throws: ``TraceError`` for a trace that cannot be read.
  /// - Complexity: O(headers).
  package init(of files: [TraceFile]) throws(TraceError) {
    self.init()
    var last: [UInt64: UInt32] = [:]
    for file in files {
      var scan = BlockScan(file)
      while let block = try scan.next() {
        let header = block.joinedHeader
        if let before = last[header.stream] {
          add(header.sequence, of: header.stream, after: before)
        } else {
          begin(header.sequence, of: header.stream)
        }
        last[header.stream] = header.sequence
      }
    }
  }

  /// Adds the first block of a stream.
  ///
  /// - Parameter isCounted: As in ``add(_:of:after:isCounted:)``.
  mutating func begin(_ number: UInt32, of stream: UInt64, isCounted: Bool = true) {
    guard number > 0, isCounted else { return }
    missingAtStart += Int(number)
    starts[stream] = Int(number)
    gaps[stream, default: RangeSet()].insert(contentsOf: 0..<Int(number))
  }

  /// Adds a block that is not the first of its stream.
  ///
  /// - Parameters:
  ///   - last: The number of the block before it in its stream.
  ///   - isCounted: Whether what it shows is counted, as each block is by one of several shards.
  /// - Complexity: O(1) for a number behind all others, else O(gaps of the stream).
  mutating func add(
    _ number: UInt32, of stream: UInt64, after last: UInt32, isCounted: Bool = true
  ) {
    let number = Int(number)
    let most = greatest.isEmpty ? Int(last) : greatest[stream] ?? Int(last)
    guard number <= most else {
      if number > most + 1, isCounted {
        missing += number - most - 1
        gaps[stream, default: RangeSet()].insert(contentsOf: most + 1..<number)
      }
      if greatest[stream] != nil { greatest[stream] = number }
      return
    }
    if isCounted { misplaced += 1 }
    greatest[stream] = most
    guard gaps[stream]?.contains(number) == true else { return }
    gaps[stream]?.remove(contentsOf: number..<number + 1)
    if number < starts[stream] ?? 0 { missingAtStart -= 1 } else { missing -= 1 }
  }
}
