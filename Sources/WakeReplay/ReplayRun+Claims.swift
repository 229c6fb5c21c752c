import Synchronization
import WakeTrace

// Which block a thread decodes and applies next.
extension ReplayRun {
  /// The blocks that threads have claimed: all before ``first``, and some of those behind it.
  struct BlockClaims {
    /// The first block that is not claimed.
    private(set) var first = 0
    /// Bit i: whether the block `first` + i is claimed. Bit 0 is never set.
    private var ahead: UInt64 = 0

    /// From ``first`` on, so many blocks can be claimed.
    static let window = 64

    func isClaimed(_ place: Int) -> Bool { ahead >> UInt64(place - first) & 1 != 0 }

    mutating func claim(_ place: Int) {
      ahead |= 1 << UInt64(place - first)
      let claimed = (~ahead).trailingZeroBitCount
      first += claimed
      ahead >>= UInt64(claimed)
    }
  }

  /// The most runs of a block that is claimed before an earlier one. Blocks with many devices rarely wait for each other.
  private static let mostRunsAhead = 16

  /// Whether a thread may claim a block before earlier ones. What is written in the order of blocks would have to be kept
  /// until it is their turn.
  private var claimsAhead: Bool {
    shared.options.threads > 1 && shared.log == nil && shared.waitLog == nil
      && shared.observer == nil
  }

  /// Claims a block to replay; returns nil if none is left. Blocks of which every device needs merging are left out.
  ///
  /// It is the first within the window, and with few runs, that can be applied at once, so that each thread goes on with the
  /// devices that it has begun, or else the first of all. Then every block before it is claimed, so that the oldest claimed
  /// block which is not applied can always be applied.
  func claimNext() -> Int? {
    claims.withLock { claims in
      while claims.first < index.blocks.count, !isReplayed(claims.first) {
        claims.claim(claims.first)
      }
      guard claims.first < index.blocks.count else { return nil }
      let place = claimsAhead ? firstFree(claims) ?? claims.first : claims.first
      claims.claim(place)
      return place
    }
  }

  private func isReplayed(_ place: Int) -> Bool {
    index.blocks[place].devices.contains(where: isReplayedByBlock)
  }

  /// The first block that is not claimed and whose devices wait for no earlier one.
  private func firstFree(_ claims: BlockClaims) -> Int? {
    let end = min(claims.first + BlockClaims.window, index.blocks.count)
    return devices.withLock { devices in
      (claims.first..<end).first { place in
        !claims.isClaimed(place) && isFree(index.blocks[place], devices) && isReplayed(place)
      }
    }
  }

  /// Whether all earlier parts of a block's devices are applied.
  private func isFree(_ block: TraceIndex.Block, _ devices: borrowing [DeviceProgress]) -> Bool {
    guard block.devices.count <= Self.mostRunsAhead else { return false }
    return block.devices.indices.allSatisfy { run in
      let device = block.devices[run]
      guard isReplayedByBlock(device), let spread = index.spread(of: Int(device)) else {
        return true
      }
      return Int(devices[spread].next) == block.part(ofRun: run)
    }
  }
}
