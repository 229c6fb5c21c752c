import Glibc
import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// Replays all devices by the trace's own times, as a live daemon would take the events.
///
/// The load is open loop: an event's intended time does not depend on how long earlier events took, and
/// its latency counts from that time. Between events the schedulers are called when something is due.
struct PacedRun {
  let run: ReplayRun
  let factor: Double

  /// An event is late after this many nanoseconds.
  private static let tolerance: Int64 = 1_000_000
  /// Decoded events that all devices together keep ready, and the fewest of each device.
  private static let eventsReady = 1 << 20
  private static let fewestReady = 64
  /// The longest wait in nanoseconds: 146 years.
  private static let longestWait = 0x1p62

  private struct PacedDevice {
    var replay: DeviceReplay
    var cursor: DeviceCursor
    /// Events to come; its rows begin with the next one.
    var ahead: DeviceCursor.Batch?
    /// The latest time taken. Late events take place at it.
    var present = Int64.min

    /// The next event, or what the scheduler has due before it. After its last event a device does
    /// nothing (rule 4.3).
    var next: (time: Int64, isEvent: Bool)? {
      guard let ahead else { return nil }
      let time = max(present, ahead.columns.times[ahead.rows.lowerBound])
      let due = replay.nextDue ?? .max
      return due <= time ? (due, false) : (time, true)
    }
  }

  func replayAll(tally: inout ReplayTally) throws(TraceError) -> ReplayResult.PaceKeeping {
    var pacing = ReplayResult.PaceKeeping(speed: factor)
    var filter = RowFilter(run.shared.options.selection, symbols: run.shared.symbols)
    var devices = try makeDevices(&filter)
    var order = Timers()
    for place in devices.indices {
      order.appendApp()
      order.set(app: place, due: devices[place].next?.time ?? .max)
    }
    let begin = MonotonicClock.now()
    var origin: Int64?
    /// The clock's time for a time of the trace. The first time of the trace is `begin`.
    func intended(_ time: Int64) -> UInt64 {
      let start = origin ?? time
      origin = start
      return begin + UInt64(min(max(0, Double(time - start) / factor), Self.longestWait))
    }
    while order.nextDue < .max {
      let place = order.first.app
      guard let (time, isEvent) = devices[place].next else { break }
      if isEvent {
        try takeNext(of: &devices[place], at: time, intended: intended(time), &tally, &pacing)
        if devices[place].ahead?.rows.isEmpty ?? true {
          devices[place].ahead = nil
          devices[place].ahead = try run.nextBatch(of: devices[place].cursor, &filter)
        }
      } else {
        wait(until: intended(time))
        try devices[place].replay.advance(to: time, tally: &tally)
      }
      order.set(app: place, due: devices[place].next?.time ?? .max)
    }
    for device in devices { try device.replay.finish(tally: &tally) }
    return pacing
  }

  private func makeDevices(_ filter: inout RowFilter) throws(TraceError) -> [PacedDevice] {
    let blocks = run.makeCache()
    let places = run.index.devices.indices
    let window = max(Self.eventsReady / max(1, places.count), Self.fewestReady)
    var devices: [PacedDevice] = []
    for place in places {
      let cursor = try DeviceCursor(device: place, from: blocks, window: window)
      let first = try run.nextBatch(of: cursor, &filter)
      devices.append(PacedDevice(replay: run.makeDevice(place), cursor: cursor, ahead: first))
    }
    return devices
  }

  private func takeNext(
    of device: inout PacedDevice, at time: Int64, intended: UInt64, _ tally: inout ReplayTally,
    _ pacing: inout ReplayResult.PaceKeeping
  ) throws(TraceError) {
    guard let batch = device.ahead else { return }
    let row = batch.rows.lowerBound
    device.ahead?.rows = row + 1..<batch.rows.upperBound
    device.present = time
    wait(until: intended)
    var noSampler: LatencySampler?
    try device.replay.schedule(
      batch.columns, rows: row..<row + 1, device: batch.device, numbers: batch.numbers,
      tally: &tally, sampler: &noSampler)
    let latency = Int64(MonotonicClock.now() - intended)
    tally.latency.record(latency, position: batch.numbers.number(ofRow: row))
    if latency > Self.tolerance { pacing.lateEvents += 1 }
    pacing.furthestBehindNanoseconds = max(pacing.furthestBehindNanoseconds, latency)
    run.reportDone(1)
  }

  private func wait(until time: UInt64) {
    while true {
      let now = MonotonicClock.now()
      guard now < time else { return }
      let left = time - now
      // A sleep ends some ten microseconds late, so the last 100 µs are polled.
      if left > 200_000 { usleep(UInt32(min(left - 100_000, 500_000_000) / 1_000)) }
    }
  }
}
