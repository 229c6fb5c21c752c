import WakeTrace

extension ReplayRun {
  /// A block that a thread has claimed, until it is applied to its devices.
  final class ClaimedBlock {
    enum State {
      /// Neither decoded nor counted from its header.
      case claimed
      case decoded
      /// Counted from its header; see ``ReplayOptions/skipsQuiet``.
      case counted
      /// Not decodable; the replay keeps going.
      case damaged
    }

    /// The content. Its memory is reused for the next block.
    var decoded = DecodedBlock()
    /// The index in ``TraceIndex/blocks``.
    private(set) var place = 0
    var state = State.claimed
    /// The next run to apply.
    var run = 0
    /// For each run where it is among the parts of its device; ``TraceIndex/RunPlace/elsewhere`` also where it is not
    /// replayed.
    private(set) var places: [TraceIndex.RunPlace] = []
    var sampler: LatencySampler?

    /// Starts over with another block.
    func claim(_ place: Int, of run: ReplayRun) {
      let block = run.index.blocks[place]
      self.place = place
      sampler = run.makeSampler(seed: UInt64(block.firstEvent))
      run.index.findPlaces(of: block, into: &places)
      // In a further pass some devices are left out.
      if run.shared.narrowing != nil {
        places = zip(places, block.devices).map { place, device in
          run.isReplayedByBlock(device)
            ? place : TraceIndex.RunPlace(spread: TraceIndex.RunPlace.elsewhere, part: place.part)
        }
      }
      state = .claimed
      self.run = 0
    }
  }

  /// What a thread owns besides its blocks.
  struct Workspace {
    let decoder: BlockDecoder
    var filter: RowFilter
    var headerCounts: HeaderCounts
    /// The replays of finished devices, to be restarted for others.
    var spares: [DeviceReplay] = []
    /// The replays of the devices that are being scheduled.
    var lent: LentDevices = []
    /// What is counted under the other policies.
    let others: [PolicyTally]

    init(_ shared: ReplayShared, others: Int) {
      self.others = (0..<others).map { _ in PolicyTally() }
      decoder = BlockDecoder(symbols: shared.symbols)
      filter = RowFilter(shared.options.selection, symbols: shared.symbols)
      headerCounts = HeaderCounts(symbols: shared.symbols)
    }
  }
}
