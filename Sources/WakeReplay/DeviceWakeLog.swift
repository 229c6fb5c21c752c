import WakeEvents
import WakeJSON
import WakeScheduling
import WakeTrace

/// The wake logs of devices, one after the other, each in the order in which its wakes began.
@safe
final class DeviceWakeLog {
  /// Behind a pointer for speed alone: for a property Swift would check exclusive access at each wake, some 90 instructions.
  /// One thread at a time uses it, and nothing that it calls comes back to it.
  private let lines: UnsafeMutablePointer<WakeLines>

  init(_ log: WakeLog, _ symbols: Symbols, times: JSONTimeForm) {
    unsafe lines = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe lines.initialize(to: WakeLines(log, symbols, times: times))
  }

  deinit {
    unsafe lines.deinitialize(count: 1)
    unsafe lines.deallocate()
  }

  /// Starts with the wakes of a device, which has a place in the log.
  func start(device: String, place: Int) {
    unsafe lines.pointee.start(device: device, place: place)
  }

  /// Adds wakes that have ended, or keeps them until those with lower numbers have ended.
  func append(_ wakes: borrowing WakeView) { unsafe lines.pointee.append(wakes) }

  /// Adds a wake of another scheduler.
  func append(_ wake: borrowing Wake) { unsafe lines.pointee.append(wake) }

  /// Hands the lines so far over, if they are many or `all` are to be.
  func handOver(all: Bool) throws(TraceError) { try unsafe lines.pointee.handOver(all: all) }
}

/// The lines of ``DeviceWakeLog``.
private struct WakeLines: ~Copyable {
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

  mutating func start(device: String, place: Int) {
    line.start(device: device)
    order = WakeOrder()
    log.start(place: place)
  }

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

  mutating func handOver(all: Bool) throws(TraceError) {
    try log.take(&bytes, all: all)
  }
}
