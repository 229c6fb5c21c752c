package import WakeEvents

/// Decoded blocks that the cursors of many devices share: the few used last, so that a block with runs
/// of many devices is not decoded anew for each of them, and memory does not grow with devices.
package final class BlockCache {
  /// Decodes a block; false passes it over.
  package typealias Decode = (TraceIndex.Block, BlockDecoder) throws(TraceError) -> Bool

  /// A block that was decoded.
  struct Decoded {
    var block: Int
    var columns: InputColumns
    /// None if the block cannot be read and is passed over.
    var runs: [DeviceRun]
  }

  let index: TraceIndex
  private let decode: Decode
  private let decoder: BlockDecoder
  /// The one used last stands last.
  private var held: [Decoded] = []
  /// A device has a block of each of its streams in use at a time.
  private let capacity: Int

  /// The most blocks held, about a megabyte each.
  private static let mostHeld = 32

  /// Makes a cache that holds nothing yet.
  package init(_ index: TraceIndex, symbols: Symbols, decode: @escaping Decode) {
    self.index = index
    self.decode = decode
    decoder = BlockDecoder(symbols: symbols)
    capacity = min(index.streamCount + 1, Self.mostHeld)
  }

  /// The block of that number among the index's blocks.
  ///
  /// - Complexity: O(1) for a block that is held, else O(events of the block).
  func block(_ number: Int) throws(TraceError) -> Decoded {
    if let place = held.lastIndex(where: { $0.block == number }) {
      let found = held[place]
      if place < held.count - 1 {
        held.remove(at: place)
        held.append(found)
      }
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
