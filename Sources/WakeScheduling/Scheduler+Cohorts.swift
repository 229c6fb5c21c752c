import WakeEvents

// Apps that cannot be told apart.
//
// Apps to which the policy gives the same subscriptions do the same at the same times until an input names
// one of them. Such apps, if their numbers follow each other, are a cohort: the first of them leads, and
// its state, subscriptions and timer are those of all. So a thousand are scheduled at the cost of one, but
// for what must be told of each wake.
//
// What happens to a cohort happens to its apps one by one in the order of SPEC: no app has a number
// between theirs, and what happens to one app never changes another.
extension Scheduler {
  /// Makes cohorts of apps with the same subscriptions, of which none has had an input.
  mutating func formCohorts() {
    var leader = 0
    for app in apps.indices.dropFirst() {
      guard haveSameSubscriptions(leader, app) else {
        leader = app
        continue
      }
      for slot in apps[app].subscriptions.reversed() { coalescer.remove(slot) }
      apps[app].subscriptions = []
      apps[app].cohort = 0
      apps[leader].cohort += 1
    }
  }

  private func haveSameSubscriptions(_ one: Int, _ other: Int) -> Bool {
    apps[one].subscriptions.elementsEqual(apps[other].subscriptions) {
      coalescer.subscriptions[$0].type == coalescer.subscriptions[$1].type
        && coalescer.subscriptions[$0].frequency == coalescer.subscriptions[$1].frequency
    }
  }

  /// The app that leads the cohort of an app: itself, if it is alone.
  ///
  /// - Complexity: O(apps of the cohort).
  func leader(of app: Int) -> Int {
    var leader = app
    while !apps[leader].leads { leader -= 1 }
    return leader
  }

  /// Gives an app, which an input names, a state of its own.
  ///
  /// - Complexity: O(apps of its cohort + its subscriptions) if it was in one with others, else O(1).
  mutating func isolate(_ app: Int) {
    if !apps[app].leads { divideCohort(before: app) }
    if apps[app].cohort > 1 { divideCohort(before: app + 1) }
  }

  /// Divides a cohort in two, the second of which an app leads.
  private mutating func divideCohort(before app: Int) {
    let leader = leader(of: app)
    let size = apps[leader].cohort
    apps[leader].cohort = app - leader
    apps[app].become(like: apps[leader], wakesLater: app - leader)
    apps[app].cohort = size - (app - leader)
    for place in apps[app].subscriptions.indices {
      let slot = coalescer.insert(copyOf: apps[leader].subscriptions[place], app: app)
      apps[app].subscriptions[place] = slot
    }
    let (due, purpose) = timers.due(app: leader)
    timers.set(purpose, app: app, due: due)
  }
}
