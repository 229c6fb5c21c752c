package import WakeEvents
import WakeReplay
package import WakeScheduling
package import WakeTrace

/// Runs a few events of any number of devices on a scheduler, without a trace.
package struct HostedRun {
  /// A wake and its device.
  package typealias DeviceWake = (device: Device, wake: Wake)

  private let scheduler: any OtherScheduler
  private let watch: CallWatch?
  private let context: String

  package init(_ scheduler: any OtherScheduler, watch: CallWatch? = nil, context: String = "") {
    self.context = context
    self.scheduler = scheduler
    self.watch = watch
  }

  /// The wakes, device by device in the order of their numbers, and the summary.
  ///
  /// - Parameter batch: The most rows of a batch; 1 gives saves and deletes one by one.
  package func run(
    _ events: [Event], policy: Policy, symbols: Symbols, batch: Int = .max
  ) throws(TraceError) -> (wakes: [DeviceWake], summary: Summary) {
    let host = scheduler.host(policy: policy, watch: watch, context: context)
    let device = try host.makeDevice(symbols, tells: .wakes)
    var wakes: [DeviceWake] = []
    var summary = Summary()
    for (name, places) in Self.byDevice(events) {
      var columns = InputColumns()
      for place in places { columns.append(events[place].input, at: events[place].time) }
      try device.begin(name, hash: NameHash.device(symbols.devices.name(of: name)))
      var row = 0
      while row < columns.count {
        let end = row + min(batch, columns.count - row)
        try device.take(
          columns, rows: row..<end, numbers: EventNumbers(first: 0, kept: places),
          orderliness: nil)
        row = end
      }
      summary.add(try device.finish())
      var ended: [Wake] = []
      device.handOver { _ in
      } ended: {
        ended.append(copy $0)
      }
      ended.sort { $0.number < $1.number }
      wakes += ended.map { (name, $0) }
    }
    return (wakes, summary)
  }

  /// The places of each device's events; devices come in the order of their first ones.
  static func byDevice(_ events: [Event]) -> [(device: Device, places: [Int])] {
    var known: [Device: Int] = [:]
    var devices: [(device: Device, places: [Int])] = []
    for (place, event) in events.enumerated() {
      if let number = known[event.device] {
        devices[number].places.append(place)
      } else {
        known[event.device] = devices.count
        devices.append((event.device, [place]))
      }
    }
    return devices
  }
}
