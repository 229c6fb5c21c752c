public import WakeEvents
public import WakeScheduling

/// Runs events of any number of devices through ``Scheduler``s, as the reference is run.
public enum SchedulerRun {
  /// How a scheduler is given its inputs.
  public enum Feeding: String, CaseIterable, Sendable {
    /// One input a call.
    case oneByOne
    /// As columns, in batches of uneven length.
    case batched
    /// As columns, all at once.
    case whole
  }

  /// The wakes, device by device in the order of their numbers, and the summary.
  public static func run(
    events: [Event], policy: Policy, symbols: Symbols, feeding: Feeding
  ) -> (wakes: [(device: Device, wake: Wake)], summary: Summary) {
    var order: [Device] = []
    var byDevice: [Device: [Event]] = [:]
    for event in events {
      if byDevice[event.device] == nil { order.append(event.device) }
      byDevice[event.device, default: []].append(event)
    }
    var wakes: [(device: Device, wake: Wake)] = []
    var summary = Summary()
    for device in order {
      var ended: [Wake] = []
      var scheduler = Scheduler(
        policy: policy, symbols: symbols, device: symbols.devices.name(of: device))
      feed(byDevice[device] ?? [], to: &scheduler, feeding) { phase, wake in
        if phase == .ended { ended.append(copy wake) }
      }
      summary.add(scheduler.finish { _, wake in ended.append(copy wake) })
      ended.sort { $0.number < $1.number }
      wakes += ended.map { (device, $0) }
    }
    return (wakes, summary)
  }

  private static func feed(
    _ events: [Event], to scheduler: inout Scheduler, _ feeding: Feeding,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    switch feeding {
    case .oneByOne:
      for event in events { scheduler.take(event.input, at: event.time, onWake) }
    case .whole:
      var columns = poisonedColumns(count: events.count + 64)
      for event in events { columns.append(event.input, at: event.time) }
      scheduler.take(columns, rows: 0..<columns.count, onWake)
    case .batched:
      var columns = InputColumns()
      for event in events { columns.append(event.input, at: event.time) }
      // Lengths that straddle everything: 1, 2, 4 … 64, 1 …
      var start = 0
      var length = 1
      while start < columns.count {
        let end = min(columns.count, start + length)
        scheduler.take(columns, rows: start..<end, onWake)
        start = end
        length = length == 64 ? 1 : length * 2
      }
    }
  }

  /// Empty columns in whose memory rows are left: whoever goes beyond the last row meets a time before all
  /// others and a type that leads far away.
  private static func poisonedColumns(count: Int) -> InputColumns {
    var columns = InputColumns()
    let sample = Sample(type: SampleType(index: .max), source: Source(index: .max))
    for _ in 0..<count {
      columns.append(
        .save(sample), at: Timestamp(nanoseconds: Timestamp.validRange.lowerBound))
    }
    columns.removeAll()
    return columns
  }
}
