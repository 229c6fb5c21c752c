import Synchronization
import WakeTrace

// Lanes of devices, and whose turn it is to use them.
extension ReplayRun {
  /// How far a device that spreads over blocks has come.
  struct LaneState {
    /// Parts applied so far.
    var applied = 0
    /// Not there while a thread uses it.
    var lane: LaneHandle?
  }

  /// A lane on its way from thread to thread.
  ///
  /// Unchecked, as a lane is no value: it is handed on whole, under the lock, and used by the one thread
  /// that took it out.
  struct LaneHandle: @unchecked Sendable {
    let lane: DeviceLane
  }

  /// A new lane of a device.
  func makeLane(_ place: Int) -> DeviceLane {
    DeviceLane(place: place, hash: index.devices[place].hash, shared: shared)
  }

  /// Takes the lane of a device; nil if not all earlier parts of the device are applied.
  ///
  /// - Parameter spare: A lane that has finished.
  func takeLane(
    _ place: Int, for block: Int, run: Int, _ spare: inout DeviceLane?
  ) -> DeviceLane? {
    // A device within one block, as a fleet's are, is nobody else's.
    guard index.partCount(of: place) > 1 else {
      guard let lane = spare.take() else { return makeLane(place) }
      lane.restart(place: place, hash: index.devices[place].hash)
      return lane
    }
    let taken: LaneHandle? = lanes.withLock { lanes in
      var state = lanes[place] ?? LaneState(applied: 0, lane: LaneHandle(lane: makeLane(place)))
      let part = index.part(state.applied, of: place)
      guard let lane = state.lane, part.block == block, part.run == run else { return nil }
      state.lane = nil
      lanes[place] = state
      return lane
    }
    return taken?.lane
  }

  /// Lays a lane down that was taken to look whether its turn has come.
  func layDown(_ lane: DeviceLane, _ place: Int) {
    let handle = LaneHandle(lane: lane)
    lanes.withLock { $0[place]?.lane = handle }
  }

  /// Gives a lane back for the next part, or ends it after the last; says whether it did.
  func handBack(
    _ lane: DeviceLane, _ place: Int, tally: inout ReplayTally
  ) throws(TraceError) -> Bool {
    guard isLast(LaneHandle(lane: lane), place) else { return false }
    try lane.finish(tally: &tally)
    return true
  }

  /// Whether the part just applied was the device's last; else lays the lane down for the next one.
  private func isLast(_ handle: LaneHandle, _ place: Int) -> Bool {
    let parts = index.partCount(of: place)
    guard parts > 1 else { return true }
    defer { turn.announce() }
    return lanes.withLock { lanes in
      lanes[place, default: LaneState()].applied += 1
      guard lanes[place]?.applied == parts else {
        lanes[place]?.lane = handle
        return false
      }
      // No part is left to ask for it.
      lanes[place] = nil
      return true
    }
  }
}
