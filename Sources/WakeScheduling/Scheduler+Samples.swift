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
  ///
  /// - Parameter orderliness: What is sure about the rows, if anything is.
  package mutating func feed(
    _ columns: borrowing InputColumns, rows: Range<Int>, orderliness: Orderliness? = nil,
    _ listener: (WakePhase, borrowing WakeView) -> Void
  ) {
    guard !rows.isEmpty else { return }
    let times = columns.times.span
    let kinds = columns.kinds.span
    let types = columns.types.span
    precondition(
      rows.lowerBound >= 0 && rows.upperBound <= min(times.count, kinds.count, types.count),
      "rows \(rows) of columns that are not all as long")
    // Where none is before its predecessor, none is late if the first is not.
    let assured = times[rows.lowerBound] >= present ? orderliness : nil
    if let assured { coalescer.reserveTypes(assured.typeEnd) }
    // How many rows are taken without a look after one that needs care: the more, the more there were.
    var rowsUnlooked = 1
    var start = rows.lowerBound
    while start < rows.upperBound {
      let end = min(start &+ OrderlyRows.length, rows.upperBound)
      let part = unsafe Range(uncheckedBounds: (start, end))
      // Unchecked: no row lies beyond the columns.
      let partKinds = unsafe kinds.extracting(unchecked: part)
      let orderly =
        if let assured {
          OrderlyRows(assured, kinds: partKinds)
        } else {
          unsafe OrderlyRows.leading(
            times: times.extracting(unchecked: part), kinds: partKinds,
            types: types.extracting(unchecked: part), from: present,
            typeCount: coalescer.tallies.count, byEights: usesEights)
        }
      if orderly.count >= OrderlyRows.least || assured != nil {
        feedOrderly(columns, from: start, orderly, listener)
        start &+= orderly.count
        rowsUnlooked = 1
      } else {
        if !usesEights { rowsUnlooked = OrderlyRows.length }
        let carefulEnd = min(start + max(rowsUnlooked, orderly.count + 1), end)
        feedCarefully(columns, rows: start..<carefulEnd, listener)
        start = carefulEnd
        rowsUnlooked = min(2 * rowsUnlooked, OrderlyRows.length)
      }
    }
  }

  /// Takes rows that are ``OrderlyRows``.
  @inline(__always)
  private mutating func feedOrderly(
    _ columns: borrowing InputColumns, from start: Int, _ orderly: OrderlyRows,
    _ listener: WakeListener
  ) {
    let times = columns.times.span
    let types = columns.types.span
    // Unchecked, here and below: no row lies beyond the columns.
    let rows = unsafe Range(uncheckedBounds: (start, start &+ orderly.count))
    let last = unsafe times[unchecked: rows.upperBound &- 1]
    var row = rows.lowerBound
    while row < rows.upperBound {
      let tallies = unsafe coalescer.tallies.unsafeValues
      let nextDue = timers.nextDue
      var end = rows.upperBound
      if last >= nextDue {
        end = OrderlyRows.place(
          ofFirstNotBefore: nextDue, times: times, rows: row..<rows.upperBound, byEights: usesEights
        )
      }
      row = count(types, rows: row..<end)
      if row < end, unsafe tallies[Int(types[unchecked: row])].attention.isSifted {
        row = sift(columns, rows: row..<end, hasDeletes: orderly.deletes > 0)
      }
      guard row < rows.upperBound else { break }
      takeSample(columns, row: row, listener)
      row &+= 1
    }
    present = last
    counts.inputs &+= orderly.count
    counts.saves &+= orderly.count &- orderly.deletes
    counts.deletes &+= orderly.deletes
  }

  /// Counts rows as long as they are nothing but counts; returns the first that may be more, or their end.
  @inline(__always)
  private mutating func count(_ types: borrowing Span<UInt32>, rows: Range<Int>) -> Int {
    let tallies = unsafe coalescer.tallies.unsafeValues
    var row = rows.lowerBound
    while row &+ 4 <= rows.upperBound {
      let four = unsafe FourRows(types, row: row, tallies)
      guard four.attention.isNone else { break }
      unsafe tallies[four.first].first &+= 1
      unsafe tallies[four.second].second &+= 1
      unsafe tallies[four.third].third &+= 1
      unsafe tallies[four.fourth].fourth &+= 1
      row &+= 4
    }
    while row < rows.upperBound {
      let type = Int(unsafe types[unchecked: row])
      guard unsafe tallies[type].attention.isNone else { break }
      unsafe tallies[type].first &+= 1
      row &+= 1
    }
    return row
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
          unsafe tallies[type].attention.isNone
        else { break }
        unsafe tallies[type].first &+= 1
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
    coalescer.tallies[type].first += 1
    guard !coalescer.tallies[type].attention.isNone else { return }
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
    guard coalescer.subscriptions[slot].mode == .filtered else {
      takeFirst(slot, app, listener)
      return
    }
    let isLive = apps[app].activity == .foreground
    if isDelete || matches(coalescer.filters[slot]) {
      if isLive {
        counts.liveDeliveries += 1
      } else if coalescer.subscriptions[slot].oldest == .max {
        takeFirst(slot, app, listener)
      } else {
        coalescer.subscriptions[slot].counted += 1
      }
    }
    coalescer.sift(slot, from: present, isLive: isLive)
  }

  /// Lets a subscription on which nothing is pending take a save or delete, and evaluates its app if that may
  /// matter.
  @inline(__always)
  private mutating func takeFirst(_ slot: Int, _ app: Int, _ listener: WakeListener) {
    // Most wake their app at once, and leave all as it is but the wake.
    if wakes(app, for: slot) {
      wakeForOne(app, slot, listener)
    } else {
      beginWaiting(slot, app, listener)
    }
  }

  /// Notes the first save or delete that is pending on a subscription, and evaluates its app if need be.
  @inline(never)
  private mutating func beginWaiting(_ slot: Int, _ app: Int, _ listener: WakeListener) {
    coalescer.subscriptions[slot].counted = 1
    coalescer.subscriptions[slot].oldest = present
    let pendingFrom = coalescer.subscriptions[slot].pendingFrom
    // If another type is due no later, the app is evaluated for that one.
    if pendingFrom < apps[app].earliestPending {
      apps[app].earliestPending = pendingFrom
      evaluate(app, listener)
    }
    coalescer.countIfPending(slot)
  }
}
