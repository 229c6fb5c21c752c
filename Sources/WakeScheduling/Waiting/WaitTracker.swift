/// The waiting so far on a device: what the rules change, so that a wake can say why it came no sooner (rules, 9).
///
/// Between two changes of the state the reasons depend on time alone. So nothing is noted when a save comes: the
/// scheduler *settles* an app's waiting, up to the present, before each change.
final class WaitTracker {
  /// The waiting on one subscription.
  struct Subscription {
    /// Of the pending saves.
    var stretches: [Wait.Stretch] = []
    /// Of the saves that a wake carried last, unless they came back.
    var carried: Wait?
  }

  /// The waiting of an app's push and refresh.
  struct App {
    /// Up to here everything is noted.
    var settled = Int64.min
    var pushSince = Int64.min
    var push: [Wait.Stretch] = []
    /// Since when a refresh is overdue; nil if it is not.
    var refreshSince: Int64?
    var refresh: [Wait.Stretch] = []
  }

  /// By slot and by app number; those that are missing have not waited yet.
  private var subscriptions: [Subscription] = []
  private var apps: [App] = []
  private let listener: (WaitPhase, borrowing Wait) -> Void

  init(_ listener: @escaping (WaitPhase, borrowing Wait) -> Void) {
    self.listener = listener
  }

  /// The waiting of an app's push and refresh.
  subscript(app: Int) -> App {
    _read {
      if app < apps.count { yield apps[app] } else { yield App() }
    }
    _modify {
      while app >= apps.count { apps.append(App()) }
      yield &apps[app]
    }
  }

  /// The waiting on the subscription of a slot.
  subscript(slot slot: Int) -> Subscription {
    _read {
      if slot < subscriptions.count { yield subscriptions[slot] } else { yield Subscription() }
    }
    _modify {
      while slot >= subscriptions.count { subscriptions.append(Subscription()) }
      yield &subscriptions[slot]
    }
  }

  /// Notes that a wake carries the pending saves of a subscription.
  ///
  /// - Parameter wait: Without stretches.
  func carry(_ slot: Int, _ wait: consuming Wait) {
    // The stretches of the wait before last give their memory to the next one.
    var free: [Wait.Stretch] = []
    if let before = self[slot: slot].carried.take() {
      listener(.over, before)
      free = before.stretches
    }
    free.removeAll(keepingCapacity: true)
    swap(&free, &self[slot: slot].stretches)
    wait.stretches = free
    listener(.logged, wait)
    self[slot: slot].carried = wait
  }

  /// Notes that the saves of a subscription came back from a wake that began so many nanoseconds ago (rule 9.4).
  func giveBack(_ slot: Int, after nanoseconds: Int64) {
    guard let carried = self[slot: slot].carried.take() else { return }
    self[slot: slot].stretches = carried.stretches
    self[slot: slot].stretches.add(nanoseconds, WaitReasons(.unanswered))
  }

  /// Notes the end of a subscription: what it carried last does not come back.
  func remove(_ slot: Int) {
    if let carried = self[slot: slot].carried { listener(.over, carried) }
    self[slot: slot] = Subscription()
  }

  /// Notes that a push arrived, which supersedes an older one.
  func hold(_ app: Int, at time: Int64) {
    self[app].pushSince = time
    self[app].push = []
  }

  /// Reports something that no rule gives back, or that waits after the last input.
  func report(_ wait: borrowing Wait) {
    listener(.logged, wait)
    listener(.over, wait)
  }
}
