import WakeEvents
import WakeScheduling

extension ReferenceScheduler {
  /// What is wrong with the timers, in words, or nil.
  ///
  /// Checks the time that rule 4.4 gives by formulas against the conditions of rule 6.1 themselves:
  /// something must be due then, and nothing just before, or, without a time, never.
  package func fault() -> String? {
    for (number, app) in apps.enumerated() {
      func isDue(at time: Int64) -> Bool {
        app.isHealthDue(at: time, policy, conditions)
          || app.isRefreshDue(at: time, policy, conditions) || app.isPushDue(at: time, policy)
      }
      switch app.state {
      case .awake, .foreground: continue
      case .terminated, .suspended: break
      }
      if let time = timer(of: number) {
        if !isDue(at: time) { return "app \(number) is not due at its timer \(time)" }
        if time > present, isDue(at: time - 1) {
          return "app \(number) is due before its timer \(time)"
        }
      } else {
        for time in [present, 4_000_000_000_000_000_000, Int64.max] where isDue(at: time) {
          return "app \(number) has no timer and is due at \(time)"
        }
      }
    }
    return nil
  }
}
