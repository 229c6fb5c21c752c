import WakeEvents

/// A history that others have, while a scheduler keeps its wakes there. A pointer for speed alone: for a class Swift would count a
/// reference and check exclusive access at each wake.
@safe
struct KeptHistory {
  /// Nil where wakes are not kept.
  private var history: UnsafeMutablePointer<WakeHistory>?

  @inline(__always)
  var isKept: Bool { unsafe history != nil }

  init() { unsafe history = nil }

  @unsafe
  init(_ history: UnsafeMutablePointer<WakeHistory>) { unsafe self.history = unsafe history }

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
    self.history = unsafe KeptHistory(history)
    reportsEnds = false
  }

  /// Adds a wake that begins to the history, and those of its cohort.
  @inline(never)
  mutating func keepBeginning(_ app: Int, _ contents: WakeContents) {
    keep(app, contents, answeredAt: WakeHistory.Entry.never)
  }

  /// Adds a wake that begins and whose completion is counted ahead to the history.
  @inline(__always)
  mutating func keepAnswered(_ app: Int, _ contents: WakeContents) {
    if contents.types == 1, !contents.hasPush, !contents.hasRefresh {
      keepAnswered(app, saves: contents.saves, oldest: contents.oldest)
    } else {
      keepAnswered(
        app, types: contents.types, saves: contents.saves, oldest: contents.oldest,
        hasPush: contents.hasPush, hasRefresh: contents.hasRefresh)
    }
  }

  /// ``keepAnswered(_:_:)`` for a type alone. Fields are passed one by one for speed alone: a struct would be written and read
  /// back at once, in pieces of other sizes, for which a processor waits.
  @inline(never)
  private mutating func keepAnswered(_ app: Int, saves: Int, oldest: Int64) {
    apps[app].dropTypes(from: 1)
    history.change {
      $0.makeRoom(at: present)
      $0.begin(
        at: present, of: apps[app].symbol, type: apps[app].carriedTypes[0], saves: saves,
        oldest: oldest, answeredAt: apps[app].answeredAt)
    }
  }

  @inline(never)
  private mutating func keepAnswered(
    _ app: Int, types: Int, saves: Int, oldest: Int64, hasPush: Bool, hasRefresh: Bool
  ) {
    apps[app].dropTypes(from: types)
    if !apps[app].arePlacesSorted { sortTypes(of: app) }
    let contents = WakeContents(
      hasRefresh: hasRefresh, hasPush: hasPush, types: types, saves: saves, oldest: oldest)
    keep(app, contents, answeredAt: apps[app].answeredAt)
  }

  private mutating func keep(_ app: Int, _ contents: WakeContents, answeredAt end: Int64) {
    let never = WakeHistory.Entry.never
    let entry = WakeHistory.Entry(
      time: present, saves: contents.saves, oldest: contents.types == 0 ? never : contents.oldest,
      end: end, app: apps[app].symbol, hasRefresh: contents.hasRefresh,
      outcome: end == never ? nil : .completed)
    history.change { history in
      history.makeRoom(at: present)
      history.begin(
        entry, types: apps[app].carriedTypes,
        push: contents.hasPush ? apps[app].carriedPushName : nil)
      for place in 1..<max(1, apps[app].cohort) {
        history.beginLikeLast(apps[app + place].symbol)
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
