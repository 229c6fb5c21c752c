package import WakeEvents

/// A least-recently-used cache of decoded blocks, shared by the cursors of many devices: a block with runs of many
/// devices is decoded once, and memory does not grow with devices.
package final class BlockCache {
  /// Decodes a block; false skips it.
  package typealias Decode = (TraceIndex.Block, BlockDecoder) throws(TraceError) -> Bool

  struct Decoded {
    var block: Int
    var columns: InputColumns
    /// Empty if the block cannot be read and is skipped.
    var runs: [DeviceRun]
  }

  let index: TraceIndex
  private let decode: Decode
  private let decoder: BlockDecoder
  /// The most recently used is last.
  private var held: [Decoded] = []
  /// One for each stream, since a device uses a block of each of its streams at a time, and one more.
  private let capacity: Int

  /// Makes an empty cache.
  ///
  /// - Parameter mostHeld: The most blocks held; a full one takes about a megabyte.
  package init(
    _ index: TraceIndex, symbols: Symbols, mostHeld: Int = 32, decode: @escaping Decode
  ) {
    self.index = index
    self.decode = decode
    decoder = BlockDecoder(symbols: symbols)
    capacity = min(index.streamCount + 1, mostHeld)
  }

  /// The block with an index in ``TraceIndex/blocks``.
  ///
  /// - Complexity: O(1) for a cached block, else O(events of the block).
  func block(_ number: Int) throws(TraceError) -> Decoded {
    if let place = held.lastIndex(where: { $0.block == number }) {
      let found = held.remove(at: place)
      held.append(found)
      return found
    }
    if held.count == capacity { held.removeFirst() }
    let isWhole = try decode(index.blocks[number], decoder)
    let decoded = Decoded(
      block: number, columns: decoder.takeColumns(), runs: isWhole ? decoder.runs : [])
    held.append(decoded)
    return decoded
  }
}
