public import WakeEvents
public import WakeScheduling

/// Runs events of any number of devices through schedulers, as the reference is run.
public enum SchedulerRun {
  /// How a scheduler is given its inputs.
  public enum Feeding: String, CaseIterable, Sendable {
    /// One input a call.
    case oneByOne
    /// As columns, in batches of uneven length.
    case batched
    /// As columns, all at once.
    case whole
    /// As columns, with what is sure about saves and deletes that are in order.
    case assured
    /// The same, in parts, as a replay takes them that measures single rows.
    case assuredInParts
  }

  /// The wakes, device by device in the order of their numbers, and the summary.
  public static func run(
    events: [Event], policy: Policy, symbols: Symbols, feeding: Feeding
  ) -> (wakes: [(device: Device, wake: Wake)], summary: Summary) {
    run(
      events: events, policy: policy, symbols: symbols, feeding: feeding, accelerations: .all,
      hasher: WakeHasher())
  }

  /// ``run(events:policy:symbols:feeding:)`` with some accelerations only.
  ///
  /// - Parameter hasher: A hasher for the processor path under test.
  package static func run(
    events: [Event], policy: Policy, symbols: Symbols, feeding: Feeding,
    accelerations: Accelerations, hasher: consuming WakeHasher
  ) -> (wakes: [(device: Device, wake: Wake)], summary: Summary) {
    var wakes: [(device: Device, wake: Wake)] = []
    var summary = Summary()
    for (device, events) in byDevice(events) {
      var ended: [Wake] = []
      var scheduler = SchedulerCore(
        policy: policy, symbols: symbols, device: symbols.devices.name(of: device),
        accelerations: accelerations)
      let typeEnd = symbols.types.count
      feed(events, to: &scheduler, &hasher, feeding, typeEnd: typeEnd) { phase, wakes in
        if phase == .ended { wakes.forEachWake { ended.append(copy $0) } }
      }
      summary.add(
        scheduler.close(&hasher) { _, wakes in wakes.forEachWake { ended.append(copy $0) } })
      ended.sort { $0.number < $1.number }
      wakes += ended.map { (device, $0) }
    }
    summary.digest.value = hasher.takeDigest()
    return (wakes, summary)
  }

  /// The events of each device, which come in the order of their first ones.
  package static func byDevice(_ events: [Event]) -> [(device: Device, events: [Event])] {
    var places: [Device: Int] = [:]
    var devices: [(device: Device, events: [Event])] = []
    for event in events {
      if places[event.device] == nil {
        places[event.device] = devices.count
        devices.append((event.device, []))
      }
      if let place = places[event.device] { devices[place].events.append(event) }
    }
    return devices
  }

  static func feed(
    _ events: [Event], to scheduler: inout SchedulerCore, _ hasher: inout WakeHasher,
    _ feeding: Feeding, typeEnd: Int, _ onWake: (WakePhase, borrowing WakeView) -> Void
  ) {
    switch feeding {
    case .oneByOne:
      for event in events { scheduler.take(event.input, at: event.time, &hasher, onWake) }
    case .whole:
      let columns = poisonedColumns(of: events)
      scheduler.take(columns, rows: 0..<columns.count, &hasher, onWake)
    case .assured, .assuredInParts:
      feedAssured(
        poisonedColumns(of: events), to: &scheduler, &hasher, typeEnd: typeEnd,
        inParts: feeding == .assuredInParts, onWake)
    case .batched:
      var columns = InputColumns()
      for event in events { columns.append(event.input, at: event.time) }
      for rows in batches(of: columns.count) {
        scheduler.take(columns, rows: rows, &hasher, onWake)
      }
    }
  }

  /// Batches of these lengths in turn, by default lengths that straddle everything.
  package static func batches(
    of count: Int, lengths: [Int] = [1, 2, 4, 8, 16, 32, 64]
  ) -> [Range<Int>] {
    var batches: [Range<Int>] = []
    var start = 0
    while start < count {
      let end = min(count, start + lengths[batches.count % lengths.count])
      batches.append(start..<end)
      start = end
    }
    return batches
  }

  /// Few and many rows, with single ones between them.
  private static let lengthsOfParts = [1, 7, 64, 1, 700, 1, 1_300]

  /// Feeds the longest runs of rows of which something is sure, and of others.
  private static func feedAssured(
    _ columns: InputColumns, to scheduler: inout SchedulerCore, _ hasher: inout WakeHasher,
    typeEnd: Int, inParts: Bool, _ onWake: (WakePhase, borrowing WakeView) -> Void
  ) {
    let isSample = columns.kinds.map { $0 <= InputKind.delete.rawValue }
    var start = 0
    while start < columns.count {
      var end = start + 1
      while end < columns.count, isSample[end] == isSample[start],
        columns.times[end] >= columns.times[end - 1]
      {
        end += 1
      }
      let hasDeletes = columns.kinds[start..<end].contains(InputKind.delete.rawValue)
      let orderliness = Orderliness(typeEnd: typeEnd, hasDeletes: hasDeletes)
      let parts =
        inParts ? batches(of: end - start, lengths: lengthsOfParts) : [0..<end - start]
      var early = EarlyRows(of: start..<end)
      columns.withRowColumns { columns in
        for part in parts {
          scheduler.take(
            columns, rows: start + part.lowerBound..<start + part.upperBound,
            orderliness: isSample[start] ? orderliness : nil, &early, &hasher, onWake)
        }
      }
      start = end
    }
  }

  /// Columns in whose memory further rows are left: whoever goes beyond the last row meets a time before all
  /// others and a type that leads far away.
  private static func poisonedColumns(of events: [Event]) -> InputColumns {
    var columns = InputColumns()
    let sample = Sample(type: SampleType(index: .max), source: Source(index: .max))
    for _ in 0..<events.count + 64 {
      columns.append(
        .save(sample), at: Timestamp(nanoseconds: Timestamp.validRange.lowerBound))
    }
    columns.removeAll()
    for event in events { columns.append(event.input, at: event.time) }
    return columns
  }
}
