import WakeTrace

/// Which blocks threads have claimed, and which one a thread claims next.
///
/// A block is free if all earlier blocks of its devices are applied. The next block is the one that became free last, so
/// that a device is replayed to its end before others are begun: its state stays in the caches, and its memory serves the
/// next device. That counts where files of the same devices were joined. Otherwise it is the next block that waits for no
/// other, and if there is none the first that is not claimed, to be decoded ahead. Then every block before it is claimed,
/// so the oldest block that is not applied is always claimed or free.
struct BlockClaims {
  /// The first block that is not claimed.
  private var first = 0
  /// From here on, blocks that never waited for others may not be claimed yet.
  private var nextRoot = 0
  private var claimed: [Bool]
  /// For each block the number of blocks that it follows and that are not applied.
  private var waits: [UInt32]
  /// Blocks that became free when others were applied, the latest last.
  private var freed: [UInt32] = []
  /// For each block the blocks that hold the next parts of its devices: those of block i from ``followerEnds``[i + 1] to
  /// ``followerEnds``[i].
  private var followers: [UInt32] = []
  private var followerEnds: [Int] = []

  /// Claims that follow the order of blocks.
  ///
  /// - Parameter blocks: The number of blocks.
  init(inOrder blocks: Int) {
    claimed = Array(repeating: false, count: blocks)
    waits = []
  }

  /// Claims that follow devices.
  ///
  /// - Parameter isReplayed: Whether a device is replayed block by block.
  /// - Complexity: O(runs of all blocks).
  init(followingDevices index: borrowing TraceIndex, where isReplayed: (Int) -> Bool) {
    let blocks = index.blocks.count
    claimed = Array(repeating: false, count: blocks)
    waits = Array(repeating: 0, count: blocks)
    guard index.spreadCount > 0 else { return }
    let (none, left) = (UInt32.max, UInt32.max - 1)
    var latestBlocks = index.devices.indices.map { isReplayed($0) ? none : left }
    var latest = latestBlocks.mutableSpan
    followerEnds = Array(repeating: 0, count: blocks + 1)
    // For each block the one whose follower it was noted as last.
    var leaders = Array(repeating: none, count: blocks)
    for block in (0..<blocks).reversed() {
      for device in index.blocks[block].devices where device >= 0 {
        let next = latest[Int(device)]
        if next == left { continue }
        latest[Int(device)] = UInt32(block)
        // Once, however many devices they share.
        if next != none, leaders[Int(next)] != block {
          leaders[Int(next)] = UInt32(block)
          followers.append(next)
          waits[Int(next)] += 1
        }
      }
      followerEnds[block] = followers.count
    }
  }

  /// Claims a block; nil if all are claimed.
  mutating func claimNext() -> Int? {
    guard let block = nextFree() ?? nextInOrder() else { return nil }
    claimed[block] = true
    return block
  }

  private mutating func nextFree() -> Int? {
    while let block = freed.popLast() {
      if !claimed[Int(block)] { return Int(block) }
    }
    while nextRoot < waits.count {
      let block = nextRoot
      nextRoot += 1
      // A block that waits comes to ``freed``.
      if !claimed[block], waits[block] == 0 { return block }
    }
    return nil
  }

  private mutating func nextInOrder() -> Int? {
    while first < claimed.count, claimed[first] { first += 1 }
    return first < claimed.count ? first : nil
  }

  /// Notes that all of a block is applied.
  mutating func noteApplied(_ block: Int) {
    guard !followers.isEmpty else { return }
    for place in followerEnds[block + 1]..<followerEnds[block] {
      let next = Int(followers[place])
      waits[next] -= 1
      if waits[next] == 0, !claimed[next] { freed.append(UInt32(next)) }
    }
  }
}
