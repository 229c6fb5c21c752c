package import WakeEvents
import WakeReplay
package import WakeScheduling
package import WakeTrace

/// Runs a few events of any number of devices on a scheduler, without a trace.
package struct HostedRun {
  /// How a scheduler is given inputs. The rules give the same wakes in every way.
  package enum Feeding: CaseIterable, Sendable {
    /// Without a word about the order of rows.
    case mixed
    /// Rows of saves and deletes in order are called so (`ROUSE_ROWS_ORDERED`).
    case ordered
    /// One by one, with whatever is due before, as a paced replay does: `next_due` must tell of it.
    case paced
  }

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
    _ events: [Event], policy: Policy, symbols: Symbols, batch: Int = .max,
    feeding: Feeding = .mixed
  ) throws(TraceError) -> (wakes: [DeviceWake], summary: Summary) {
    let host = scheduler.host(policy: policy, watch: watch, context: context)
    let device = try host.makeDevice(symbols, tells: .wakes)
    var wakes: [DeviceWake] = []
    var summary = Summary()
    for (name, places) in Self.byDevice(events) {
      var columns = InputColumns()
      for place in places { columns.append(events[place].input, at: events[place].time) }
      try device.begin(name, hash: NameHash.device(symbols.devices.name(of: name)))
      var ended: [Wake] = []
      var row = 0
      while row < columns.count {
        var end = row + min(batch, columns.count - row)
        var orderliness: Orderliness?
        switch feeding {
        case .mixed: break
        case .ordered:
          let ordered = Self.ordered(columns, from: row, to: end, present: device.present)
          end = ordered ?? row + 1
          if ordered != nil {
            orderliness = Orderliness(typeEnd: symbols.types.count, hasDeletes: true)
          }
        case .paced:
          end = row + 1
          if row > 0 { try pass(to: columns.times[row], device, &ended) }
        }
        try device.take(
          columns, rows: row..<end, numbers: EventNumbers(first: 0, kept: places),
          orderliness: orderliness)
        row = end
      }
      summary.add(try device.finish())
      device.handOver { _ in
      } ended: {
        ended.append(copy $0)
      }
      ended.sort { $0.number < $1.number }
      wakes += ended.map { (name, $0) }
    }
    return (wakes, summary)
  }

  /// Lets everything due up to a time happen, as `nextDue` tells of it.
  private func pass(
    to time: Int64, _ device: any DeviceUnderTest, _ ended: inout [Wake]
  ) throws(TraceError) {
    let time = max(time, device.present)
    guard device.nextDue != nil else { return }
    while let due = device.nextDue, due <= time { try device.advance(to: due) }
    device.handOver { _ in
    } ended: {
      ended.append(copy $0)
    }
    let due = device.nextDue
    try device.advance(to: time)
    var early: Int64?
    device.handOver {
      if early == nil { early = $0.time }
    } ended: {
      ended.append(copy $0)
    }
    guard let early else { return }
    let told = due.map { Timestamp(nanoseconds: $0).iso8601 } ?? "INT64_MAX"
    throw TraceError(
      .faultyScheduler, scheduler.name,
      "next_due returned \(told), but a wake began at \(Timestamp(nanoseconds: early).iso8601)"
        + (context.isEmpty ? "" : "; in \(context)"))
  }

  /// The end of the saves and deletes in order that begin with a row; nil if the row is none.
  private static func ordered(
    _ columns: borrowing InputColumns, from row: Int, to end: Int, present: Int64
  ) -> Int? {
    var next = row
    var time = present
    while next < end, columns.kinds[next] <= InputKind.delete.rawValue, columns.times[next] >= time
    {
      time = columns.times[next]
      next += 1
    }
    return next > row ? next : nil
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
