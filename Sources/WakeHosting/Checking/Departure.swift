import WakeEvents
import WakeScheduling

/// The first difference between what the rules give and what a scheduler does.
enum Departure: Equatable {
  /// The rules wake an app, the scheduler does not; the place among the wakes of the rules.
  case missing(Int)
  /// The scheduler wakes an app, the rules do not; the place among its wakes.
  case extra(Int)
  /// Both wake an app at the same time, and something else differs; the place among the wakes of both.
  case other(Int, field: Field)
  /// All wakes are equal, and a count differs.
  case count(String)

  enum Field: String { case types, push, refresh, saves, outcome, end }

  /// The first one; nil if there is none.
  static func first(
    rules: [HostedRun.DeviceWake], _ rulesSummary: Summary, scheduler: [HostedRun.DeviceWake],
    _ summary: Summary
  ) -> Departure? {
    var place = 0
    while place < rules.count || place < scheduler.count {
      guard place < scheduler.count else { return .missing(place) }
      guard place < rules.count else { return .extra(place) }
      let (one, other) = (rules[place], scheduler[place])
      if one.device != other.device {
        // Devices come in the same order; one has fewer wakes.
        return rules[place...].contains { $0.device == other.device }
          ? .missing(place) : .extra(place)
      }
      if one.wake.time != other.wake.time || one.wake.app != other.wake.app {
        return one.wake.time < other.wake.time ? .missing(place) : .extra(place)
      }
      if let field = field(one.wake, other.wake) { return .other(place, field: field) }
      place += 1
    }
    for (key, path) in Summary.counts where rulesSummary[keyPath: path] != summary[keyPath: path] {
      return .count(key)
    }
    return rulesSummary.stoppedApps == summary.stoppedApps ? nil : .count("stoppedApps")
  }

  /// The first part in which two wakes of an app at a time differ; nil if none.
  static func field(_ one: Wake, _ other: Wake) -> Field? {
    if one.types != other.types { return .types }
    if one.push.map(ExactName.init) != other.push.map(ExactName.init) { return .push }
    if one.refresh != other.refresh { return .refresh }
    if one.saves != other.saves || one.oldest != other.oldest { return .saves }
    if one.outcome != other.outcome { return .outcome }
    return one.end == other.end ? nil : .end
  }
}
