import WakeTrace

extension ReplayRun {
  /// A block that a thread has claimed, and its way to the schedulers.
  final class HeldBlock {
    enum State {
      /// It is to be decoded, unless it can be counted by its header.
      case claimed
      case decoded
      /// It was.
      case counted
      /// It could not be decoded, and the replay keeps going.
      case damaged
    }

    /// What was in it; its memory is kept from block to block.
    var decoded = DecodedBlock()
    /// Its place among the blocks.
    private(set) var place = 0
    var state = State.claimed
    /// The next run to be fed.
    var run = 0
    var sampler: LatencySampler?

    /// Begins with another block.
    func hold(_ place: Int, sampler: LatencySampler?) {
      self.place = place
      self.sampler = sampler
      state = .claimed
      run = 0
    }
  }

  /// What a thread has for itself besides blocks.
  struct Tools {
    let decoder: BlockDecoder
    var filter: RowFilter
    var quiet: QuietBlocks
    /// A scheduler that was done with, for the next device.
    var spare: DeviceLane?

    init(_ shared: ReplayShared) {
      decoder = BlockDecoder(symbols: shared.symbols)
      filter = RowFilter(shared.options.selection, symbols: shared.symbols)
      quiet = QuietBlocks(symbols: shared.symbols)
    }
  }
}
