import WakeEvents

/// The columns of a block's details: the presence of start, end and value for each event, and their values.
///
/// Each is an ``IntegerColumn`` over the events that have the field. A start is stored relative to the event's time or
/// to the end of the type's last sample in the block, whichever is smaller; an end relative to the start.
enum DetailColumns {
  enum StartReference: UInt8 {
    /// A start is the event's time minus the stored number.
    case eventTime = 0
    /// A start is the end of its type's last sample plus the stored number; for the first sample, as `eventTime`.
    case previousEnd = 1
  }

  /// The payload; nil if no event has any of the fields. Throws `invalidEvent` for what readers reject.
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
    columns.details.reset(to: columns.count)
    let counts = try checkFields(
      read(.fields, count: columns.count), columns.kinds, into: &columns.details.fields)
    var times = StoredTimes()
    times.starts = try read(.starts, count: counts.starts) { reader throws(BlockError) in
      guard let known = StartReference(rawValue: try reader.readByte()) else {
        throw BlockError(.unknownVersion, "column starts has an unknown reference")
      }
      times.reference = known
    }
    times.ends = try read(.ends, count: counts.ends)
    var scaled = ScaledValueReader()
    scaled.scaled = try read(.values, count: counts.values) { reader throws(BlockError) in
      try scaled.readExponents(&reader, most: counts.values)
    }
    try times.resolve(
      columns.details.fields, columns.kinds, columns.types, columns.times,
      into: &columns.details.starts, &columns.details.ends)
    try scaled.resolve(columns.details.fields, columns.types, into: &columns.details.values)

    /// The integers of a column, which `head` precedes; none without reading if `count` is 0.
    func read(
      _ name: Column, count: Int,
      head: (inout ByteReader) throws(BlockError) -> Void = { _ throws(BlockError) in }
    ) throws(BlockError) -> [Int64] {
      guard count > 0 else { return [] }
      var reader = try directory.mandatoryReader(of: name, in: payload)
      try head(&reader)
      let values = try IntegerColumn.decode(&reader, with: &column, payload: payload, count: count)
      try reader.expectEnd()
      return values
    }
  }

  /// Checks which fields rows have, and counts them; only saves have any.
  private static func checkFields(
    _ stored: [Int64], _ kinds: [UInt8], into fields: inout [SampleDetails.Fields]
  ) throws(BlockError) -> (starts: Int, ends: Int, values: Int) {
    var counts = (starts: 0, ends: 0, values: 0)
    var fields = fields.mutableSpan
    for row in fields.indices {
      guard stored[row] & ~7 == 0 else { throw .malformed("column fields has unknown fields") }
      let has = SampleDetails.Fields(rawValue: UInt8(stored[row]))
      guard has.isEmpty || kinds[row] == InputKind.save.rawValue else {
        throw .malformed("an event that is not a save has details")
      }
      if has.contains(.start) { counts.starts += 1 }
      if has.contains(.end) { counts.ends += 1 }
      if has.contains(.value) { counts.values += 1 }
      fields[row] = has
    }
    return counts
  }
}

/// The columns of starts and ends, relative to what ``DetailColumns`` says.
private struct StoredTimes {
  var reference = DetailColumns.StartReference.eventTime
  var starts: [Int64] = []
  var ends: [Int64] = []

  /// Writes the starts and ends of the rows that have one.
  func resolve(
    _ fields: [SampleDetails.Fields], _ kinds: [UInt8], _ types: [UInt32], _ times: [Int64],
    into startsOfRows: inout [Int64], _ endsOfRows: inout [Int64]
  ) throws(BlockError) {
    var startsOfRows = startsOfRows.mutableSpan
    var endsOfRows = endsOfRows.mutableSpan
    var previousEnds = PreviousEnds()
    var nextStart = 0
    var nextEnd = 0
    for row in fields.indices where kinds[row] == InputKind.save.rawValue {
      let has = fields[row]
      var start = times[row]
      if has.contains(.start) {
        let distance = starts[nextStart]
        nextStart += 1
        if reference == .previousEnd, let previous = previousEnds[types[row]] {
          start = previous &+ distance
        } else {
          start &-= distance
        }
        try check(start)
        startsOfRows[row] = start
      }
      var end = start
      if has.contains(.end) {
        end = start &+ ends[nextEnd]
        nextEnd += 1
        try check(end)
        endsOfRows[row] = end
      }
      if reference == .previousEnd { previousEnds[types[row]] = end }
    }
  }

  private func check(_ time: Int64) throws(BlockError) {
    guard Timestamp.validRange.contains(time) else {
      throw .malformed("a sample's start or end lies beyond ±4 × 10^18")
    }
  }
}

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
