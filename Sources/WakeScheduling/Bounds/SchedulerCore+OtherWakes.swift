package import WakeEvents

// Rules 5.1 and 6.5 for the wakes of another scheduler: the rules follow the inputs and know what arrives, and what a wake
// carries is told. So rule 10 holds for any scheduler (``SchedulerCore/observeBounds(_:)``).
extension Policy {
  /// The policy under which nothing wakes an app.
  package var withoutWakes: Policy {
    var policy = self
    policy.budget = Budget(window: 3_600_000_000_000, limit: 0, limitWithoutComplication: 0)
    policy.pushLimit = 0
    policy.behaviour.completesAfter = nil
    return policy
  }
}

extension SchedulerCore {
  /// Takes the beginning of an app's wake by another scheduler, with the types that it carries.
  ///
  /// Call it under ``Policy/withoutWakes`` alone, and after the inputs before the wake.
  package mutating func takeOtherWake(of symbol: App, carrying types: [SampleType], at time: Int64)
  {
    let app = number(of: symbol)
    present = max(present, time)
    // In the foreground too, as nothing is live without the acceleration `saveCounting`.
    apps[app].clearCarried()
    var contents = WakeContents()
    for type in types {
      guard let slot = subscription(of: app, on: type),
        coalescer.subscriptions[slot].oldest != .max
      else { continue }
      forgetPending(coalescer.subscriptions[slot].place, of: app)
      let (saves, oldest) = coalescer.takePending(slot)
      carry(saves, oldest: oldest, of: slot, app, &contents)
    }
    if apps[app].activity == .terminated { noteInUse(app) }
    // A wake in the foreground is none of the rules, but one that this scheduler has spent.
    if apps[app].activity != .foreground {
      apps[app].beginWake(number: 1, at: present, contents)
    }
    if !types.isEmpty { noteCarrying(app, oldest: contents.oldest) }
  }

  /// Takes the end of such a wake, unless an input has ended it.
  package mutating func takeOtherEnd(of symbol: App, _ outcome: WakeOutcome, at time: Int64) {
    let app = number(of: symbol)
    present = max(present, time)
    guard apps[app].activity == .awake else { return }
    endWake(of: app, outcome, isAnswer: outcome == .completed) { _, _ in }
    apps[app].activity = outcome == .aborted ? .terminated : .suspended
  }
}
