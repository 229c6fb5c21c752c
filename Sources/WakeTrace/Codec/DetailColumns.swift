import WakeEvents

/// The columns of a block's details: the presence of start, end and value for each event, and their values.
///
/// Each is an ``IntegerColumn`` over the events that have the field. A start is stored relative to the event's time or
/// to the end of the type's last sample in the block, whichever is smaller; an end relative to the start.
enum DetailColumns {
  /// The reference of starts.
  enum StartReference: UInt8 {
    /// A start is the event's time minus the stored number.
    case eventTime = 0
    /// A start is the end of its type's last sample plus the stored number; for the first sample, as `eventTime`.
    case previousEnd = 1
  }

  /// The payload; nil if no event has any of the fields.
  ///
  /// - Throws: `invalidEvent` for a start, end or value that readers reject.
  static func encode(
    _ columns: borrowing InputColumns, with integers: inout IntegerColumn.Encoder
  ) throws(BlockError) -> Payload? {
    let details = columns.details
    guard !details.isEmpty else { return nil }
    var fields: [Int64] = []
    fields.reserveCapacity(columns.count)
    var startsFromTime: [Int64] = []
    var startsFromEnd: [Int64] = []
    var ends: [Int64] = []
    var previousEnds = PreviousEnds()
    for row in 0..<columns.count {
      let has = row < details.fields.count ? details.fields[row] : []
      fields.append(Int64(has.rawValue))
      guard columns.kinds[row] == InputKind.save.rawValue else { continue }
      let time = columns.times[row]
      var start = time
      if has.contains(.start) {
        start = details.starts[row]
        try checkGiven(start)
        startsFromTime.append(time &- start)
        startsFromEnd.append(
          previousEnds[columns.types[row]].map { start &- $0 } ?? time &- start)
      }
      var end = start
      if has.contains(.end) {
        end = details.ends[row]
        try checkGiven(end)
        ends.append(end &- start)
      }
      previousEnds[columns.types[row]] = end
      guard !has.contains(.value) || details.values[row].isFinite else {
        throw .invalidEvent("a sample has a value that is not finite")
      }
    }

    var payload = Payload()
    payload.add(.fields, integers.encode(fields))
    if !startsFromTime.isEmpty {
      let fromTime = integers.encode(startsFromTime)
      let fromEnd = integers.encode(startsFromEnd)
      let isFromEnd = cost(fromEnd) < cost(fromTime)
      let reference: StartReference = isFromEnd ? .previousEnd : .eventTime
      payload.add(
        .starts,
        [Section(kind: .plain, bytes: [reference.rawValue])] + (isFromEnd ? fromEnd : fromTime))
    }
    if !ends.isEmpty { payload.add(.ends, integers.encode(ends)) }
    let values = ScaledValues(columns)
    if !values.scaled.isEmpty {
      payload.add(.values, [values.exponentSection] + integers.encode(values.scaled))
    }
    return payload
  }

  private static func checkGiven(_ time: Int64) throws(BlockError) {
    guard Timestamp.validRange.contains(time) else {
      throw .invalidEvent("a sample has a start or an end beyond ±4 × 10^18 nanoseconds")
    }
  }

  /// An estimate of the compressed size of sections, in bits.
  private static func cost(_ sections: [Section]) -> Double {
    sections.reduce(0) { cost, section in
      guard section.kind == .symbols else { return cost + Double(section.bytes.count * 8) }
      return cost + ByteCounts(section.bytes).entropyBits
    }
  }

  /// Decodes the payload into the details of a batch that is otherwise complete.
  static func decode(
    _ payload: [UInt8], length: Int, into columns: inout InputColumns
  ) throws(BlockError) {
    let directory = try PayloadDirectory(payload, length: length, role: .details)
    var column = IntegerColumnReader()
    var values: [Int64] = []
    let count = columns.count
    try read(.fields, count: count)
    var counts = (starts: 0, ends: 0, values: 0)
    columns.details.reset(to: count)
    for row in 0..<count {
      guard values[row] & ~7 == 0 else { throw .malformed("column fields has unknown fields") }
      let has = SampleDetails.Fields(rawValue: UInt8(values[row]))
      guard has.isEmpty || columns.kinds[row] == InputKind.save.rawValue else {
        throw .malformed("an event that is not a save has details")
      }
      if has.contains(.start) { counts.starts += 1 }
      if has.contains(.end) { counts.ends += 1 }
      if has.contains(.value) { counts.values += 1 }
      columns.details.fields[row] = has
    }

    var starts: [Int64] = []
    var ends: [Int64] = []
    var reference = StartReference.eventTime
    if counts.starts > 0 {
      var reader = try directory.mandatoryReader(of: .starts, in: payload)
      guard let known = StartReference(rawValue: try reader.readByte()) else {
        throw BlockError(.unknownVersion, "column starts has an unknown reference")
      }
      reference = known
      try IntegerColumn.decode(
        &reader, with: &column, payload: payload, count: counts.starts, into: &starts)
      try reader.expectEnd()
    }
    if counts.ends > 0 {
      try read(.ends, count: counts.ends)
      ends = values
    }
    var scaled = ScaledValueReader()
    if counts.values > 0 {
      var reader = try directory.mandatoryReader(of: .values, in: payload)
      scaled = try ScaledValueReader(
        &reader, with: &column, payload: payload, count: counts.values)
      try reader.expectEnd()
    }

    var previousEnds = PreviousEnds()
    var nextStart = 0
    var nextEnd = 0
    for row in 0..<count where columns.kinds[row] == InputKind.save.rawValue {
      let has = columns.details.fields[row]
      let type = columns.types[row]
      let time = columns.times[row]
      var start = time
      if has.contains(.start) {
        let distance = starts[nextStart]
        nextStart += 1
        if reference == .previousEnd, let previous = previousEnds[type] {
          start = previous &+ distance
        } else {
          start = time &- distance
        }
        try check(start)
        columns.details.starts[row] = start
      }
      var end = start
      if has.contains(.end) {
        end = start &+ ends[nextEnd]
        nextEnd += 1
        try check(end)
        columns.details.ends[row] = end
      }
      previousEnds[type] = end
      if has.contains(.value) { columns.details.values[row] = try scaled.next(of: type) }
    }

    func read(_ name: Column, count: Int) throws(BlockError) {
      var reader = try directory.mandatoryReader(of: name, in: payload)
      try IntegerColumn.decode(
        &reader, with: &column, payload: payload, count: count, into: &values)
      try reader.expectEnd()
    }
    func check(_ time: Int64) throws(BlockError) {
      guard Timestamp.validRange.contains(time) else {
        throw .malformed("a sample's start or end lies beyond ±4 × 10^18")
      }
    }
  }
}

/// The end of the last sample of each type.
private struct PreviousEnds {
  private var ends: [Int64?] = []

  subscript(type: UInt32) -> Int64? {
    get { Int(type) < ends.count ? ends[Int(type)] : nil }
    set {
      while ends.count <= Int(type) { ends.append(nil) }
      ends[Int(type)] = newValue
    }
  }
}
