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
  /// Keeps all wakes in a history, from the first input on. ``restart(like:device:hash:)`` ends it.
  ///
  /// - Parameter history: Memory that is there until then, and that nobody else uses during a call of the scheduler.
  @unsafe
  package mutating func keepWakes(in history: UnsafeMutablePointer<WakeHistory>) {
    self.history = unsafe KeptHistory(history)
    updateReportsContents()
  }

  /// Adds a wake that begins to the history, and those of its cohort.
  ///
  /// - Parameter end: When it is answered, if that is counted ahead; else ``WakeHistory/Entry/never``.
  @inline(__always)
  mutating func keepBeginning(_ app: Int, _ contents: WakeContents, answeredAt end: Int64) {
    if contents.types == 1, !contents.hasPush, !contents.hasRefresh, apps[app].cohort == 1 {
      keepBeginning(app, saves: contents.saves, oldest: contents.oldest, answeredAt: end)
    } else {
      keepOtherBeginning(app, contents, answeredAt: end)
    }
  }

  @inline(never)
  private mutating func keepBeginning(
    _ app: Int, saves: Int, oldest: Int64, answeredAt end: Int64
  ) {
    history.change {
      $0.makeRoom(at: present)
      $0.begin(
        at: present, of: apps[app].symbol, type: apps[app].carriedTypes[0], saves: saves,
        oldest: oldest, answeredAt: end)
    }
  }

  @inline(never)
  private mutating func keepOtherBeginning(
    _ app: Int, _ contents: WakeContents, answeredAt end: Int64
  ) {
    let entry = WakeHistory.Entry(
      time: present, saves: contents.saves,
      oldest: contents.types == 0 ? WakeHistory.Entry.never : contents.oldest, end: end,
      app: apps[app].symbol, hasRefresh: contents.hasRefresh,
      outcome: end == WakeHistory.Entry.never ? nil : .completed)
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

  /// Notes how the wake of an app has ended, and those of its cohort, if wakes are kept. If an end that was counted ahead comes
  /// otherwise, it comes before: so what was noted when the wake began may stay until then.
  @inline(__always)
  mutating func keepEnd(of app: Int, _ outcome: WakeOutcome, at time: Int64?) {
    history.change {
      $0.end(apps[app].wake.number, count: apps[app].cohort, outcome, at: time)
    }
  }
}
