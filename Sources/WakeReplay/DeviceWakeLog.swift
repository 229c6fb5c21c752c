import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// The wake logs of devices, one after the other, each in the order in which its wakes began.
struct DeviceWakeLog: ~Copyable {
  private var line: WakeLine
  private var cohort = WakeLine.CohortTexts()
  private var lines = OrderedLines()
  private var log: LogPart

  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm) {
    line = WakeLine(symbols: symbols, times: times)
    self.log = LogPart(of: log)
  }

  /// Starts with the wakes of a device, which has a place in the log.
  mutating func start(device: String, place: Int) {
    line.start(device: device)
    lines.restart()
    log.start(place: place)
  }

  /// Adds wakes that have ended, or keeps their lines until those with lower numbers have ended.
  mutating func append(_ wakes: borrowing WakeView) {
    let (wake, push) = (wakes.ended, wakes.push)
    guard wakes.count > 1 else {
      wakes.withTypes { append(wake, types: $0, push: push) }
      return
    }
    wakes.withTypes { line.write(wake, types: $0, push: push, to: &cohort) }
    wakes.forEachApp { app, number in
      lines.add(number) { line.append(cohort, of: app, to: &$0) }
      handOverAmidCall()
    }
  }

  /// Adds a wake of another scheduler.
  mutating func append(_ wake: borrowing Wake) {
    append(EndedWake(wake), types: wake.types.span, push: wake.push)
  }

  @inline(__always)
  private mutating func append(_ wake: EndedWake, types: Span<SampleType>, push: String?) {
    lines.add(wake.number) { line.append(wake, types: types, push: push, to: &$0) }
    handOverAmidCall()
  }

  /// Moves lines into order that may be now, and hands them over if they are very many.
  @inline(__always)
  private mutating func handOverAmidCall() {
    repeat { log.takeAmidCall(&lines.bytes) } while lines.advance()
  }

  /// Hands the lines so far over, if they are many or `all` are to be.
  mutating func handOver(all: Bool) throws(TraceError) {
    try log.take(&lines.bytes, all: all)
  }
}

/// A device's log in memory of its own, as few replays have one.
final class DeviceWakeLogBox {
  private var log: DeviceWakeLog?

  init(_ log: consuming DeviceWakeLog) { self.log = consume log }

  /// Calls `body` with the log, so that Swift checks exclusive access to it once for many wakes.
  @inline(__always)
  func update<Result, Failure: Error>(
    _ body: (inout DeviceWakeLog?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&log)
  }
}
