import WakeEvents

@testable import WakeScheduling

// What is kept of wakes that count: against a limit, or up to one that is left unanswered.
extension SchedulerCore {
  /// What is wrong with it, or nil.
  mutating func brokenCountOfWakes() -> String? {
    var rings: [Range<Int>] = []
    for app in apps.indices where apps[app].leads {
      let opens = apps[app].pushOpens
      updatePushOpening(app)
      if apps[app].pushOpens != opens {
        return "the push limit of app \(app) opens at \(apps[app].pushOpens), not \(opens)"
      }
      if let broken = brokenCountdown(app) { return broken }
      let budget = policy.budget.map { max($0.limit, $0.limitWithoutComplication) } ?? 0
      for (window, capacity) in [
        (apps[app].chargedWakes, budget), (apps[app].pushWakes, policy.pushLimit),
      ] {
        if window.count > min(window.room, capacity)
          || window.oldest >= max(window.count, 1)
          || window.oldest > 0 && window.count < capacity
          || window.first + window.room > windows.times.count
        {
          return "a window of app \(app) is \(window), of at most \(capacity)"
        }
        rings.append(window.first..<window.first + window.room)
      }
    }
    let taken = rings.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    for (ring, next) in zip(taken, taken.dropFirst()) where ring.overlaps(next) {
      return "two windows share the places \(ring) and \(next)"
    }
    return nil
  }

  /// The wakes up to the next one that an app ignores.
  private func brokenCountdown(_ app: Int) -> String? {
    let every = policy.behaviour.ignoresEvery
    let left = apps[app].wakesUntilIgnored
    let begun =
      apps[app].completed + apps[app].expired + apps[app].aborted
      + (apps[app].activity == .awake ? 1 : 0)
    let isRight = every > 0 ? left == every - begun % every : left <= 0
    return isRight ? nil : "app \(app) ignores a wake in \(left), after \(begun), of \(every)"
  }
}
