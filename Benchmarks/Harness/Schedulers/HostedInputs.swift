import WakeEvents
import WakeHosting
import WakeReplay
import WakeScheduling
import WakeTrace

/// Inputs in memory that a scheduler under test takes, device by device, each time from its first state.
final class HostedInputs {
  private let devices: [(device: Device, hash: UInt64, columns: InputColumns, isOrdered: Bool)]
  private let scheduler: any DeviceUnderTest
  /// How many inputs there are.
  let count: Int
  /// The wakes of the last run.
  private(set) var wakes = 0

  /// - Parameters:
  ///   - events: In their order.
  ///   - name: Of the benchmark, for messages.
  init(
    _ events: [Event], policy: Policy, symbols: Symbols, on library: SchedulerLibrary, name: String
  ) throws {
    var order: [Device] = []
    var columns: [Device: InputColumns] = [:]
    for event in events {
      if columns[event.device] == nil {
        order.append(event.device)
        columns[event.device] = InputColumns()
      }
      columns[event.device]?.append(event.input, at: event.time)
    }
    devices = order.map { device in
      let columns = columns[device] ?? InputColumns()
      let isOrdered =
        columns.others.isEmpty
        && columns.times.indices.dropFirst().allSatisfy {
          columns.times[$0 - 1] <= columns.times[$0]
        }
      return (device, NameHash.device(symbols.devices.name(of: device)), columns, isOrdered)
    }
    count = events.count
    let host = SchedulerHost(library, policy: policy, watch: HostedWatch.shared, context: name)
    scheduler = try host.makeDevice(symbols, tells: [])
  }

  /// Runs all devices; returns the digest of the wakes.
  func run() throws -> UInt64 {
    var summary = Summary()
    for (device, hash, columns, isOrdered) in devices {
      try scheduler.begin(device, hash: hash)
      try scheduler.take(
        columns, rows: 0..<columns.count, numbers: EventNumbers(first: 0),
        orderliness: isOrdered ? Orderliness(typeEnd: .max, hasDeletes: true) : nil)
      summary.add(try scheduler.finish())
    }
    wakes = summary.wakes
    return summary.digest.value
  }
}
