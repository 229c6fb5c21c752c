/// Where the blocks of a trace are and what they hold, from their headers: what a program needs to read parts of the file.
package struct TraceLayout: Sendable {
  /// A block: bytes that are a trace by themselves.
  package struct Block: Sendable {
    package var offset: Int64
    package var length: Int
    package var events: Int
    /// Nanoseconds since the Unix epoch.
    package var earliest: Int64
    package var latest: Int64
    package var devices: Devices
    /// Blocks have the same number if devices connect them: those of a group belong into one task.
    package var group: Int
  }

  /// Devices by the hashes of their names.
  package struct Devices: Sendable {
    package var count = 0
    /// Sorted; empty if they are more than the list may hold.
    package var hashes: [UInt64] = []
    package var least: UInt64 = 0
    package var greatest: UInt64 = 0

    fileprivate init(_ all: Set<UInt64>, listing most: Int) {
      count = all.count
      least = all.min() ?? 0
      greatest = all.max() ?? 0
      if all.count <= most { hashes = all.sorted() }
    }
  }

  /// The most devices that are listed of a block, and of a trace.
  package static let (listedOfBlock, listedOfTrace) = (64, 4_096)

  package private(set) var blocks: [Block] = []
  package private(set) var devices: Devices
  package private(set) var groups = 0
  package private(set) var events = 0
  package private(set) var lost: UInt64 = 0
  /// Blocks that the numbers of the streams show to be missing. Who reads parts of the file may not see them.
  package var missing: Int { order.missing + order.missingAtStart }
  /// Blocks that are repeated, or out of the order of their streams.
  package var misplaced: Int { order.misplaced }
  private var order = StreamOrder()

  /// Reads the headers of a trace.
  ///
  /// - Throws: ``TraceError`` for any damage.
  /// - Complexity: O(headers); memory grows with blocks and devices.
  package init(of file: TraceFile) throws(TraceError) {
    var scan = BlockScan(file)
    // The block in which a device is first, and of each block an earlier one of its group, or itself.
    var firsts: [UInt64: Int] = [:]
    var parents: [Int] = []
    // The number of the last block of each stream.
    var sequences: [UInt64: UInt32] = [:]
    func root(_ block: Int) -> Int {
      var block = block
      while parents[block] != block {
        parents[block] = parents[parents[block]]
        block = parents[block]
      }
      return block
    }
    while let entry = try scan.next() {
      let (header, number) = (entry.joinedHeader, blocks.count)
      let hashes = Set(header.runs.map(\.deviceHash))
      parents.append(number)
      for hash in hashes {
        guard let first = firsts[hash] else {
          firsts[hash] = number
          continue
        }
        let (one, other) = (root(first), root(number))
        parents[max(one, other)] = min(one, other)
      }
      blocks.append(
        Block(
          offset: entry.offset, length: entry.length, events: header.events,
          earliest: header.earliest, latest: header.latest,
          devices: Devices(hashes, listing: Self.listedOfBlock), group: 0))
      events += header.events
      if let last = sequences[header.stream] {
        order.add(header.sequence, of: header.stream, after: last)
      } else {
        order.begin(header.sequence, of: header.stream)
      }
      sequences[header.stream] = header.sequence
      lost.addClamped(header.lostBefore)
    }
    devices = Devices(Set(firsts.keys), listing: Self.listedOfTrace)
    var numbers: [Int: Int] = [:]
    for number in blocks.indices {
      let root = root(number)
      let group = numbers[root] ?? numbers.count
      numbers[root] = group
      blocks[number].group = group
    }
    groups = numbers.count
  }
}
