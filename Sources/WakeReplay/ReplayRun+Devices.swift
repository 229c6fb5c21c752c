import Synchronization
import WakeTrace

// Which thread may use the replay of a device, and when.
extension ReplayRun {
  /// The progress of a device whose events are spread over several blocks.
  struct DeviceProgress {
    /// Parts applied so far.
    var applied = 0
    /// Nil while a thread uses it.
    var replay: DeviceReplay?
  }

  func makeDevice(_ place: Int) -> DeviceReplay {
    DeviceReplay(place: place, hash: index.devices[place].hash, shared: shared)
  }

  /// Takes a device's replay out; nil if an earlier part of the device is not applied yet.
  ///
  /// - Parameter spare: A finished replay to restart.
  func checkOut(
    _ place: Int, for block: Int, run: Int, _ spare: inout DeviceReplay?
  ) -> DeviceReplay? {
    // No other thread uses a device whose events are in one block, as a fleet's are.
    guard index.partCount(of: place) > 1 else {
      guard let replay = spare.take() else { return makeDevice(place) }
      replay.restart(place: place, hash: index.devices[place].hash)
      return replay
    }
    return devices.withLock { devices in
      var progress = devices[place] ?? DeviceProgress(replay: makeDevice(place))
      let part = index.part(progress.applied, of: place)
      guard part.block == block, part.run == run, let replay = progress.replay.take() else {
        return nil
      }
      devices[place] = progress
      return replay
    }
  }

  /// Returns a device's replay of which no part was applied.
  func returnUnused(_ replay: DeviceReplay, _ place: Int) {
    devices.withLock { $0[place]?.replay = replay }
  }

  /// Returns a device's replay after a part was applied, or finishes it after the last part.
  ///
  /// - Returns: Whether it is finished.
  func checkIn(
    _ replay: DeviceReplay, _ place: Int, tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    let parts = index.partCount(of: place)
    if parts > 1 {
      let isLast = devices.withLock { devices in
        let applied = (devices[place]?.applied ?? 0) + 1
        devices[place] = applied < parts ? DeviceProgress(applied: applied, replay: replay) : nil
        return applied == parts
      }
      progressSignal.signal()
      guard isLast else { return false }
    }
    try replay.finish(tally: &tally)
    return true
  }
}
