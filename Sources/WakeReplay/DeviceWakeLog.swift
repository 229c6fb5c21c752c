import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// The wake logs of devices, one after the other, each in the order in which its wakes began.
struct DeviceWakeLog: ~Copyable {
  private var line: WakeLine
  private var cohort = WakeLine.CohortTexts()
  private var order = WakeOrder<LoggedWake>()
  private var bytes: [UInt8] = []
  private var log: LogPart

  /// A wake that waits for one with a lower number.
  private struct LoggedWake {
    let wake: EndedWake
    let types: [SampleType]
    let push: String?
  }

  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm) {
    line = WakeLine(symbols: symbols, times: times)
    self.log = LogPart(of: log)
  }

  /// Starts with the wakes of a device, which has a place in the log.
  mutating func start(device: String, place: Int) {
    line.start(device: device)
    order = WakeOrder()
    log.start(place: place)
  }

  /// Adds wakes that have ended, or keeps them until those with lower numbers have ended.
  mutating func append(_ wakes: borrowing WakeView) {
    var wake = wakes.ended
    if wakes.count > 1 {
      wakes.withTypes { line.write(wake, types: $0, push: wakes.push, to: &cohort) }
      wakes.forEachApp { app, number in
        (wake.app, wake.number) = (app, number)
        if order.admits(number) {
          line.append(cohort, of: app, to: &bytes)
          endLine()
        } else {
          hold(wake, types: wakes.types, push: wakes.push)
        }
      }
    } else if order.admits(wake.number) {
      wakes.withTypes { line.append(wake, types: $0, push: wakes.push, to: &bytes) }
      endLine()
    } else {
      hold(wake, types: wakes.types, push: wakes.push)
    }
  }

  /// Adds a wake of another scheduler.
  mutating func append(_ other: borrowing Wake) {
    let wake = EndedWake(other)
    if order.admits(wake.number) {
      line.append(wake, types: other.types.span, push: other.push, to: &bytes)
      endLine()
    } else {
      hold(wake, types: other.types, push: other.push)
    }
  }

  private mutating func hold(_ wake: EndedWake, types: [SampleType], push: String?) {
    order.hold(LoggedWake(wake: wake, types: types, push: push), number: wake.number)
  }

  /// After a line: appends those that waited for it, and hands lines over if they are very many.
  @inline(__always)
  private mutating func endLine() {
    log.takeAmidCall(&bytes)
    while let next = order.popNext() {
      line.append(next.wake, types: next.types.span, push: next.push, to: &bytes)
      log.takeAmidCall(&bytes)
    }
  }

  /// Hands the lines so far over, if they are many or `all` are to be.
  mutating func handOver(all: Bool) throws(TraceError) {
    try log.take(&bytes, all: all)
  }
}

/// A device's log in memory of its own, as few replays have one.
final class DeviceWakeLogBox {
  /// Optional for ``update(_:)`` alone.
  private var log: DeviceWakeLog?

  init(_ log: consuming DeviceWakeLog) { self.log = consume log }

  /// Calls `body`, which takes nil where there is no log, with this one. So Swift checks exclusive access to it once for many
  /// wakes.
  @inline(__always)
  func update<Result, Failure: Error>(
    _ body: (inout DeviceWakeLog?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&log)
  }
}
