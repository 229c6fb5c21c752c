package import WakeEvents

/// A wake in the scheduler's own memory; nothing is copied until it is asked for.
///
/// It stands for the wakes of a cohort (``Accelerations/cohorts``), which differ in app and number only.
///
/// It is valid during the call that it is passed to: the apps' states do not move meanwhile.
@safe
package struct WakeView: ~Copyable {
  /// How many wakes it stands for.
  package let count: Int
  /// When the apps were woken.
  package let time: Timestamp
  /// The first app.
  package let app: App
  /// The number of the first wake.
  package let number: Int
  /// The figures that a replay counts of each wake.
  package let figures: WakeFigures
  /// The state of the first app; those of the others are behind it.
  private let state: UnsafePointer<AppState>

  @inline(__always)
  init(_ state: UnsafePointer<AppState>) {
    unsafe self.state = unsafe state
    unsafe count = state.pointee.cohort
    unsafe time = Timestamp(nanoseconds: state.pointee.wake.time)
    unsafe app = state.pointee.symbol
    unsafe number = state.pointee.wake.number
    unsafe figures = state.pointee.figures
  }

  /// Calls `body` with each wake, in the order of their numbers.
  package func forEachWake(_ body: (borrowing Wake) -> Void) {
    var wake = unsafe state.pointee.reportedWake
    body(wake)
    for place in 1..<max(count, 1) {
      wake.app = unsafe (state + place).pointee.symbol
      wake.number += 1
      body(wake)
    }
  }

  /// Calls `body` with each wake's app and number.
  package func forEachApp(_ body: (App, Int) -> Void) {
    for place in 0..<count {
      unsafe body((state + place).pointee.symbol, state.pointee.wake.number + place)
    }
  }
}

/// What a replay counts of a wake.
package struct WakeFigures: Sendable {
  /// Pending saves and deletes carried.
  package let saves: Int
  /// Nanoseconds from the first of them to the wake; 0 if there was none.
  package let waited: Int64
  /// What it carried: the sum of ``health``, ``push`` and ``refresh``.
  package let cause: Int

  package static let health = 1
  package static let push = 2
  package static let refresh = 4
}

extension SchedulerCore {
  /// The wake of an app.
  @inline(__always)
  func view(of app: Int) -> WakeView { unsafe WakeView(apps.address(of: app)) }
}

extension AppState {
  /// The figures of the wake.
  @inline(__always)
  fileprivate var figures: WakeFigures {
    WakeFigures(
      saves: wake.saves, waited: wake.saves > 0 ? wake.time - wake.oldest : 0,
      cause: (wake.saves > 0 ? WakeFigures.health : 0)
        | (carriedPush != nil ? WakeFigures.push : 0)
        | (wake.refresh > 0 ? WakeFigures.refresh : 0))
  }

  /// The wake as it is reported.
  fileprivate var reportedWake: Wake {
    let outcome = WakeOutcome(rawValue: UInt8(wake.outcome)) ?? .open
    return Wake(
      number: wake.number, time: Timestamp(nanoseconds: wake.time), app: symbol,
      types: carriedTypes, saves: wake.saves,
      oldest: wake.saves > 0 ? Timestamp(nanoseconds: wake.oldest) : nil, push: carriedPush,
      refresh: wake.refresh > 0, outcome: outcome,
      end: outcome == .open ? nil : Timestamp(nanoseconds: wake.end))
  }
}
