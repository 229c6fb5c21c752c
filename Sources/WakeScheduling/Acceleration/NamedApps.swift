import WakeEvents

// Acceleration `namedApps`.
//
// Rule: 4.5, the evaluation of every app after an input other than a save or delete.
// Plain: every app is evaluated (``SchedulerCore/takeOtherInFull(_:_:_:)``).
// Here: only the app that the input names is evaluated, and not even that one if the input changes nothing that decides when
// it is woken (``Concern``). The others were evaluated at the present or before, and have timers for what they wait for.
// Condition: an input that names an app changes no other one. For inputs that name none there is `heldApps`.
// Tests: DifferentialTests, InvariantTests.
// Gain: 770 to 222 instructions an input in random mix 11 of `Benchmarks/mixes.py`, 368 to 144 in mix 22; 1.5 times and more
// on mixed (page Performance).

/// The apps for which evaluating may do anything after an input. Of all others the due times, the timer, and
/// ``AppState/isWokenBySavesOnly`` must still hold.
enum Concern {
  case nobody
  case app(Int)
  /// Every app. What held apps back before the input, which may have changed it.
  case everyone(before: DeviceHolds)
}

extension SchedulerCore {
  /// Updates ``evaluatesAtOnce``.
  mutating func updateEvaluatesAtOnce() {
    evaluatesAtOnce =
      accelerations.contains(.namedApps) && accelerations.contains(.heldApps) && waits == nil
      && !seesArrivals && policy.lifted.isEmpty
  }

  /// Takes an input other than a save or delete where ``evaluatesAtOnce``. `@inline(always)`, here and for `apply`: Swift takes
  /// `@inline(__always)` for a wish, and made a call of so much code.
  ///
  /// - Parameter kind: The kind of the input.
  @inline(always)
  mutating func takeOtherAtOnce(
    _ kind: InputKind, _ input: OtherInput, _ hasher: inout WakeHasher, _ listener: WakeListener
  ) {
    assert(kind == input.brief.kind, "\(kind) is not the kind of the input")
    switch apply(kind, input, listener) {
    case .nobody: break
    case .app(let app):
      updateIsWokenBySavesOnly(of: app)
      evaluateQuickly(app, &hasher, listener)
    case .everyone(let before): evaluateHeld(after: kind, from: before, &hasher, listener)
    }
  }
}
