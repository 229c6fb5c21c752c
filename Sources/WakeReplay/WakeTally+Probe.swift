import CProbes
import WakeEvents
import WakeScheduling

extension WakeTally {
  /// Counts wakes that began, and tells a tracer of them.
  @inline(__always)
  mutating func take(_ wakes: borrowing WakeView) {
    if rouse_probe_watches_wakes() { Self.probe(wakes) }
    if unsafe wakes.batch.isEmpty {
      count(wakes.figures)
    } else {
      // The scheduler's own memory, valid during this call.
      unsafe count(wakes.batch)
    }
  }

  /// Passes the probe `rouse:wake` for each of the wakes.
  @inline(never)
  private static func probe(_ wakes: borrowing WakeView) {
    func probe(_ wake: WakeFigures, app: App, number: Int) {
      rouse_probe_wake(
        wake.time, UInt64(app.index), UInt64(truncatingIfNeeded: number),
        UInt64(truncatingIfNeeded: wake.saves))
    }
    guard unsafe wakes.batch.isEmpty else {
      for place in unsafe wakes.batch.indices {
        let wake = unsafe wakes.batch[place]
        probe(wake, app: wake.app, number: wake.number)
      }
      return
    }
    let figures = wakes.figures
    if figures.count > 1 {
      wakes.forEachApp { probe(figures, app: $0, number: $1) }
    } else {
      probe(figures, app: figures.app, number: figures.number)
    }
  }
}
