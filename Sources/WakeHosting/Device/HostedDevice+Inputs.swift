import CRouse
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTrace

// What the scheduler is given.
extension HostedDevice {
  func take(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers,
    orderliness: Orderliness?
  ) throws(TraceError) {
    var row = rows.lowerBound
    while row < rows.upperBound {
      if columns.kinds[row] > InputKind.delete.rawValue {
        // Rules, 11: an observation is no input.
        if columns.kinds[row] == InputKind.observed.rawValue {
          row += 1
          continue
        }
        try take(
          columns.others[Int(columns.types[row])], at: columns.times[row],
          number: numbers.number(ofRow: row))
        row += 1
        continue
      }
      var end = rows.upperBound
      if orderliness == nil {
        end = row + 1
        while end < rows.upperBound, columns.kinds[end] <= InputKind.delete.rawValue { end += 1 }
      }
      try takeSamples(columns, rows: row..<end, numbers: numbers, orderliness)
      row = end
    }
  }

  /// Takes an input other than a save or delete.
  private func take(_ input: Input, at time: Int64, number: Int) throws(TraceError) {
    let effective = max(time, present)
    ledger.allowWakes(forRows: 1)
    try settle(to: effective, first: number, last: number)
    ledger.counts.inputs += 1
    if time < present { ledger.counts.lateInputs += 1 }
    if let app = input.namedApp { ledger.see(app) }
    if host.answersWakes { noteActivity(input) }
    try give(input, at: time, first: number, last: number)
    try checkEnds()
  }

  /// Takes saves and deletes.
  private func takeSamples(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers,
    _ orderliness: Orderliness?
  ) throws(TraceError) {
    var row = rows.lowerBound
    let locatesFrom = host.watch?.locatesFrom
    while row < rows.upperBound {
      ledger.allowWakes(forRows: rows.upperBound - row)
      var end = rows.upperBound
      let first = numbers.number(ofRow: row)
      // An answer comes before the input at its time (rule 4.2).
      if host.answersWakes, let answer = ledger.answers.first {
        if answer.time <= max(columns.times[row], present) {
          try settle(to: max(columns.times[row], present), first: first, last: first)
        }
        let next = ledger.answers.first?.time ?? .max
        var last = row + 1
        while last < end, columns.times[last] < next { last += 1 }
        end = last
      }
      if let locatesFrom, numbers.number(ofRow: end - 1) >= locatesFrom {
        end = max(row + 1, min(end, row + max(0, locatesFrom - first)))
      }
      row += try give(columns, rows: row..<end, numbers: numbers, orderliness)
      try checkEnds()
    }
  }

  /// Gives rows in one call; returns how many were taken.
  private func give(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers,
    _ orderliness: Orderliness?
  ) throws(TraceError) -> Int {
    // The fields end at the last row that has one.
    let fields = columns.details.fields.count
    let hasFields = rows.lowerBound < fields
    let rows = hasFields ? rows.lowerBound..<min(rows.upperBound, fields) : rows
    let before = present
    var census = RowCensus(columns, rows: rows, present: before, orderliness)
    ledger.mustReturn = false
    ledger.latestTold = census.present
    let taken = unsafe try withRows(columns, rows, hasFields: hasFields) {
      table throws(TraceError) in
      unsafe table.flags =
        UInt32(census.isOrdered ? ROUSE_ROWS_ORDERED : 0)
        | UInt32(census.deletes == 0 ? ROUSE_ROWS_SAVES : 0)
      // Rows made by a program, not by a reader, may bound their types by any number.
      let types = shared.symbols.types.count
      unsafe table.type_end = UInt32(min(orderliness?.typeEnd ?? types, types))
      return try unsafe give(
        &table, first: numbers.number(ofRow: rows.lowerBound),
        last: numbers.number(ofRow: rows.upperBound - 1), time: columns.times[rows.lowerBound])
    }
    guard taken <= rows.count else {
      try stop("take returned \(taken), and there were \(rows.count) rows")
      return 0
    }
    if taken < rows.count {
      guard ledger.mustReturn else {
        try stop("take returned \(taken) of \(rows.count) rows, and began has not returned 1")
        return 0
      }
      census = RowCensus(
        columns, rows: rows.lowerBound..<rows.lowerBound + taken, present: before, orderliness)
    }
    ledger.counts.inputs += taken
    ledger.counts.deletes += census.deletes
    ledger.counts.saves += taken - census.deletes
    ledger.counts.lateInputs += census.late
    ledger.present = max(ledger.present, census.present)
    return taken
  }

  /// Calls `body` with rows as rouse_scheduler.h has them.
  private func withRows<Result>(
    _ columns: borrowing InputColumns, _ rows: Range<Int>, hasFields: Bool,
    _ body: (inout rouse_rows_t) throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    let start = rows.lowerBound
    var table = unsafe rouse_rows_t()
    unsafe table.size = MemoryLayout<rouse_rows_t>.size
    unsafe table.count = rows.count
    let details = columns.details
    let areSourcesRead = !columns.sources.isEmpty
    if !areSourcesRead { noSources.resize(to: max(rows.count, noSources.count), filler: 0) }
    let sources = areSourcesRead ? columns.sources : noSources
    return try unsafe columns.times.withUnsafeBufferPointer { times throws(TraceError) in
      try unsafe columns.kinds.withUnsafeBufferPointer { kinds throws(TraceError) in
        try unsafe columns.types.withUnsafeBufferPointer { types throws(TraceError) in
          try unsafe sources.withUnsafeBufferPointer { sources throws(TraceError) in
            unsafe table.times = times.baseAddress?.advanced(by: start)
            unsafe table.kinds = kinds.baseAddress?.advanced(by: start)
            unsafe table.types = types.baseAddress?.advanced(by: start)
            unsafe table.sources = sources.baseAddress?.advanced(by: areSourcesRead ? start : 0)
            guard hasFields else { return try unsafe body(&table) }
            return try unsafe withFields(details, start, &table, body)
          }
        }
      }
    }
  }

  private func withFields<Result>(
    _ details: SampleDetails, _ start: Int, _ table: inout rouse_rows_t,
    _ body: (inout rouse_rows_t) throws(TraceError) -> Result
  ) throws(TraceError) -> Result {
    try unsafe details.fields.withUnsafeBufferPointer { fields throws(TraceError) in
      try unsafe details.starts.withUnsafeBufferPointer { starts throws(TraceError) in
        try unsafe details.ends.withUnsafeBufferPointer { ends throws(TraceError) in
          try unsafe details.values.withUnsafeBufferPointer { values throws(TraceError) in
            unsafe table.has = unsafe UnsafeRawPointer(fields.baseAddress)?
              .advanced(by: start).assumingMemoryBound(to: UInt8.self)
            unsafe table.starts = starts.baseAddress?.advanced(by: start)
            unsafe table.ends = ends.baseAddress?.advanced(by: start)
            unsafe table.values = values.baseAddress?.advanced(by: start)
            return try unsafe body(&table)
          }
        }
      }
    }
  }
}

/// Counts of rows of saves and deletes.
private struct RowCensus {
  /// The present after them.
  var present: Int64
  var late = 0
  var deletes = 0
  /// Whether it is known that no row comes before the one before it, or before the present.
  var isOrdered = false

  init(
    _ columns: borrowing InputColumns, rows: Range<Int>, present: Int64,
    _ orderliness: Orderliness?
  ) {
    self.present = present
    guard !rows.isEmpty else { return }
    let (times, kinds) = (columns.times.span, columns.kinds.span)
    isOrdered = orderliness != nil && times[rows.lowerBound] >= present
    if isOrdered {
      self.present = times[rows.upperBound - 1]
      guard orderliness?.hasDeletes == true else { return }
    }
    var (late, deletes, latest) = (0, 0, present)
    for row in rows {
      let time = times[row]
      if time < latest { late += 1 } else { latest = time }
      deletes &+= Int(kinds[row])
    }
    (self.present, self.late, self.deletes) = (latest, late, deletes)
  }
}

extension Input {
  /// The app that appears in it (rules, 1).
  var namedApp: App? {
    if case .refreshStatus(let app, _) = self { return app }
    return subject.app
  }
}

extension HostedDevice {
  /// Follows what an input makes of apps, by which a modelled app's start is a cold one or not (rule 6.4).
  private func noteActivity(_ input: Input) {
    switch input {
    case .launch(let app): unsafe ledger.apps[Int(app.index)].activity = .foreground
    case .background(let app):
      if unsafe ledger.apps[Int(app.index)].activity == .foreground {
        unsafe ledger.apps[Int(app.index)].activity = .suspended
      }
    case .terminate(let app), .forceQuit(let app):
      unsafe ledger.apps[Int(app.index)].activity = .terminated
    case .reboot:
      for app in ledger.order { unsafe ledger.apps[Int(app.index)].activity = .terminated }
    default: break
    }
  }

  /// Calls `body` with an input as rouse.h has it.
  func withEvent(
    _ input: Input, at time: Int64,
    _ body: (UnsafePointer<rouse_event_t>) throws(TraceError) -> Void
  ) throws(TraceError) {
    var event = unsafe rouse_event_t()
    unsafe event.size = MemoryLayout<rouse_event_t>.size
    unsafe event.time = time
    unsafe event.fill(from: input)
    guard case .push(let app, let push) = input else { return try unsafe body(&event) }
    ledger.pushes.append((app, push.id))
    unsafe event.query = UInt32(ledger.pushes.count)
    if push.isBackgroundNotification { unsafe event.has |= UInt32(ROUSE_IS_BACKGROUND) }
    let texts = unsafe [push.id, push.aps?.json, push.pushType].map { text in
      unsafe text.map { unsafe NamePointers.copy($0) }
    }
    defer { unsafe texts.forEach { unsafe $0?.deallocate() } }
    unsafe event.id = unsafe UnsafePointer(texts[0])
    unsafe event.aps = unsafe UnsafePointer(texts[1])
    unsafe event.push_type = unsafe UnsafePointer(texts[2])
    try unsafe body(&event)
  }
}

extension rouse_event_t {
  /// Sets the kind and the fields, but for a push's texts.
  fileprivate mutating func fill(from input: Input) {
    unsafe kind = Int32(input.kind.rawValue)
    let subject = input.subject
    unsafe app = subject.app?.index ?? 0
    unsafe type.number = subject.type?.index ?? 0
    unsafe query = subject.query?.index ?? 0
    switch input {
    case .save, .delete, .disable, .disableAll, .stop, .launch, .background, .terminate, .forceQuit,
      .lock, .unlock, .reboot, .observed:
      break
    case .enable(_, _, let frequency): unsafe self.frequency = Int32(frequency.rawValue)
    case .execute(_, _, _, let predicate):
      if let predicate { unsafe fill(from: predicate) }
    case .complete(_, let item, let result):
      switch item {
      case .everything: unsafe self.item = Int32(ROUSE_EVERYTHING)
      case .push: unsafe self.item = Int32(ROUSE_ITEM_PUSH)
      case .refresh: unsafe self.item = Int32(ROUSE_ITEM_REFRESH)
      case .type(let type):
        unsafe self.item = Int32(ROUSE_ITEM_TYPE)
        unsafe self.type.number = type.index
      }
      unsafe self.result = result.map { Int32($0.rawValue) + 1 } ?? Int32(ROUSE_NO_RESULT)
    case .push(_, let push):
      if let priority = push.priority {
        unsafe has |= UInt32(ROUSE_HAS_PRIORITY)
        unsafe self.priority = priority
      }
    case .refreshInterval(_, let interval):
      switch interval {
      case .never: unsafe self.interval = Double(ROUSE_NEVER)
      case .minimum: unsafe self.interval = Double(ROUSE_MINIMUM)
      case .seconds(let seconds): unsafe self.interval = seconds
      }
    case .refreshStatus(let app, let status):
      unsafe self.app = app?.index ?? .max
      unsafe self.status = Int32(status.rawValue)
    case .complication(_, let isOn), .entitlement(_, let isOn), .network(let isOn),
      .power(let isOn):
      unsafe is_on = isOn ? 1 : 0
    }
  }

  private mutating func fill(from predicate: Predicate) {
    var parts = ROUSE_HAS_PREDICATE
    if let source = predicate.source {
      parts |= ROUSE_HAS_SOURCE
      unsafe self.source.number = source.index
    }
    if let start = predicate.start {
      parts |= ROUSE_HAS_START
      unsafe self.start = start.nanoseconds
    }
    if let end = predicate.end {
      parts |= ROUSE_HAS_END
      unsafe self.end = end.nanoseconds
    }
    if let isStrict = predicate.strictStart {
      parts |= ROUSE_HAS_STRICT_START
      unsafe strict_start = isStrict ? 1 : 0
    }
    if let isStrict = predicate.strictEnd {
      parts |= ROUSE_HAS_STRICT_END
      unsafe strict_end = isStrict ? 1 : 0
    }
    if let min = predicate.min {
      parts |= ROUSE_HAS_MIN
      unsafe self.min = min
    }
    if let max = predicate.max {
      parts |= ROUSE_HAS_MAX
      unsafe self.max = max
    }
    unsafe has |= UInt32(parts)
  }
}
