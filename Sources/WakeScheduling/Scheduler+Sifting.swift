import WakeEvents

// Saves and deletes of types that are sifted (SPEC 5.1).
//
// Each row goes through a sieve, that of its type or the idle one: so it does not matter how rows of sifted
// types lie among others.
extension Scheduler {
  /// Takes rows that are ``OrderlyRows`` as long as they are counts, or counts where they match.
  ///
  /// - Returns: The first row that may be more, and is not taken; else the end of the rows.
  @inline(never)
  mutating func sift(
    _ columns: borrowing InputColumns, rows: Range<Int>, hasDeletes: Bool
  ) -> Int {
    precondition(rows.upperBound <= columns.sources.count, "rows \(rows) have no sources")
    var row = rows.lowerBound
    let detailed = min(columns.details.fields.count, rows.upperBound)
    if row < detailed {
      if !hasDeletes {
        row = siftSources(columns, rows: row..<detailed) { $0.isUpToSources }
        row = siftValues(columns, rows: row..<detailed)
      }
      if row < detailed { row = siftDetailed(columns, rows: row..<detailed) }
      guard row == detailed else { return row }
    }
    if !hasDeletes {
      row = siftSources(columns, rows: row..<rows.upperBound) { $0.isUpToPlainSources }
    }
    return siftPlain(columns, rows: row..<rows.upperBound)
  }

  /// Sifts saves as long as no sieve asks for more than their source.
  @inline(__always)
  private mutating func siftSources(
    _ columns: borrowing InputColumns, rows: Range<Int>, while isEnough: (Attention) -> Bool
  ) -> Int {
    let sources = columns.sources.span
    return siftSaves(columns, rows: rows, while: isEnough) { row, sieve in
      // Unchecked, here and below: no row lies beyond the columns.
      unsafe sieve.matches(source: sources[unchecked: row])
    }
  }

  /// Sifts saves as long as no sieve asks for more than their value.
  @inline(__always)
  private mutating func siftValues(_ columns: borrowing InputColumns, rows: Range<Int>) -> Int {
    let fields = columns.details.fields.span
    let values = columns.details.values.span
    precondition(
      rows.upperBound <= min(fields.count, values.count), "details that are not all as long")
    return siftSaves(columns, rows: rows, while: { $0.isUpToValues }) { row, sieve in
      unsafe fields[unchecked: row].count(.value) & sieve.matches(value: values[unchecked: row])
    }
  }

  /// Sifts saves as long as one part of them is all that sieves ask for; each is a count.
  ///
  /// - Parameter matches: 1 if that part of the save of a row matches by a sieve, else 0.
  @inline(__always)
  private mutating func siftSaves(
    _ columns: borrowing InputColumns, rows: Range<Int>, while isEnough: (Attention) -> Bool,
    matches: (Int, borrowing Sieve) -> Int
  ) -> Int {
    let types = columns.types.span
    let tallies = unsafe coalescer.tallies.unsafeValues
    let sieves = unsafe coalescer.sieves.unsafeValues
    func take(_ row: Int, _ type: Int) {
      let sieve = Int(unsafe tallies[type].sieve)
      unsafe sieves[sieve].matched &+= matches(row, sieves[sieve])
      unsafe tallies[type].first &+= 1
    }
    var row = rows.lowerBound
    while row &+ 4 <= rows.upperBound {
      let four = unsafe FourRows(types, row: row, tallies)
      guard isEnough(four.attention) else { break }
      take(row, four.first)
      take(row &+ 1, four.second)
      take(row &+ 2, four.third)
      take(row &+ 3, four.fourth)
      row &+= 4
    }
    while row < rows.upperBound {
      let type = Int(unsafe types[unchecked: row])
      guard unsafe isEnough(tallies[type].attention) else { break }
      take(row, type)
      row &+= 1
    }
    return row
  }

  /// Sifts rows that have nothing but source and time.
  @inline(__always)
  private mutating func siftPlain(_ columns: borrowing InputColumns, rows: Range<Int>) -> Int {
    let times = columns.times.span
    let sources = columns.sources.span
    return sift(columns, rows: rows) { row, sieve in
      unsafe sieve.matches(source: sources[unchecked: row], time: times[unchecked: row])
    }
  }

  /// Sifts rows whose details are there.
  @inline(__always)
  private mutating func siftDetailed(_ columns: borrowing InputColumns, rows: Range<Int>) -> Int {
    let times = columns.times.span
    let sources = columns.sources.span
    let fields = columns.details.fields.span
    let starts = columns.details.starts.span
    let ends = columns.details.ends.span
    let values = columns.details.values.span
    precondition(
      rows.upperBound <= min(fields.count, starts.count, ends.count, values.count),
      "details that are not all as long")
    return sift(columns, rows: rows) { row, sieve in
      let has = unsafe fields[unchecked: row]
      let start = unsafe has.pick(.start, starts[unchecked: row], else: times[unchecked: row])
      let end = unsafe has.pick(.end, ends[unchecked: row], else: start)
      return unsafe sieve.matches(
        source: sources[unchecked: row], start: start, end: end, value: values[unchecked: row],
        hasValue: has.count(.value))
    }
  }

  /// Sifts saves and deletes as long as one that matches is a count.
  ///
  /// - Parameter matches: 1 if the save of a row matches by a sieve, else 0.
  @inline(__always)
  private mutating func sift(
    _ columns: borrowing InputColumns, rows: Range<Int>, matches: (Int, borrowing Sieve) -> Int
  ) -> Int {
    let kinds = columns.kinds.span
    let types = columns.types.span
    let tallies = unsafe coalescer.tallies.unsafeValues
    let sieves = unsafe coalescer.sieves.unsafeValues
    var row = rows.lowerBound
    while row < rows.upperBound {
      let type = Int(unsafe types[unchecked: row])
      guard unsafe tallies[type].attention.isUpToSieves else { break }
      let sieve = Int(unsafe tallies[type].sieve)
      // A delete always matches.
      let matches = unsafe Int(kinds[unchecked: row]) | matches(row, sieves[sieve])
      guard unsafe matches & sieves[sieve].stops == 0 else { break }
      unsafe sieves[sieve].matched &+= matches
      unsafe tallies[type].first &+= 1
      row &+= 1
    }
    return row
  }
}

extension SampleDetails.Fields {
  /// 1 if the field is there, else 0.
  @inline(__always)
  fileprivate func count(_ field: Self) -> Int {
    Int(rawValue &>> UInt8(truncatingIfNeeded: field.rawValue.trailingZeroBitCount)) & 1
  }

  /// A time if the field is there, else another one: without a branch.
  @inline(__always)
  fileprivate func pick(_ field: Self, _ time: Int64, else other: Int64) -> Int64 {
    other ^ ((other ^ time) & (0 &- Int64(count(field))))
  }
}
