import Synchronization
import WakeTrace

// Which thread may use the replay of a device, and when.
extension ReplayRun {
  /// The progress of a device whose events are spread over several blocks.
  struct DeviceProgress {
    /// Parts applied so far.
    var applied = 0
    /// Nil while a thread uses it.
    var replay: DeviceHandle?
  }

  /// A device's replay on its way from thread to thread.
  ///
  /// Unchecked: it is stored and taken out under the lock of ``devices``, and only the thread that took
  /// it out uses it.
  struct DeviceHandle: @unchecked Sendable {
    let replay: DeviceReplay
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
    let taken: DeviceHandle? = devices.withLock { devices in
      var progress =
        devices[place]
        ?? DeviceProgress(applied: 0, replay: DeviceHandle(replay: makeDevice(place)))
      let part = index.part(progress.applied, of: place)
      guard let handle = progress.replay, part.block == block, part.run == run else { return nil }
      progress.replay = nil
      devices[place] = progress
      return handle
    }
    return taken?.replay
  }

  /// Returns a device's replay of which no part was applied.
  func returnUnused(_ replay: DeviceReplay, _ place: Int) {
    let handle = DeviceHandle(replay: replay)
    devices.withLock { $0[place]?.replay = handle }
  }

  /// Returns a device's replay after a part was applied, or finishes it after the last part.
  ///
  /// - Returns: Whether it is finished.
  func checkIn(
    _ replay: DeviceReplay, _ place: Int, tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    let parts = index.partCount(of: place)
    if parts > 1 {
      let handle = DeviceHandle(replay: replay)
      let isLast = devices.withLock { devices in
        let applied = (devices[place]?.applied ?? 0) + 1
        devices[place] = applied < parts ? DeviceProgress(applied: applied, replay: handle) : nil
        return applied == parts
      }
      progressSignal.signal()
      guard isLast else { return false }
    }
    try replay.finish(tally: &tally)
    return true
  }
}
