import WakeEvents

// Acceleration `cohorts`.
//
// Rules: 4 to 6, for apps to which the policy gives the same subscriptions.
// Plain: each app has a state, subscriptions and a timer of its own.
// Here: such apps with successive numbers are a cohort. The state, the subscriptions and the timer of the first app
// stand for all; only numbers and hashes of wakes differ. So a thousand equal apps cost about as much as one.
// Condition: no input has named the app, since until then the apps do the same at the same times; no other app has a
// number between theirs, so the order of rule 4.2 is kept. An input that names an app splits its cohort.
// Tests: DifferentialTests, InvariantTests.
// Gain: 2 times and more on fitbit hourly; 553 to 135 instructions a wake in scheduler/wakes/10 (page Performance).
extension SchedulerCore {
  /// Forms cohorts of apps with equal subscriptions, before the first input.
  mutating func formCohorts() {
    guard accelerations.contains(.cohorts) else { return }
    var leader = 0
    for app in apps.indices {
      guard app > 0, haveEqualSubscriptions(leader, app) else {
        leader = app
        apps[app].group = leaders.count
        leaders.append(Int32(app))
        continue
      }
      apps[app].group = apps[leader].group
      for slot in apps[app].subscriptions.reversed() { coalescer.remove(slot) }
      apps[app].subscriptions = []
      apps[app].cohort = 0
      apps[leader].cohort += 1
    }
    if leaders.count < apps.count { cohortNames = apps.indices.map { apps[$0].wake.app } }
  }

  private func haveEqualSubscriptions(_ one: Int, _ other: Int) -> Bool {
    apps[one].subscriptions.elementsEqual(apps[other].subscriptions) {
      coalescer.subscriptions[$0].type == coalescer.subscriptions[$1].type
        && coalescer.subscriptions[$0].frequency == coalescer.subscriptions[$1].frequency
    }
  }

  /// The app whose state stands for an app.
  func leader(of app: Int) -> Int {
    apps[app].leads ? app : Int(leaders[apps[app].group])
  }

  /// Gives an app a state of its own.
  ///
  /// - Complexity: O(log apps of its cohort, amortised, + its subscriptions); O(1) if it is alone.
  mutating func splitCohort(around app: Int) {
    if !apps[app].leads { splitCohort(before: app) }
    if apps[app].cohort > 1 { splitCohort(before: app + 1) }
  }

  /// Splits a cohort in two, of which an app leads the second.
  private mutating func splitCohort(before app: Int) {
    let leader = leader(of: app)
    let size = apps[leader].cohort
    apps[leader].cohort = app - leader
    apps[app].copyState(of: apps[leader], wakesLater: app - leader)
    windows.separate(&apps[app].chargedWakes)
    windows.separate(&apps[app].pushWakes)
    apps[app].cohort = size - (app - leader)
    splitGroup(of: leader, before: app)
    held.copy(leader, to: app)
    for place in apps[app].subscriptions.indices {
      let slot = apps[leader].subscriptions[place]
      coalescer.materialize(slot)
      var subscription = coalescer.subscriptions[slot]
      subscription.app = app
      let copy = coalescer.insert(subscription, typeHash: coalescer.typeHash(of: slot))
      // No app of a cohort is in the foreground or has queries, as an input would have named it.
      coalescer.attach(slot)
      coalescer.attach(copy)
      apps[app].subscriptions[place] = copy
    }
    let (due, purpose) = timers.due(app: leader)
    timers.set(purpose, app: app, due: due)
  }

  /// Gives the smaller one of two cohorts, which were one, a group of its own, so that an app changes it O(log apps)
  /// times.
  private mutating func splitGroup(of leader: Int, before app: Int) {
    let group = apps[leader].group
    let (left, right) = (leader..<app, app..<app + apps[app].cohort)
    let isLeft = left.count < right.count
    for member in isLeft ? left : right { apps[member].group = leaders.count }
    apps[isLeft ? app : leader].group = group
    leaders[group] = Int32(isLeft ? app : leader)
    leaders.append(Int32(isLeft ? leader : app))
  }
}
