// Acceleration `saveCounting`.
//
// Rule: 5.1, the second and each further save that is pending on a subscription, and each live delivery.
// Plain: every subscription on the type adds one to its own count.
// Here: the type has one count. A subscription for which a save only adds one holds its own number less the type's
// count, so that a save costs the same for one such subscription or a thousand.
// Condition: the subscription has no predicates, and something is pending on it or its app is in the foreground. Then
// a save changes neither the oldest pending save nor when the app is due. The first save in the foreground is looked at,
// so that opening an app does not touch subscriptions whose types nobody saves.
// Tests: DifferentialTests, CountedWakesTests, InvariantTests, CountRestartTests, ManyAppsRowsTests.
// Gain: 3.5 to 11 times on wearable, fitbit hourly and watch budget, scheduling alone (page Performance).

/// The saves and deletes of a type that were counted, how closely the next ones must be looked at, and who looks at them: 16
/// bytes, as a device has one for each type that is known. Kernels read it as a `struct kernels_type_count`.
struct TypeCount {
  /// Those counted as the first and third of four rows, and as the second and fourth (``Accelerations/rowBatches``): a
  /// processor waits when the same number is incremented twice in a row. Those counted one by one are among the first.
  ///
  /// Of 32 bits, as AMD Zen 3 stores such a number in one cycle, and one of 16 bits in two.
  var first: UInt32 = 0
  var second: UInt32 = 0
  var attention = Attention()
  /// A bit for each of the first ``Coalescer/firstRanks`` subscriptions on the type, by rank: whether it is observed. Beside
  /// the attention, as whoever finds some needs these bits next.
  var observed: UInt32 = 0

  /// So many rows can be counted between two calls of ``restart()``, and at once. A number holds twice as many, since counts
  /// may begin again in the middle of a batch: no room is made for the rest of that batch (``Coalescer/prepareToCount(_:)``).
  static let mostRows = Int(Int32.max)

  /// Only differences between two calls of ``restart()`` matter.
  @inline(__always)
  var total: Int { Int(first) &+ Int(second) }

  /// Counts from 0 again.
  mutating func restart() { (first, second) = (0, 0) }
}

/// How closely saves of a type must be looked at.
struct Attention {
  /// One of the low bits if the type is scanned with a compiled predicate; else the number of observed subscriptions
  /// times ``one``.
  private var level: UInt32

  init() { level = 0 }

  /// For a type that is not known yet: the rules must look at it.
  static let unknown: Attention = {
    var attention = Attention()
    attention.level = .max
    return attention
  }()

  /// For a type with one observed subscription; below it are ``isNone`` and ``isScanned``.
  static let observed: Attention = {
    var attention = Attention()
    attention.addObserved()
    return attention
  }()

  /// The union of four: ``isNone`` if all are.
  @inline(__always)
  init(_ first: Attention, _ second: Attention, _ third: Attention, _ fourth: Attention) {
    level = first.level | second.level | third.level | fourth.level
  }

  /// Whether a save is only counted.
  @inline(__always)
  var isNone: Bool { level == 0 }

  /// Whether one subscription is observed, and rows are scanned for it (``Accelerations/predicateScan``).
  @inline(__always)
  var isScanned: Bool { level != 0 && isAtMostScanned }

  /// Whether a save needs less than one of a type with another attention.
  @inline(__always)
  func isBelow(_ other: Attention) -> Bool { level < other.level }

  /// Whether a save is counted, or counted if its source matches.
  @inline(__always)
  var needsAtMostSource: Bool { level & ~Self.source == 0 }

  /// As ``needsAtMostSource``, for saves without start, end and value.
  @inline(__always)
  var needsAtMostSourceWithoutDetails: Bool { level & ~(Self.source | Self.plainSource) == 0 }

  /// Whether a save is counted, or counted if its value matches.
  @inline(__always)
  var needsAtMostValue: Bool { level & ~Self.value == 0 }

  /// Whether a save is counted, or counted if a compiled predicate matches.
  @inline(__always)
  var isAtMostScanned: Bool { level < Self.one }

  /// The number of observed subscriptions.
  var observedCount: Int { isScanned ? 1 : Int(level / Self.one) }

  private static let source: UInt32 = 1
  private static let plainSource: UInt32 = 2
  private static let value: UInt32 = 4
  private static let sample: UInt32 = 8
  private static let one: UInt32 = 16

  /// Adds an observed subscription; the type is not scanned.
  @inline(__always)
  mutating func addObserved() {
    assert(!isScanned && level < .max - Self.one, "level \(level)")
    level &+= Self.one
  }

  /// Removes an observed subscription; the type is not scanned.
  @inline(__always)
  mutating func removeObserved() {
    assert(level >= Self.one, "level \(level)")
    level &-= Self.one
  }

  /// Starts to scan the type for its only observed subscription, from a time on.
  mutating func startScan(_ predicate: CompiledPredicate, from time: Int64) {
    level =
      if predicate.stopsAtMatch != 0 {
        Self.sample
      } else {
        switch predicate.question {
        case .source: Self.source
        case .value: Self.value
        case .sample: predicate.isAlwaysInTime(from: time) ? Self.plainSource : Self.sample
        }
      }
  }

  /// Ends the scan: the subscription is observed.
  mutating func stopScan() { level = Self.one }
}

extension Coalescer {
  /// The saves and deletes of a type that were counted. Only differences matter.
  @inline(__always)
  func total(ofType type: Int) -> Int { typeCounts[type].total }

  /// Makes room to count a number of rows, at most ``TypeCount/mostRows``.
  @inline(__always)
  mutating func prepareToCount(_ rows: Int) {
    guard rows <= TypeCount.mostRows &- rowsCounted else {
      return restartCounts(beforeRows: rows)
    }
    rowsCounted &+= rows
  }

  /// Takes what was counted into the subscriptions' own numbers.
  @inline(never)
  private mutating func restartCounts(beforeRows rows: Int) {
    precondition(rows <= TypeCount.mostRows, "\(rows) rows are counted at once")
    for slot in subscriptions.indices where subscriptions[slot].mode.isCounted {
      subscriptions[slot].counted &+= total(ofType: subscriptions[slot].typeIndex)
    }
    for type in typeCounts.indices { typeCounts[type].restart() }
    rowsCounted = rows
  }

  /// Counts a save or delete for the subscriptions on its type that are not observed; false if none is observed.
  @inline(__always)
  mutating func countSave(ofType type: Int) -> Bool {
    prepareToCount(1)
    typeCounts[type].first &+= 1
    return !typeCounts[type].attention.isNone
  }

  /// Counts saves and deletes of a known type, at most ``TypeCount/mostRows``.
  mutating func count(_ events: Int, ofType type: Int) {
    prepareToCount(events)
    typeCounts[type].first &+= UInt32(events)
  }

  /// The mode of a subscription with that state, before its first live delivery.
  func mode(_ subscription: SubscriptionState) -> SubscriptionState.Mode {
    !countsSaves || subscription.isFiltered || subscription.oldest == .max ? .observed : .counted
  }

  /// Lets saves reach a detached subscription in its mode, from the next one on.
  mutating func attach(_ slot: Int) {
    let mode = mode(subscriptions[slot])
    subscriptions[slot].mode = mode
    subscriptions[slot].counted &-= total(ofType: subscriptions[slot].typeIndex)
    // Which adds the total again.
    if mode == .observed { observe(slot) }
  }

  /// Takes all saves so far into the subscription's own numbers, and detaches it.
  mutating func materialize(_ slot: Int) {
    let mode = subscriptions[slot].mode
    guard mode != .detached else { return }
    if mode == .observed {
      stopScan(slot)
      // As if the type's count stood for it, as in the other modes.
      startCounting(slot, as: .detached)
    }
    subscriptions[slot].counted &+= total(ofType: subscriptions[slot].typeIndex)
    if mode == .live { takeLiveDeliveries(slot) }
    subscriptions[slot].mode = .detached
  }

  /// Ends the live deliveries of a subscription, on which nothing is pending: the rules observe it again.
  @inline(__always)
  mutating func endLive(_ slot: Int) {
    observe(slot)
    takeLiveDeliveries(slot)
  }

  @inline(__always)
  private mutating func takeLiveDeliveries(_ slot: Int) {
    liveDeliveries &+= subscriptions[slot].counted
    subscriptions[slot].counted = 0
  }

  /// The saves pending on a subscription.
  func pending(_ slot: Int) -> Int {
    guard subscriptions[slot].oldest != .max else { return 0 }
    let type = subscriptions[slot].typeIndex
    let counted = subscriptions[slot].mode == .counted ? total(ofType: type) : 0
    let scanned = isScanned(slot) ? compiled[CompiledPredicate.place(of: slot)].matched : 0
    return subscriptions[slot].counted + counted + scanned
  }

  /// Takes the pending saves off a subscription, which the rules then observe again.
  @inline(__always)
  mutating func takePending(_ slot: Int) -> (saves: Int, oldest: Int64) {
    guard subscriptions[slot].oldest != .max else { return (0, .max) }
    if subscriptions[slot].mode == .counted { observe(slot) } else { stopScan(slot) }
    return subscriptions[slot].takePending()
  }

  /// Counts for an observed subscription from the next save on, if something is pending on it.
  @inline(__always)
  mutating func countIfPending(_ slot: Int) {
    if subscriptions[slot].oldest != .max { count(slot, as: .counted) }
  }

  /// Counts for an observed subscription without predicates from the next save on.
  @inline(__always)
  mutating func count(_ slot: Int, as mode: SubscriptionState.Mode) {
    guard countsSaves, subscriptions[slot].mode == .observed, !subscriptions[slot].isFiltered
    else { return }
    startCounting(slot, as: mode)
  }

  /// ``count(_:as:)`` where saves are counted, for a subscription that is known to be observed and not scanned. One with
  /// predicates can only be detached.
  @inline(__always)
  mutating func startCounting(_ slot: Int, as mode: SubscriptionState.Mode) {
    let type = subscriptions[slot].typeIndex
    if !subscriptions[slot].startCounting(as: mode, &typeCounts[type]) {
      setFurtherObserved(false, subscriptions[slot].rank, ofType: type)
    }
  }

  /// Observes a subscription for which the type's count stands, from the next save on.
  @inline(__always)
  private mutating func observe(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    stopScan(ofType: type)
    if !subscriptions[slot].observe(&typeCounts[type]) {
      setFurtherObserved(true, subscriptions[slot].rank, ofType: type)
    }
  }

  /// Ends the scan of a type, which has one observed subscription at most.
  @inline(__always)
  private mutating func stopScan(ofType type: Int) {
    if typeCounts[type].attention.isScanned {
      stopScan(CompiledPredicate.slot(at: scans[type]))
    }
  }
}

// The first two have one pointer to the type's count, which the compiler would load again after each store.
extension SubscriptionState {
  /// Lets the type's count stand for the subscription's saves, from the next one on; false if its bit is a further one
  /// (``Coalescer/furtherObserved``), and still set.
  @inline(__always)
  fileprivate mutating func startCounting(as mode: Mode, _ count: inout TypeCount) -> Bool {
    self.mode = mode
    counted &-= count.total
    count.attention.removeObserved()
    guard rank < Coalescer.firstRanks else { return false }
    count.observed &= ~(1 &<< UInt32(truncatingIfNeeded: rank))
    return true
  }

  /// Takes what was counted into its own number, and lets the rules observe the subscription from the next save on; false if
  /// its bit is a further one, and not set yet.
  @inline(__always)
  fileprivate mutating func observe(_ count: inout TypeCount) -> Bool {
    mode = .observed
    counted &+= count.total
    count.attention.addObserved()
    guard rank < Coalescer.firstRanks else { return false }
    count.observed |= 1 &<< UInt32(truncatingIfNeeded: rank)
    return true
  }

  /// Takes the pending saves off an observed subscription.
  @inline(__always)
  fileprivate mutating func takePending() -> (saves: Int, oldest: Int64) {
    defer { (counted, oldest) = (0, .max) }
    return (counted, oldest)
  }
}

extension SchedulerCore {
  /// Counts saves for a subscription from the next one on, or scans for it, where an acceleration may.
  @inline(__always)
  mutating func countNext(_ slot: Int) {
    if coalescer.subscriptions[slot].isFiltered {
      scanNext(slot)
    } else {
      coalescer.countIfPending(slot)
    }
  }
}
