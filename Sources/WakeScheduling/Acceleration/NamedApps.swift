// Acceleration `namedApps`.
//
// Rule: 4.5, the evaluation of every app after an input other than a save or delete.
// Plain: every app is evaluated.
// Here: only the app that the input names. The others were evaluated at the present or before, and have timers for what
// they wait for.
// Condition: the input names an app, as then it changes no other one. For the other inputs there is `heldApps`.
// Tests: DifferentialTests, InvariantTests.
// Gain: 1.5 times and more on mixed (page Performance).
extension SchedulerCore {
  /// The apps of which some are to be evaluated after an input that was applied.
  var appsToEvaluate: Range<Int> {
    guard accelerations.contains(.namedApps), let namedApp else { return apps.indices }
    return namedApp..<namedApp + 1
  }
}
