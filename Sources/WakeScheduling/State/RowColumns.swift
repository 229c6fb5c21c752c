import WakeEvents

/// The columns of a batch in any memory, as ``InputColumns`` has them in its own. Valid during the call that it is passed
/// to.
@safe
package struct RowColumns {
  let times: UnsafeBufferPointer<Int64>
  let kinds: UnsafeBufferPointer<UInt8>
  let types: UnsafeBufferPointer<UInt32>
  var sources = unsafe UnsafeBufferPointer<UInt32>(start: nil, count: 0)
  private var briefs = unsafe UnsafeBufferPointer<BriefInput>(start: nil, count: 0)
  private var predicates = unsafe UnsafeBufferPointer<Predicate>(start: nil, count: 0)
  private var pushIDs = unsafe UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var fields = unsafe UnsafeBufferPointer<SampleDetails.Fields>(start: nil, count: 0)
  var starts = unsafe UnsafeBufferPointer<Int64>(start: nil, count: 0)
  var ends = unsafe UnsafeBufferPointer<Int64>(start: nil, count: 0)
  var values = unsafe UnsafeBufferPointer<Double>(start: nil, count: 0)

  /// Makes columns of saves and deletes without optional fields.
  package init(
    times: UnsafePointer<Int64>?, kinds: UnsafePointer<UInt8>?, types: UnsafePointer<UInt32>?,
    count: Int
  ) {
    unsafe self.times = unsafe UnsafeBufferPointer(start: times, count: count)
    unsafe self.kinds = unsafe UnsafeBufferPointer(start: kinds, count: count)
    unsafe self.types = unsafe UnsafeBufferPointer(start: types, count: count)
  }

  /// Sets sources and optional fields, for predicates; without `fields` no row has any.
  package mutating func setDetails(
    sources: UnsafePointer<UInt32>?, fields: UnsafePointer<UInt8>?, starts: UnsafePointer<Int64>?,
    ends: UnsafePointer<Int64>?, values: UnsafePointer<Double>?
  ) {
    let count = unsafe times.count
    unsafe self.sources = unsafe UnsafeBufferPointer(start: sources, count: count)
    guard let fields = unsafe fields else { return }
    // A set of fields is its byte.
    unsafe self.fields = unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(fields).assumingMemoryBound(to: SampleDetails.Fields.self),
      count: count)
    unsafe self.starts = unsafe UnsafeBufferPointer(start: starts, count: count)
    unsafe self.ends = unsafe UnsafeBufferPointer(start: ends, count: count)
    unsafe self.values = unsafe UnsafeBufferPointer(start: values, count: count)
  }

  fileprivate init(
    _ times: UnsafeBufferPointer<Int64>, _ kinds: UnsafeBufferPointer<UInt8>,
    _ types: UnsafeBufferPointer<UInt32>, _ sources: UnsafeBufferPointer<UInt32>,
    _ briefs: UnsafeBufferPointer<BriefInput>, _ predicates: UnsafeBufferPointer<Predicate>,
    _ pushIDs: UnsafeBufferPointer<UInt8>
  ) {
    unsafe self.times = unsafe times
    unsafe self.kinds = unsafe kinds
    unsafe self.types = unsafe types
    unsafe self.sources = unsafe sources
    unsafe self.briefs = unsafe briefs
    unsafe self.predicates = unsafe predicates
    unsafe self.pushIDs = unsafe pushIDs
  }

  /// The time of a row in nanoseconds.
  @inline(__always)
  package func time(at row: Int) -> Int64 { unsafe times.span[row] }

  /// The times of rows in nanoseconds.
  package func withTimes<Result>(of rows: Range<Int>, _ body: (Span<Int64>) -> Result) -> Result {
    body(unsafe times.span.extracting(rows))
  }

  /// The kind of a row.
  @inline(__always)
  func kind(at row: Int) -> InputKind {
    let number = unsafe kinds[row]
    precondition(number <= InputKind.observed.rawValue, "row \(row) is of no kind")
    // `InputKind(rawValue:)` is a call. The byte of a case is its number, as cases have no values and are numbered in order.
    return unsafe unsafeBitCast(number, to: InputKind.self)
  }

  /// Whether a row that is a save or a delete is a delete.
  @inline(__always)
  func isDelete(at row: Int) -> Bool { unsafe kinds[row] == InputKind.delete.rawValue }

  /// The input at a place of ``briefs``.
  @inline(__always)
  func other(at place: Int) -> OtherInput {
    unsafe OtherInput(at: place, of: briefs, predicates, pushIDs)
  }

  /// The sample of a row that is a save.
  func sample(at row: Int) -> Sample {
    let count = unsafe sources.count
    precondition(row < count, "row \(row) has no source")
    var sample = unsafe Sample(
      type: SampleType(index: types[row]), source: Source(index: sources[row]))
    guard unsafe row < fields.count else { return sample }
    let has = unsafe fields[row]
    if has.contains(.start) { sample.start = unsafe Timestamp(nanoseconds: starts[row]) }
    if has.contains(.end) { sample.end = unsafe Timestamp(nanoseconds: ends[row]) }
    if has.contains(.value) { sample.value = unsafe values[row] }
    return sample
  }
}

extension InputColumns {
  /// Calls `body` with the columns in place.
  @inline(__always)
  package func withRowColumns<Result, Failure>(
    _ body: (borrowing RowColumns) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe times.withUnsafeBufferPointer { (times) throws(Failure) in
      try unsafe kinds.withUnsafeBufferPointer { (kinds) throws(Failure) in
        try unsafe types.withUnsafeBufferPointer { (types) throws(Failure) in
          try unsafe sources.withUnsafeBufferPointer { (sources) throws(Failure) in
            try unsafe briefs.withUnsafeBufferPointer { (briefs) throws(Failure) in
              try unsafe predicates.withUnsafeBufferPointer { (predicates) throws(Failure) in
                try unsafe pushIDs.withUnsafeBufferPointer { (pushIDs) throws(Failure) in
                  var columns = unsafe RowColumns(
                    times, kinds, types, sources, briefs, predicates, pushIDs)
                  return try details.set(in: &columns, body)
                }
              }
            }
          }
        }
      }
    }
  }
}

extension SampleDetails {
  @inline(__always)
  fileprivate func set<Result, Failure>(
    in columns: inout RowColumns, _ body: (borrowing RowColumns) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe fields.withUnsafeBufferPointer { (fields) throws(Failure) in
      try unsafe starts.withUnsafeBufferPointer { (starts) throws(Failure) in
        try unsafe ends.withUnsafeBufferPointer { (ends) throws(Failure) in
          try unsafe values.withUnsafeBufferPointer { (values) throws(Failure) in
            unsafe columns.fields = unsafe fields
            unsafe columns.starts = unsafe starts
            unsafe columns.ends = unsafe ends
            unsafe columns.values = unsafe values
            return try body(columns)
          }
        }
      }
    }
  }
}
