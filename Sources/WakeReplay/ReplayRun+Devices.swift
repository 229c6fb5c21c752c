import Synchronization
import WakeScheduling
import WakeTrace

// Which thread may use the replay of a device, and when.
extension ReplayRun {
  /// The progress of a device whose events are spread over several blocks.
  struct DeviceProgress {
    /// The part that may be applied next; -1 while a thread applies one.
    var next: Int32 = 0
    /// The number of its parts; 0 before the first is applied.
    var parts: Int32 = 0
    /// Nil before the first part is applied, and while a thread uses it.
    var replay: DeviceReplay?
  }

  func makeDevice(_ place: Int) -> DeviceReplay {
    let hash = index.devices[place].hash
    let device = DeviceReplay(place: place, hash: hash, shared: shared)
    device.companions = others.map { DeviceReplay(place: place, hash: hash, shared: $0) }
    return device
  }

  /// The replay of a device.
  ///
  /// - Parameter spares: Finished replays; one of them is restarted.
  func makeDevice(_ place: Int, _ spares: inout [DeviceReplay]) -> DeviceReplay {
    guard let replay = spares.popLast() else { return makeDevice(place) }
    replay.restart(place: place, hash: index.devices[place].hash)
    return replay
  }

  /// Takes out the replays of devices in several blocks, from a run of a block on, up to the first run whose device has an
  /// earlier part that is not applied yet, or is not such a device. One lock serves many runs.
  func checkOut(
    _ claimed: ClaimedBlock, _ block: TraceIndex.Block, from first: Int,
    into lent: inout LentDevices, _ spares: inout [DeviceReplay]
  ) {
    lent.removeAll(keepingCapacity: true)
    let places = claimed.places
    devices.withLock { devices in
      var devices = devices.mutableSpan
      for place in places[first...] {
        let spread = Int(place.spread)
        guard spread >= 0, devices[spread].next == place.part else { return }
        devices[spread].next = -1
        lent.append(devices[spread].replay.take())
      }
    }
    for place in 0..<lent.count where lent[place] == nil {
      lent[place] = makeDevice(Int(block.devices[first + place]), &spares)
    }
  }

  /// Returns replays of which no part was applied.
  func returnUnused(
    _ claimed: ClaimedBlock, _ block: TraceIndex.Block, from first: Int, _ lent: inout LentDevices
  ) {
    checkIn(claimed, block, from: first, applied: 0, &lent)
  }

  /// Returns the replays of runs after the parts of the first ones were applied; those that are finished stay.
  func checkIn(
    _ claimed: ClaimedBlock, _ block: TraceIndex.Block, from first: Int, applied: Int,
    _ lent: inout LentDevices
  ) {
    let places = claimed.places
    devices.withLock { devices in
      var devices = devices.mutableSpan
      var lent = lent.mutableSpan
      for number in lent.indices {
        let place = places[first + number]
        let spread = Int(place.spread)
        if devices[spread].parts == 0 {
          let device = Int(block.devices[first + number])
          devices[spread].parts = Int32(index.partCount(of: device))
        }
        let part = place.part + (number < applied ? 1 : 0)
        devices[spread].next = part
        if part < devices[spread].parts { swap(&devices[spread].replay, &lent[number]) }
      }
    }
    progressSignal.signal()
  }

  /// The most finished replays that a thread keeps, of about 3 kB: more than a block of ten events a device needs, and little
  /// memory where another thread could use them.
  private static let mostSpares = 8_192

  /// Ends the replays that ``checkIn(_:_:from:applied:_:)`` left.
  ///
  /// - Parameter spares: They are added to these.
  func finish(
    _ lent: inout LentDevices, tally: inout ReplayTally, others: [PolicyTally],
    _ spares: inout [DeviceReplay]
  ) throws(TraceError) {
    // One of another scheduler may hold a process, which other threads wait for.
    let most = shared.options.tested == nil ? Self.mostSpares : 1
    // One check for all of them that nobody shares the memory.
    var lent = lent.mutableSpan
    for place in lent.indices {
      guard let finished = lent[place].take() else { continue }
      try finished.finishAll(tally: &tally, others: others)
      if spares.count < most { spares.append(finished) }
    }
  }

  /// Asks the processor to fetch the replays that are scheduled soon: an object, and then what it refers to.
  static func prefetch(_ lent: Span<DeviceReplay?>, after place: Int) {
    let (near, far) = (place + 2, place + 5)
    guard near < lent.count else { return }
    lent[near]?.prefetch()
    guard far < lent.count else { return }
    // Only the address is looked at: a reference counted would be fetched at once.
    unsafe lent.withUnsafeBufferPointer { lent in
      let bytes = UnsafeRawBufferPointer(lent)
      let address = unsafe bytes.load(fromByteOffset: far * MemoryLayout<UInt>.size, as: UInt.self)
      SchedulerCore.prefetch(objectAt: address, behind: DeviceReplay.bytesBeforeScheduler)
    }
  }

  /// Replays that a thread has taken out, by successive runs of a block.
  typealias LentDevices = [DeviceReplay?]
}
