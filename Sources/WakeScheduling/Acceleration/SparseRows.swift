import WakeEvents

// Acceleration `sparseRows`.
//
// Rules: 4.2 and 5.1, for rows of which most are more than a count, as where nearly every save wakes an app.
// Plain: the row becomes a sample, and `deliver` in `Rules/Samples.swift` passes that to each subscription that observes
// the type.
// Here: rows are taken one by one without a way back to the loop that counts four at a time, until some in a row are only
// counted. What a predicate asks of a save is read from the columns, unless `TypeFilters.swift` finds who takes it. Counting for
// a subscription starts with the first pending save; so without predicates something is pending exactly where saves are
// counted. A subscription whose first save wakes its app is never counted.
// Condition: arrivals are not noted one by one (``SchedulerCore/notesArrivals``).
// Tests: DifferentialTests, CountedWakesTests, LongRowsTests, InvariantTests.
// Gain: 818 to 251 instructions an input in random mix 14 of `Benchmarks/mixes.py`, 516 to 172 in mix 8. To start with
// the second pending save took 2.8 % more time over 140 mixes and over 44 pairs of policy and real trace, up to a quarter
// in single ones, as a processor cannot predict for which of a wake's types saves were counted; but 3 % less in `immediate` on
// fitbit and azure-vm-noise, where most wakes carry one save (geometric means, AMD Zen 4).
extension SchedulerCore {
  /// Whether rows are taken so.
  var takesSparseRows: Bool { accelerations.contains(.sparseRows) && !notesArrivals }

  /// After so many rows that are only counted, one after the other, a loop that does nothing else takes those that follow.
  static let fewQuietRows = 6

  /// Takes saves and deletes in time order, the first of which may be more than a count; the caller has
  /// counted them as inputs.
  ///
  /// - Parameter quietRows: So many rows that are only counted, one after the other, end it.
  /// - Returns: The first row that was not taken: the end, or where rows are to be counted or scanned.
  @inline(never)
  mutating func takeSparsely(
    _ columns: borrowing RowColumns, rows: Range<Int>, quietRows: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) -> Int {
    let times = unsafe columns.times.span
    let types = unsafe columns.types.span
    var row = rows.lowerBound
    var quiet = 0
    // The first row that is more than a count is taken even if its type is scanned.
    var leastTaken = Attention()
    repeat {
      // Unchecked: no row is beyond the columns, and every type has a count (``Attention/unknown``).
      let time = unsafe times[unchecked: row]
      let type = Int(unsafe types[unchecked: row])
      if timers.mayBeDue(by: time) {
        advancePresent(to: time, &hasher, listener)
        quiet = 0
      }
      let attention = coalescer.typeCounts[type].attention
      if attention.isNone {
        coalescer.typeCounts[type].first &+= 1
        quiet &+= 1
        row &+= 1
        if quiet == quietRows { break }
        continue
      }
      if attention.isBelow(leastTaken) { break }
      if type >= coalescer.knownTypes {
        reserveTypes(type + 1)
        continue
      }
      present = time
      coalescer.typeCounts[type].first &+= 1
      deliver(columns, row: row, ofType: type, isInRun: true, &hasher, listener)
      leastTaken = .observed
      quiet = 0
      row &+= 1
    } while row < rows.upperBound
    return row
  }

  /// Lets each subscription that observes the type take the save or delete of a row at the present, which is counted for
  /// the others. At least one observes it, as the caller has seen in the type's attention, so that the type has a roster.
  ///
  /// - Parameter isInRun: Whether further saves follow. Then those of the type are scanned, or counted as live deliveries,
  ///   from the next one on, where that is possible.
  // `@inline(always)`, here and below, as Swift takes `@inline(__always)` for a wish and made calls of them.
  @inline(always)
  mutating func deliver(
    _ columns: borrowing RowColumns, row: Int, ofType type: Int, isInRun: Bool,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    if coalescer.rosters[type].filtered > 0 {
      return deliverFiltered(
        columns, row: row, ofType: type, isInRun: isInRun, &hasher, listener)
    }
    var slots = Coalescer.ObservedSlots(ofType: type, &coalescer)
    while let slot = slots.next(in: &coalescer) {
      // Where saves are counted, a subscription without predicates is observed only while nothing is pending on it.
      if !coalescer.countsSaves, addIfPending(slot) { continue }
      assert(coalescer.subscriptions[slot].oldest == .max, "saves are pending, and not counted")
      if isInRun {
        deliverNew(to: slot, isInRun: true, &hasher, listener)
      } else {
        deliverAlone(to: slot, &hasher, listener)
      }
    }
  }

  /// ``deliver(_:row:ofType:isInRun:_:_:)`` for a type with a filtered subscription. Apart, as most types have none: what is
  /// asked here would be 6 % of the instructions of fitbit immediate.
  @inline(always)
  private mutating func deliverFiltered(
    _ columns: borrowing RowColumns, row: Int, ofType type: Int, isInRun: Bool,
    _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    // The kind last, here and below, as a processor predicts it worst.
    if findsFilters(ofType: type), !columns.isDelete(at: row) {
      return deliverFound(columns, row: row, ofType: type, &hasher, listener)
    }
    let isAlone = isInRun && coalescer.typeCounts[type].attention.observedCount == 1
    var slots = Coalescer.ObservedSlots(ofType: type, &coalescer)
    while let slot = slots.next(in: &coalescer) {
      let isFiltered = coalescer.subscriptions[slot].isFiltered
      let fits =
        !isFiltered ? true : columns.isDelete(at: row) ? true : matches(columns, row: row, slot)
      if fits, !addIfPending(slot) {
        if isInRun {
          deliverInRun(to: slot, &hasher, listener)
        } else {
          deliverAlone(to: slot, &hasher, listener)
        }
      }
      if isAlone, isFiltered { scanNext(slot) }
    }
  }

  /// Lets those take the save of a row that `TypeFilters.swift` finds.
  @inline(never)
  private mutating func deliverFound(
    _ columns: borrowing RowColumns, row: Int, ofType type: Int, _ hasher: inout WakeHasher,
    _ listener: WakeListener
  ) {
    let time = unsafe Timestamp(nanoseconds: columns.times[row])
    deliverFound(columns.sample(at: row), ofType: type, writtenAt: time, &hasher, listener)
  }

  /// Adds a save or delete to those that are pending on an observed subscription; false if none is pending.
  @inline(__always)
  private mutating func addIfPending(_ slot: Int) -> Bool {
    guard coalescer.subscriptions[slot].oldest != .max else { return false }
    coalescer.subscriptions[slot].counted &+= 1
    return true
  }

  /// ``deliverNew(to:isInRun:_:_:)`` for a row in a run that matches. Not inlined, as most rows do not match.
  @inline(never)
  private mutating func deliverInRun(
    to slot: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    deliverNew(to: slot, isInRun: true, &hasher, listener)
  }

  /// ``deliverNew(to:isInRun:_:_:)`` for a row that is in no run. Not inlined, as most such rows have other ends, which need
  /// the registers.
  @inline(never)
  private mutating func deliverAlone(
    to slot: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    deliverNew(to: slot, isInRun: false, &hasher, listener)
  }

  /// Lets a subscription on which nothing is pending take a save or delete that matches.
  @inline(always)
  private mutating func deliverNew(
    to slot: Int, isInRun: Bool, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let app = coalescer.subscriptions[slot].app
    if !isInRun, apps[app].activity == .foreground {
      counts.liveDeliveries &+= 1
      if apps[app].hasLiveDeliveries { countLive(slot, of: app) }
      apps[app].hasLiveDeliveries = true
    } else if apps[app].pendingDue <= coalescer.subscriptions[slot].periodEnd {
      // Another type is due no later, so that the app need not be evaluated; nor is it woken for this save alone, as then
      // nothing else would be due by now.
      coalescer.subscriptions[slot].addFirst(at: present)
      apps[app].addPendingNoSooner(
        coalescer.subscriptions[slot].place, due: coalescer.subscriptions[slot].periodEnd,
        at: present)
      coalescer.countIfPending(slot)
    } else if !wakeDirectly(slot, &hasher, listener) {
      deliverFirst(to: slot, &hasher, listener)
    }
  }

  /// Lets a subscription on which nothing is pending take a save or delete that wakes nothing at once.
  @inline(never)
  private mutating func deliverFirst(
    to slot: Int, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    let app = coalescer.subscriptions[slot].app
    if apps[app].activity == .foreground {
      counts.liveDeliveries &+= 1
      countLive(slot, of: app)
      return
    }
    coalescer.subscriptions[slot].addFirst(at: present)
    let due = apps[app].pendingDue
    notePending(slot, of: app)
    if apps[app].pendingDue < due { evaluateQuickly(app, &hasher, listener) }
    coalescer.countIfPending(slot)
  }

  /// Whether the save of a row matches the predicates of a subscription.
  @inline(__always)
  mutating func matches(
    _ columns: borrowing RowColumns, row: Int, _ slot: Int
  ) -> Bool {
    guard coalescer.filters[slot].isCompiled, unsafe row < columns.sources.count else {
      return matchesMore(columns, row: row, slot)
    }
    let source = unsafe columns.sources[row]
    if let matches = coalescer.filters[slot].compiled.matches(source: source) { return matches }
    guard unsafe columns.fields.isEmpty else { return matchesMore(columns, row: row, slot) }
    return unsafe coalescer.filters[slot].compiled.matches(
      source: source, time: columns.times[row])
  }

  /// ``matches(_:row:_:)`` for predicates that are not compiled, or where the columns have more than sources.
  @inline(never)
  private mutating func matchesMore(
    _ columns: borrowing RowColumns, row: Int, _ slot: Int
  ) -> Bool {
    guard coalescer.scansPredicates, coalescer.filters[slot].queries == nil else {
      return unsafe matches(
        columns.sample(at: row), writtenAt: Timestamp(nanoseconds: columns.times[row]), slot)
    }
    if !coalescer.filters[slot].isCompiled { coalescer.filters[slot].compile() }
    let count = unsafe columns.sources.count
    precondition(row < count, "row \(row) has no source")
    let source = unsafe columns.sources[row]
    if let matches = coalescer.filters[slot].compiled.matches(source: source) { return matches }
    let time = unsafe columns.times[row]
    guard unsafe row < columns.fields.count else {
      return coalescer.filters[slot].compiled.matches(source: source, time: time)
    }
    // What a sample does not have means nothing.
    let has = unsafe columns.fields[row]
    let start = unsafe has.contains(.start) ? columns.starts[row] : time
    let end = unsafe has.contains(.end) ? columns.ends[row] : start
    let value = unsafe has.contains(.value) ? columns.values[row] : 0
    return coalescer.filters[slot].compiled.matches(
      source: source, start: start, end: end, value: value,
      hasValue: has.contains(.value) ? 1 : 0)
  }
}

extension Coalescer.Filter {
  fileprivate mutating func compile() {
    compiled.set(few)
    isCompiled = true
  }
}
