package import WakeEvents

/// A wake in the scheduler's own memory; nothing is copied until it is asked for.
///
/// It stands for the wakes of a cohort (``Accelerations/cohorts``), which differ in app and number only.
///
/// It is valid during the call that it is passed to: the apps' states do not move meanwhile.
@safe
package struct WakeView: ~Copyable {
  /// The state of the first app; those of the others are behind it.
  private let state: UnsafePointer<AppState>?
  /// The figures of wakes that are told together, where ``SchedulerCore/tellsInBatches`` says so; then there is nothing
  /// else. Empty where one wake is told.
  package let batch: UnsafeBufferPointer<WakeFigures>

  @inline(__always)
  init(_ state: UnsafePointer<AppState>) {
    unsafe self.state = unsafe state
    unsafe batch = UnsafeBufferPointer(start: nil, count: 0)
  }

  init(_ batch: UnsafeBufferPointer<WakeFigures>) {
    unsafe state = nil
    unsafe self.batch = unsafe batch
  }

  /// The state of the first app; there is one where ``batch`` is empty.
  private var app: AppState {
    unsafeAddress { unsafe state.unsafelyUnwrapped }
  }

  /// How many wakes it stands for.
  package var count: Int { app.cohort }

  /// The figures that a replay counts of each wake: all at once, as this is a call for each wake of a trace.
  package var figures: WakeFigures { app.figures }

  /// When the wake that begins is completed, if that is counted ahead (``SchedulerCore/reportsAnswersAhead``) and nothing
  /// ends it before; nil if it is not known.
  package var answer: Int64? { app.answer }

  /// Calls `body` with the numbers of the types carried. They are known only if ends are reported
  /// (``SchedulerCore/reportsEnds``).
  package func withTypes(_ body: (UnsafeBufferPointer<UInt32>) -> Void) {
    unsafe app.carriedTypes.withUnsafeBufferPointer { types in
      // A symbol is its number.
      unsafe types.withMemoryRebound(to: UInt32.self) { unsafe body($0) }
    }
  }

  /// Whether something is pending for the app beside what the wake carries, as the wake begins.
  package var leavesSome: Bool { app.pendingDue != .max }

  /// Nanoseconds for which a wake that has ended was in flight; nil if it expired or is open.
  package var answeredFlight: Int64? { app.answeredFlight }

  /// Calls `body` with each wake, in the order of their numbers.
  package func forEachWake(_ body: (borrowing Wake) -> Void) {
    body(app.reportedWake)
    guard count > 1 else { return }
    var wake = app.reportedWake
    for place in 1..<count {
      wake.app = unsafe (state.unsafelyUnwrapped + place).pointee.symbol
      wake.number += 1
      body(wake)
    }
  }

  /// The wake of the first app, with its types and push.
  package var first: Wake { app.reportedWake }

  /// Calls `body` with each wake's app and number.
  package func forEachApp(_ body: (App, Int) -> Void) {
    for place in 0..<count {
      unsafe body((state.unsafelyUnwrapped + place).pointee.symbol, app.wake.number + place)
    }
  }
}

/// What a replay counts of wakes.
package struct WakeFigures: Sendable {
  /// How many wakes there are; they differ in app and number only.
  package let count: Int
  /// The app of the first, and its number.
  package let app: App
  package let number: Int
  /// When the apps were woken, in nanoseconds.
  package let time: Int64
  /// Pending saves and deletes carried by each.
  package let saves: Int
  /// Nanoseconds from the first of them to the wake; 0 if there was none.
  package let waited: Int64
  /// What each carried: the sum of ``health``, ``push`` and ``refresh``.
  package let cause: Int

  package init(
    count: Int, app: App, number: Int, time: Int64, saves: Int, waited: Int64, cause: Int
  ) {
    self.count = count
    self.app = app
    self.number = number
    self.time = time
    self.saves = saves
    self.waited = waited
    self.cause = cause
  }

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
  var figures: WakeFigures {
    WakeFigures(
      count: cohort, app: symbol, number: wake.number, time: wake.time, saves: wake.saves,
      waited: wake.saves > 0 ? wake.time - wake.oldest : 0,
      cause: (wake.saves > 0 ? WakeFigures.health : 0)
        | (carriesPush ? WakeFigures.push : 0)
        | (wake.refresh > 0 ? WakeFigures.refresh : 0))
  }

  fileprivate var answer: Int64? { answeredAt > wake.time ? answeredAt : nil }

  fileprivate var answeredFlight: Int64? {
    switch WakeOutcome(rawValue: UInt8(wake.outcome)) {
    case .completed, .aborted: wake.end - wake.time
    case .expired, .open, nil: nil
    }
  }

  /// The wake as it is reported.
  fileprivate var reportedWake: Wake {
    let outcome = WakeOutcome(rawValue: UInt8(wake.outcome)) ?? .open
    var reported = Wake(
      number: wake.number, time: Timestamp(nanoseconds: wake.time), app: symbol,
      types: carriedTypes, saves: wake.saves,
      oldest: wake.saves > 0 ? Timestamp(nanoseconds: wake.oldest) : nil, push: carriedPushID,
      refresh: wake.refresh > 0, outcome: outcome,
      end: outcome == .open ? nil : Timestamp(nanoseconds: wake.end))
    reported.cutShort = cutShort
    return reported
  }
}
