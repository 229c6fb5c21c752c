import Synchronization
import WakeTrace

// Which block a thread decodes and applies next.
extension ReplayRun {
  static func makeClaims(of index: TraceIndex, _ shared: ReplayShared) -> BlockClaims {
    // What is written in the order of blocks would have to be kept until it is their turn.
    guard shared.log == nil, shared.waitLog == nil, shared.observer == nil else {
      return BlockClaims(inOrder: index.blocks.count)
    }
    return BlockClaims(followingDevices: index) { Self.isReplayedByBlock($0, index, shared) }
  }

  /// Claims a block to replay; nil if none is left. Blocks of which every device needs merging are left out.
  func claimNext() -> Int? {
    claims.withLock { claims in
      while let place = claims.claimNext() {
        if index.blocks[place].devices.contains(where: isReplayedByBlock) { return place }
      }
      return nil
    }
  }

  /// Whether the device of a run is selected and needs no merging of streams.
  func isReplayedByBlock(_ device: Int32) -> Bool {
    device >= 0 && Self.isReplayedByBlock(Int(device), index, shared)
  }

  private static func isReplayedByBlock(
    _ device: Int, _ index: borrowing TraceIndex, _ shared: ReplayShared
  ) -> Bool {
    !index.needsMerge(device) && shared.replays(device)
  }
}
