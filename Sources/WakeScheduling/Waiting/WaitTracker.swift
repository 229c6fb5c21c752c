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
    /// Of the saves that a wake carried last. Meaningful only while ``isCarried``, and changed in place: a copy would count
    /// references.
    fileprivate var carried = Wait(
      app: WakeEvents.App(index: 0), item: .refresh, since: 0, until: 0)
    /// Whether they may still come back.
    fileprivate var isCarried = false

    /// Nothing is pending any more.
    fileprivate mutating func clear() {
      // An empty array may have no memory to keep.
      if !stretches.isEmpty { stretches.removeAll(keepingCapacity: true) }
    }

    /// A wake carries what is pending.
    fileprivate mutating func carry(
      _ type: SampleType, of app: WakeEvents.App, saves: Int, since: Int64, until: Int64, wake: Int,
      _ listener: (WaitPhase, borrowing Wait) -> Void
    ) {
      keepCarried(nil, listener)
      // The stretches of the wait before give their memory to the next one.
      swap(&stretches, &carried.stretches)
      clear()
      carried.app = app
      carried.item = .type(type)
      carried.saves = saves
      carried.since = since
      carried.until = until
      carried.wake = wake
      carried.ending = nil
      isCarried = true
      listener(.logged, carried)
    }

    /// What was carried last does not come back.
    @inline(__always)
    fileprivate mutating func keepCarried(
      _ ending: Wait.Ending?, _ listener: (WaitPhase, borrowing Wait) -> Void
    ) {
      guard isCarried else { return }
      isCarried = false
      carried.ending = ending
      listener(.over, carried)
    }

    /// What was carried last comes back from a wake that began so many nanoseconds ago (rule 9.4).
    fileprivate mutating func giveBack(after nanoseconds: Int64) {
      guard isCarried else { return }
      isCarried = false
      swap(&stretches, &carried.stretches)
      stretches.add(nanoseconds, WaitReasons(.unanswered))
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
    Self.settle(app, of: &apps, at: time)
  }

  /// One access to the apps, as each is checked for exclusivity.
  @inline(__always)
  private static func settle(
    _ app: Int, of apps: inout UncheckedArray<App>, at time: Int64
  ) -> (since: Int64, isRefreshOverdue: Bool) {
    if app >= apps.count { apps.fill(to: app + 1, with: App()) }
    return apps[app].settle(at: time)
  }

  /// Notes that a wake carries the pending saves of a subscription.
  func carry(
    _ slot: Int, _ type: SampleType, of app: WakeEvents.App, saves: Int, since: Int64, until: Int64,
    wake: Int
  ) {
    // One access to the subscriptions, as each is checked for exclusivity.
    withSubscriptions { subscriptions in
      if slot >= subscriptions.count { subscriptions.fill(to: slot + 1, with: Subscription()) }
      subscriptions[slot].carry(
        type, of: app, saves: saves, since: since, until: until, wake: wake, listener)
    }
  }

  /// Calls `body` with the subscriptions: one access for all that it does, as each is checked for exclusivity.
  @inline(__always)
  func withSubscriptions(_ body: (inout UncheckedArray<Subscription>) -> Void) {
    body(&subscriptions)
  }

  /// Notes that the saves of a subscription came back from a wake that began so many nanoseconds ago (rule 9.4).
  func giveBack(_ slot: Int, after nanoseconds: Int64) {
    subscriptions[slot].giveBack(after: nanoseconds)
  }

  /// Notes that what a subscription carried last does not come back.
  ///
  /// - Parameter ending: What ended it before the wake was answered, if anything did.
  func keepCarried(_ slot: Int, _ ending: Wait.Ending? = nil) {
    makeRoom(slots: slot + 1)
    subscriptions[slot].keepCarried(ending, listener)
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
