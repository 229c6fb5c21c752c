public import WakeEvents

// Saves and deletes (SPEC 5.1): the hot path.
extension Scheduler {
  /// Takes a run of inputs given as columns, as if one by one.
  ///
  /// - Parameters:
  ///   - columns: The inputs.
  ///   - rows: Which of them, in order.
  ///   - onWake: Called for each wake that begins or ends on the way.
  /// - Complexity: For a save or delete O(1) and what it wakes; else O(apps on the device). Nothing is
  ///   allocated for a save or delete once the device's types are known.
  public mutating func take(
    _ columns: borrowing InputColumns, rows: Range<Int>,
    _ onWake: (WakePhase, borrowing Wake) -> Void
  ) {
    feed(columns, rows: rows) { phase, wakes in wakes.forEachWake { onWake(phase, $0) } }
  }

  /// ``take(_:rows:_:)`` without copies of the wakes.
  package mutating func feed(
    _ columns: borrowing InputColumns, rows: Range<Int>,
    _ listener: (WakePhase, borrowing WakeView) -> Void
  ) {
    let times = columns.times.span
    let kinds = columns.kinds.span
    let types = columns.types.span
    precondition(
      rows.lowerBound >= 0 && rows.upperBound <= min(times.count, kinds.count, types.count),
      "rows \(rows) of columns that are not all as long")
    var start = rows.lowerBound
    while start < rows.upperBound {
      let part = start..<min(start + OrderlyRows.length, rows.upperBound)
      if part.count >= OrderlyRows.least,
        let deletes = OrderlyRows.deletes(
          times: times, kinds: kinds, types: types, rows: part, from: present,
          typeCount: coalescer.tallies.count)
      {
        feedOrderly(columns, rows: part, deletes: deletes, listener)
      } else {
        feedCarefully(columns, rows: part, listener)
      }
      start = part.upperBound
    }
  }

  /// Takes rows that are ``OrderlyRows``.
  @inline(__always)
  private mutating func feedOrderly(
    _ columns: borrowing InputColumns, rows: Range<Int>, deletes: Int, _ listener: WakeListener
  ) {
    let times = columns.times.span
    let types = columns.types.span
    // Unchecked, here and below: no row lies beyond the columns.
    let last = unsafe times[unchecked: rows.upperBound &- 1]
    var row = rows.lowerBound
    while row < rows.upperBound {
      let tallies = unsafe coalescer.tallies.unsafeValues
      let nextDue = timers.nextDue
      var end = rows.upperBound
      if last >= nextDue {
        // Ends at the last row at the latest.
        end = row
        while unsafe times[unchecked: end] < nextDue { end &+= 1 }
      }
      // As long as rows are nothing but counts.
      while row < end {
        while row &+ 1 < end {
          let type = Int(unsafe types[unchecked: row])
          let other = Int(unsafe types[unchecked: row &+ 1])
          guard unsafe tallies[type].attention | tallies[other].attention == 0 else { break }
          unsafe tallies[type].even &+= 1
          unsafe tallies[other].odd &+= 1
          row &+= 2
        }
        guard row < end else { break }
        let type = Int(unsafe types[unchecked: row])
        guard unsafe tallies[type].attention == 0 || sift(columns, row: row, type: type) else {
          break
        }
        unsafe tallies[type].even &+= 1
        row &+= 1
      }
      guard row < rows.upperBound else { break }
      takeSample(columns, row: row, listener)
      row &+= 1
    }
    present = last
    counts.inputs += rows.count
    counts.saves += rows.count - deletes
    counts.deletes += deletes
  }

  /// Holds a save or delete against the predicate of the only subscription that is attentive, and counts
  /// it there if it matches; false, with nothing done, if it may be more than a count.
  @inline(__always)
  private mutating func sift(
    _ columns: borrowing InputColumns, row: Int, type: Int
  ) -> Bool {
    let roster = coalescer.rosters[type]
    guard coalescer.tallies[type].attention == 1, roster.count <= 64 else { return false }
    let rank = coalescer.attentive[roster.words].trailingZeroBitCount
    let slot = Int(coalescer.members[roster.members + rank])
    // With something pending, the app is not in the foreground.
    guard coalescer.subscriptions[slot].mode == .filtered,
      coalescer.subscriptions[slot].oldest != .max, coalescer.sieves[slot].isWhole
    else { return false }
    let time = unsafe columns.times.span[unchecked: row]
    let isDelete = Int(unsafe columns.kinds.span[unchecked: row])
    let matches = coalescer.sieves[slot].matches(columns, row: row, time: time)
    coalescer.subscriptions[slot].counted &+= isDelete | (matches ? 1 : 0)
    return true
  }

  /// Takes rows that may be anything.
  @inline(never)
  private mutating func feedCarefully(
    _ columns: borrowing InputColumns, rows: Range<Int>, _ listener: WakeListener
  ) {
    let times = columns.times.span
    let kinds = columns.kinds.span
    let types = columns.types.span
    var tallies = unsafe coalescer.tallies.unsafeValues
    var nextDue = timers.nextDue
    var present = present
    var quiet = rows.count
    var deletes = 0
    var late = 0
    var row = rows.lowerBound
    while true {
      while row < rows.upperBound {
        // Unchecked: no row lies beyond the columns.
        let time = unsafe times[unchecked: row]
        let kind = unsafe kinds[unchecked: row]
        let type = Int(unsafe types[unchecked: row])
        let effective = max(time, present)
        guard effective < nextDue, kind <= InputKind.delete.rawValue, type < tallies.count,
          unsafe tallies[type].attention == 0
        else { break }
        unsafe tallies[type].even &+= 1
        deletes &+= Int(kind)
        late &+= time < effective ? 1 : 0
        present = effective
        row &+= 1
      }
      guard row < rows.upperBound else { break }
      self.present = present
      takeOne(columns, row: row, listener)
      row &+= 1
      quiet &-= 1
      present = self.present
      nextDue = timers.nextDue
      unsafe tallies = coalescer.tallies.unsafeValues
    }
    self.present = present
    counts.inputs += quiet
    counts.saves += quiet - deletes
    counts.deletes += deletes
    counts.lateInputs += late
  }

  /// Takes a save or delete of a known type that is not late and may be more than a count; it is counted
  /// by the caller.
  @inline(never)
  private mutating func takeSample(
    _ columns: borrowing InputColumns, row: Int, _ listener: WakeListener
  ) {
    let time = unsafe columns.times.span[unchecked: row]
    while timers.nextDue <= time { happen(listener) }
    present = time
    let type = Int(unsafe columns.types.span[unchecked: row])
    let isDelete = unsafe columns.kinds.span[unchecked: row] == InputKind.delete.rawValue
    offer(type, isDelete: isDelete, listener) { predicates in
      Self.match(
        columns.sample(at: row), writtenAt: Timestamp(nanoseconds: time), oneOf: predicates)
    }
  }

  /// Takes an input that may be more than a count.
  @inline(never)
  private mutating func takeOne(
    _ columns: borrowing InputColumns, row: Int, _ listener: WakeListener
  ) {
    let time = columns.times[row]
    enter(time, listener)
    let kind = columns.kinds[row]
    guard kind <= InputKind.delete.rawValue else {
      apply(columns.others[Int(columns.types[row])], listener)
      return
    }
    let type = Int(columns.types[row])
    if type >= coalescer.tallies.count { coalescer.reserveTypes(symbols.types.count) }
    let isDelete = kind == InputKind.delete.rawValue
    take(type, isDelete: isDelete, listener) { predicates in
      Self.match(
        columns.sample(at: row), writtenAt: Timestamp(nanoseconds: time), oneOf: predicates)
    }
  }

  /// Takes a save or delete of a type, by its index, at the present.
  ///
  /// - Parameter matches: Whether the save matches one of those predicates.
  @inline(__always)
  mutating func take(
    _ type: Int, isDelete: Bool, _ listener: WakeListener,
    matches: ([Predicate]) -> Bool
  ) {
    if isDelete { counts.deletes += 1 } else { counts.saves += 1 }
    offer(type, isDelete: isDelete, listener, matches: matches)
  }

  /// Adds a save or delete to its type's tally and lets every attentive subscription take it.
  @inline(__always)
  private mutating func offer(
    _ type: Int, isDelete: Bool, _ listener: WakeListener, matches: ([Predicate]) -> Bool
  ) {
    coalescer.tallies[type].even += 1
    guard coalescer.tallies[type].attention > 0 else { return }
    let roster = coalescer.rosters[type]
    for word in 0..<Coalescer.Roster.words(for: roster.count) {
      // What it leads to for one app changes no other one's attention.
      var bits = coalescer.attentive[roster.words + word]
      while bits != 0 {
        let rank = 64 * word + bits.trailingZeroBitCount
        bits &= bits &- 1
        let slot = Int(coalescer.members[roster.members + rank])
        offer(to: slot, isDelete: isDelete, listener, matches: matches)
      }
    }
  }

  /// Whether a sample matches one of some predicates (SPEC 5.1).
  static func match(
    _ sample: Sample, writtenAt time: Timestamp, oneOf predicates: [Predicate]
  ) -> Bool {
    for predicate in predicates where predicate.matches(sample, writtenAt: time) { return true }
    return false
  }

  /// Lets an attentive subscription take a save or delete, and evaluates its app if that may matter.
  @inline(__always)
  private mutating func offer(
    to slot: Int, isDelete: Bool, _ listener: WakeListener,
    matches: ([Predicate]) -> Bool
  ) {
    let app = coalescer.subscriptions[slot].app
    if coalescer.subscriptions[slot].mode == .filtered {
      guard isDelete || matches(coalescer.filters[slot]) else { return }
      if apps[app].activity == .foreground {
        counts.liveDeliveries += 1
        return
      }
    }
    coalescer.subscriptions[slot].counted += 1
    guard coalescer.subscriptions[slot].oldest == .max else { return }
    coalescer.subscriptions[slot].oldest = present
    let pendingFrom = coalescer.subscriptions[slot].pendingFrom
    // If another type is due no later, the app is evaluated for that one.
    if pendingFrom < apps[app].earliestPending {
      apps[app].earliestPending = pendingFrom
      evaluate(app, listener)
    }
    // Most idle subscriptions are woken for at once, and never leave the attentive ones.
    coalescer.countIfPending(slot)
  }
}
