package import WakeEvents

/// A wake as it stands in the scheduler, for who is told of it: nothing is copied until it is asked for.
///
/// It is there as long as the call that tells of it; the app's state does not move meanwhile.
@safe
package struct WakeView: ~Copyable {
  private let state: UnsafePointer<AppState>

  init(_ state: UnsafePointer<AppState>) {
    unsafe self.state = unsafe state
  }

  /// The wake.
  package var wake: Wake { unsafe state.pointee.wake }

  /// When the app was woken.
  package var time: Timestamp { unsafe state.pointee.wake.time }
  /// The app.
  package var app: App { unsafe state.pointee.wake.app }
  /// Its place among the device's wakes, from 1.
  package var number: Int { unsafe state.pointee.wake.number }
  /// Pending saves and deletes carried.
  package var saves: Int { unsafe state.pointee.wake.saves }

  /// What counts of a wake that has ended.
  package var figures: WakeFigures {
    let oldest = unsafe state.pointee.wake.oldest?.nanoseconds
    let time = unsafe state.pointee.wake.time.nanoseconds
    let cause =
      unsafe (state.pointee.wakeCarriedTypes ? WakeFigures.health : 0)
      | (state.pointee.wake.push != nil ? WakeFigures.push : 0)
      | (state.pointee.wake.refresh ? WakeFigures.refresh : 0)
    return unsafe WakeFigures(
      saves: state.pointee.wake.saves, waited: oldest.map { time - $0 } ?? 0, cause: cause)
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

/// Who is told of wakes as they begin and end.
typealias WakeListener = (WakePhase, borrowing WakeView) -> Void
