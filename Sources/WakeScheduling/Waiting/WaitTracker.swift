import WakeEvents

/// The waiting so far on a device: what the rules change, so that a wake can say why it came no sooner (rules, 9).
///
/// Between two changes of the state the reasons depend on time alone. So nothing is noted when a save comes: the
/// scheduler *settles* an app's waiting, up to the present, before each change.
///
/// A class, as few schedulers have one.
final class WaitTracker {
  /// The waiting on one subscription.
  struct Subscription {
    /// Of the pending saves.
    fileprivate var stretches: [Wait.Stretch] = []
    /// Of the saves that a wake carried last, unless they came back.
    fileprivate var carried: Wait?

    /// Nothing is pending any more.
    fileprivate mutating func clear() {
      // An empty array may have no memory to keep.
      if !stretches.isEmpty { stretches.removeAll(keepingCapacity: true) }
    }

    /// A wake carries what is pending.
    fileprivate mutating func carry(
      _ wait: consuming Wait, _ listener: (WaitPhase, borrowing Wait) -> Void
    ) {
      // The stretches of the wait before last give their memory to the next one.
      if var before = carried.take() {
        listener(.over, before)
        swap(&before.stretches, &wait.stretches)
      }
      swap(&stretches, &wait.stretches)
      clear()
      listener(.logged, wait)
      carried = wait
    }

    /// Notes the reasons between two times.
    mutating func note(_ conditions: WaitConditions, from start: Int64, to end: Int64) {
      conditions.add(to: &stretches, from: start, to: end)
    }
  }

  /// The waiting of an app's push and refresh.
  struct App {
    /// Up to here everything is noted.
    private var settled = Int64.min
    fileprivate var pushSince = Int64.min
    fileprivate var push: [Wait.Stretch] = []
    /// Since when a refresh is overdue; nil if it is not.
    fileprivate var refreshSince: Int64?
    fileprivate var refresh: [Wait.Stretch] = []

    /// Notes that everything is noted up to a time; returns that of before, and whether a refresh was overdue then.
    fileprivate mutating func settle(at time: Int64) -> (since: Int64, isRefreshOverdue: Bool) {
      defer { settled = time }
      return (settled, refreshSince != nil)
    }

    /// Notes the reasons of the held push between two times.
    mutating func notePush(_ conditions: WaitConditions, from start: Int64, to end: Int64) {
      conditions.add(to: &push, from: max(start, pushSince), to: end)
    }

    /// Notes the reasons of the overdue refresh between two times.
    mutating func noteRefresh(_ conditions: WaitConditions, from start: Int64, to end: Int64) {
      if refreshSince == nil { refreshSince = start }
      conditions.add(to: &refresh, from: start, to: end)
    }

    /// No refresh is overdue any more.
    fileprivate mutating func endRefresh() {
      guard refreshSince != nil else { return }
      refreshSince = nil
      refresh = []
    }
  }

  /// By slot; those that are missing have not waited yet.
  private var subscriptions = UncheckedArray<Subscription>()
  /// By app number; those that are missing have not waited yet.
  var apps = UncheckedArray<App>()
  private let listener: (WaitPhase, borrowing Wait) -> Void

  init(_ listener: @escaping (WaitPhase, borrowing Wait) -> Void) {
    self.listener = listener
  }

  /// Makes room for subscriptions with slots below `count`.
  func makeRoom(slots count: Int) {
    if count > subscriptions.count { subscriptions.fill(to: count, with: Subscription()) }
  }

  private func makeRoom(apps count: Int) {
    if count > apps.count { apps.fill(to: count, with: App()) }
  }

  /// Notes that the waits of an app will be accounted for up to a time; returns the time up to which they were before, and
  /// whether a refresh was overdue then.
  func beginSettling(_ app: Int, at time: Int64) -> (since: Int64, isRefreshOverdue: Bool) {
    makeRoom(apps: app + 1)
    return apps[app].settle(at: time)
  }

  /// Notes that a wake carries the pending saves of a subscription.
  ///
  /// - Parameter wait: The wait, still without its stretches, which the tracker adds.
  func carry(_ slot: Int, _ wait: consuming Wait) {
    makeRoom(slots: slot + 1)
    // One access to the subscriptions, as each is checked for exclusivity.
    subscriptions[slot].carry(wait, listener)
  }

  /// Calls `body` with the subscriptions: one access for all that it does, as each is checked for exclusivity.
  func withSubscriptions(_ body: (inout UncheckedArray<Subscription>) -> Void) {
    body(&subscriptions)
  }

  /// Notes that the saves of a subscription came back from a wake that began so many nanoseconds ago (rule 9.4).
  func giveBack(_ slot: Int, after nanoseconds: Int64) {
    guard let carried = subscriptions[slot].carried.take() else { return }
    subscriptions[slot].stretches = carried.stretches
    subscriptions[slot].stretches.add(nanoseconds, WaitReasons(.unanswered))
  }

  /// Notes that what a subscription carried last does not come back.
  ///
  /// - Parameter ending: What ended it before the wake was answered, if anything did.
  func keepCarried(_ slot: Int, _ ending: Wait.Ending? = nil) {
    makeRoom(slots: slot + 1)
    guard var carried = subscriptions[slot].carried.take() else { return }
    carried.ending = ending
    listener(.over, carried)
  }

  /// Reports pending saves of a subscription that no wake will carry.
  ///
  /// - Parameter wait: The wait, still without its stretches, which the tracker adds.
  func drop(_ slot: Int, _ wait: consuming Wait) {
    keepCarried(slot)
    swap(&subscriptions[slot].stretches, &wait.stretches)
    subscriptions[slot].clear()
    listener(.over, wait)
  }

  /// Reports what waits on a subscription after the last input; nil is nothing.
  ///
  /// - Parameter wait: The wait, still without its stretches, which the tracker adds.
  func close(_ slot: Int, _ wait: consuming Wait?) {
    keepCarried(slot)
    guard var wait else { return }
    swap(&subscriptions[slot].stretches, &wait.stretches)
    report(wait)
  }

  /// Notes that a push arrived, which supersedes an older one.
  func hold(_ app: Int, at time: Int64) {
    makeRoom(apps: app + 1)
    apps[app].pushSince = time
    apps[app].push = []
  }

  /// Reports the waiting of an app's push, for a wake that carries it, after the last input or with an ending.
  func endPush(
    _ app: Int, symbol: WakeEvents.App, id: String, at time: Int64, wake: Int? = nil,
    ending: Wait.Ending? = nil
  ) {
    report(
      Wait(
        app: symbol, item: .push(id), since: apps[app].pushSince, until: time, wake: wake,
        ending: ending, stretches: apps[app].push))
    apps[app].push = []
  }

  /// Reports the waiting of an app's overdue refresh, for a wake that carries it or after the last input.
  func endRefresh(_ app: Int, symbol: WakeEvents.App, at time: Int64, wake: Int? = nil) {
    report(
      Wait(
        app: symbol, item: .refresh, since: apps[app].refreshSince ?? time, until: time, wake: wake,
        stretches: apps[app].refresh))
    apps[app].endRefresh()
  }

  /// Reports that an app's refresh is overdue no more, if it was.
  func dropRefresh(_ app: Int, symbol: WakeEvents.App, at time: Int64) {
    guard let since = apps[app].refreshSince else { return }
    report(
      Wait(
        app: symbol, item: .refresh, since: since, until: time, ending: .notOverdue,
        stretches: apps[app].refresh))
    apps[app].endRefresh()
  }

  /// Reports something that no rule gives back, or that waits after the last input.
  private func report(_ wait: borrowing Wait) {
    if wait.ending == nil { listener(.logged, wait) }
    listener(.over, wait)
  }
}
