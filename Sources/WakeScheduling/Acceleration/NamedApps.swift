import WakeEvents

// Acceleration `namedApps`.
//
// Rule: 4.5, the evaluation of every app after an input other than a save or delete.
// Plain: every app is evaluated.
// Here: only the app that the input names, unless nothing has changed that decides when it is woken. The others were
// evaluated at the present or before, and have timers for what they wait for.
// Condition: the input names an app, as then it changes no other one. For the other inputs there is `heldApps`.
// Tests: DifferentialTests, InvariantTests.
// Gain: 1.5 times and more on mixed (page Performance).
extension SchedulerCore {
  /// Whether only the app that an input has named is to be evaluated after it.
  var evaluatesNamedOnly: Bool { namedApp >= 0 && accelerations.contains(.namedApps) }

  /// Whether an input that named an app cannot have changed when it is woken, nor what it is doing.
  @inline(__always)
  func leavesDueTimes(_ input: BriefInput) -> Bool {
    switch input {
    case .execute, .stop, .entitlement: true
    case .complication: policy.budget == nil
    case .push: !beganToHold
    default: false
    }
  }
}
