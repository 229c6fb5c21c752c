// Acceleration `namedApps`.
//
// Rule: 4.5, the evaluation of every app after an input other than a save or delete.
// Plain: every app is evaluated.
// Here: only the app that the input names. The others were evaluated at the present or before, and have timers for what
// they wait for.
// Condition: the input names an app, as then it changes no other one.
// Tests: DifferentialTests, InvariantTests. Gain: the page Performance, "Accelerations".
extension SchedulerCore {
  /// The apps to evaluate after an input that was applied.
  var appsToEvaluate: Range<Int> {
    guard accelerations.contains(.namedApps), let namedApp else { return apps.indices }
    return namedApp..<namedApp + 1
  }
}
