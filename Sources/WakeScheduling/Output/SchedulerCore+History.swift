import WakeEvents

/// A history that others have, while a scheduler keeps its wakes there. A pointer for speed alone: for a class Swift would
/// count a reference and check exclusive access at each wake.
@safe
struct KeptHistory {
  /// Nil where wakes are not kept.
  private var history: UnsafeMutablePointer<WakeHistory>?
  /// Whether the symbols of the policy's apps succeed one another, as their numbers do: then one entry can stand for a cohort.
  let areSymbolsSuccessive: Bool

  @inline(__always)
  var isKept: Bool { unsafe history != nil }

  init() {
    unsafe history = nil
    areSymbolsSuccessive = false
  }

  @unsafe
  init(_ history: UnsafeMutablePointer<WakeHistory>, areSymbolsSuccessive: Bool) {
    unsafe self.history = unsafe history
    self.areSymbolsSuccessive = areSymbolsSuccessive
  }

  /// Whether there is a history with room for a wake (``WakeHistory/hasRoom``).
  @inline(__always)
  var hasRoom: Bool {
    guard let history = unsafe history else { return false }
    return unsafe history.pointee.hasRoom
  }

  /// Calls `body` with the history, if there is one.
  @inline(__always)
  func change(_ body: (inout WakeHistory) -> Void) {
    if let history = unsafe history { unsafe body(&history.pointee) }
  }
}

extension SchedulerCore {
  /// Keeps all wakes in a history instead of reporting their ends, from the first input on. ``restart(like:device:hash:)`` ends
  /// it.
  ///
  /// - Parameter history: Memory that is there until then, and that nobody else uses during a call of the scheduler.
  @unsafe
  package mutating func keepWakes(in history: UnsafeMutablePointer<WakeHistory>) {
    // Before the first input there are the policy's apps, and only they have cohorts.
    let areSuccessive = apps.indices.dropFirst().allSatisfy {
      apps[$0].symbol.index == apps[$0 - 1].symbol.index + 1
    }
    self.history = unsafe KeptHistory(history, areSymbolsSuccessive: areSuccessive)
    reportsEnds = false
  }

  /// Adds a wake that begins to the history, and those of its cohort.
  ///
  /// - Parameter end: When its answer comes, if that is counted ahead; else ``WakeHistory/Entry/never``.
  @inline(__always)
  mutating func keepBeginning(
    _ app: Int, _ contents: WakeContents, answeredAt end: Int64 = WakeHistory.Entry.never
  ) {
    guard contents.types > 0, !contents.hasPush, !contents.hasRefresh else {
      return keep(
        app, types: contents.types, saves: contents.saves, oldest: contents.oldest,
        hasPush: contents.hasPush, hasRefresh: contents.hasRefresh, answeredAt: end)
    }
    if contents.types == 1 {
      keepOneType(app, saves: contents.saves, oldest: contents.oldest, answeredAt: end)
    } else {
      keepSeveralTypes(
        app, types: contents.types, saves: contents.saves, oldest: contents.oldest,
        answeredAt: end)
    }
  }

  /// ``keepBeginning(_:_:answeredAt:)`` for a type alone. Fields are passed one by one, here and below, for speed alone: a struct
  /// would be written and read back at once, in pieces of other sizes, for which a processor waits. Most wakes find room, and
  /// then nothing is called, so that no registers are saved.
  @inline(never)
  private mutating func keepOneType(
    _ app: Int, saves: Int, oldest: Int64, answeredAt end: Int64
  ) {
    guard history.hasRoom, apps[app].cohort <= 1,
      let place = apps[app].places.firstBelow64(in: .carried)
    else { return keepOneTypeSlowly(app, saves: saves, oldest: oldest, answeredAt: end) }
    let type = coalescer.subscriptions[apps[app].subscriptions[place]].type
    history.change {
      $0.begin(
        apps[app].wake.number, at: present, of: apps[app].symbol, typeCount: 1,
        firstType: type.index, saves: saves, oldest: oldest, answeredAt: end)
    }
  }

  /// ``keepOneType(_:saves:oldest:answeredAt:)`` with no room, for a cohort, or of a type at a place from 64 on.
  @inline(never)
  private mutating func keepOneTypeSlowly(
    _ app: Int, saves: Int, oldest: Int64, answeredAt end: Int64
  ) {
    precondition(
      apps[app].places.next(in: .carried, from: 0) != nil,
      "a wake carries a type that has no place")
    keep(
      app, types: 1, saves: saves, oldest: oldest, hasPush: false, hasRefresh: false,
      answeredAt: end)
  }

  /// ``keepBeginning(_:_:answeredAt:)`` for several types alone.
  @inline(never)
  private mutating func keepSeveralTypes(
    _ app: Int, types: Int, saves: Int, oldest: Int64, answeredAt end: Int64
  ) {
    guard history.hasRoom, apps[app].cohort <= 1 else {
      return keep(
        app, types: types, saves: saves, oldest: oldest, hasPush: false, hasRefresh: false,
        answeredAt: end)
    }
    var carried = apps[app].places.all(in: .carried)
    history.change {
      $0.begin(
        apps[app].wake.number, at: present, of: apps[app].symbol, typeCount: types, saves: saves,
        oldest: oldest, answeredAt: end)
      for _ in 0..<types {
        guard let type = nextType(of: app, in: &carried) else {
          preconditionFailure("a wake carries a type that has no place")
        }
        $0.addType(type)
      }
      if !apps[app].arePlacesSorted { $0.sortLastTypes(&typeOrder, symbols.types) }
    }
  }

  @inline(never)
  private mutating func keep(
    _ app: Int, types: Int, saves: Int, oldest: Int64, hasPush: Bool, hasRefresh: Bool,
    answeredAt end: Int64
  ) {
    let never = WakeHistory.Entry.never
    let cohort = max(1, apps[app].cohort)
    let step = history.areSymbolsSuccessive ? cohort : 1
    let push = hasPush ? heldPushIDs[app] : nil
    let areSorted = types < 2 || apps[app].arePlacesSorted
    history.change { kept in
      kept.makeRoom(at: present)
      for place in stride(from: 0, to: cohort, by: step) {
        let entry = WakeHistory.Entry(
          time: present, saves: saves, oldest: types == 0 ? never : oldest, end: end,
          number: apps[app].wake.number + place, app: apps[app + place].symbol,
          count: UInt32(step), hasRefresh: hasRefresh,
          outcome: end == never ? nil : .completed)
        var carried = apps[app].places.all(in: .carried)
        kept.begin(entry, push: push) { nextType(of: app, in: &carried) }
        // Each entry has its own types; mostly there is one.
        if !areSorted { kept.sortLastTypes(&typeOrder, symbols.types) }
      }
    }
  }

  /// Notes in the history how the wake of an app has ended, and those of its cohort.
  ///
  /// - Parameter time: Nil if it is open at the end.
  @inline(never)
  mutating func keepEnd(of app: Int, _ outcome: WakeOutcome, at time: Int64?) {
    history.change {
      $0.end(apps[app].wake.number, count: apps[app].cohort, outcome, at: time)
    }
  }
}
