import WakeEvents
import WakeScheduling
import WakeTrace

/// The parts of the wake log that devices have, one after the other.
@safe
final class DeviceWakeLog {
  /// The wakes that are not handed over yet. One thread at a time uses them.
  private let history: UnsafeMutablePointer<WakeHistory>
  private let part: Part
  /// Puts the wakes of another scheduler in order, of which it tells as they end.
  private var order = WakeOrder<Wake>()

  /// With so many wakes the log takes those that have ended, also amid a call of the scheduler: few, so that they stay in the
  /// processor's cache.
  static let most = 4 * WakeLogWriter.enough
  /// With so many wakes it takes them between two calls of the scheduler.
  private let enough: Int

  init(_ log: WakeLogWriter) {
    let part = Part(log)
    self.part = part
    enough = log.isPaced ? 1 : WakeLogWriter.enough
    unsafe history = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe history.initialize(
      to: WakeHistory(most: Self.most) { part.takeAmidCall(&$0, endedBefore: $1) })
  }

  deinit {
    unsafe history.deinitialize(count: 1)
    unsafe history.deallocate()
  }

  /// Starts with the wakes of a device, which has a place in the log.
  func start(device: String, place: Int) {
    (part.device, part.place) = (device, place)
    unsafe history.pointee.restart(keepingUpTo: WakeLogWriter.mostKept)
    order = WakeOrder()
  }

  /// Lets a scheduler keep its wakes here, until it is that of another device.
  func keepWakes(of scheduler: inout SchedulerCore) { unsafe scheduler.keepWakes(in: history) }

  /// Adds a wake of another scheduler.
  func append(_ wake: borrowing Wake) {
    order.add(wake) { unsafe history.pointee.append($0) }
  }

  /// Hands wakes over that have ended before a time, if they are many or the replay is paced.
  ///
  /// - Parameter time: The scheduler's present.
  /// - Throws: What keeps the log from taking them, or kept it from taking earlier ones.
  func handOver(endedBefore time: Int64) throws(TraceError) {
    if let failure = part.failure { throw failure }
    guard unsafe history.pointee.count >= enough else { return }
    try unsafe part.take(&history.pointee, endedBefore: time)
  }

  /// Hands all wakes over; the device, which has a place in the log, has no more.
  func finish(place: Int) throws(TraceError) {
    if let failure = part.failure { throw failure }
    // A device without inputs was not started.
    part.place = place
    try unsafe part.takeAll(&history.pointee)
  }

  /// The log, and the device whose part of it is written. A class of its own, as the history refers to it.
  private final class Part {
    private let log: WakeLogWriter
    var device = ""
    var place = 0
    /// What kept the log from taking wakes amid a call of the scheduler.
    private(set) var failure: TraceError?

    init(_ log: WakeLogWriter) { self.log = log }

    func takeAmidCall(_ wakes: inout WakeHistory, endedBefore time: Int64) {
      do throws(TraceError) {
        if failure == nil { try take(&wakes, endedBefore: time) }
      } catch {
        failure = error
      }
    }

    func take(_ wakes: inout WakeHistory, endedBefore time: Int64) throws(TraceError) {
      let count = wakes.countEnded(before: time)
      // Those that stay are moved. So they should not be more, unless somebody waits for the lines.
      guard count > 0, log.isPaced || count >= wakes.places.count - count else { return }
      try take(&wakes, first: count, isLast: false)
    }

    func takeAll(_ wakes: inout WakeHistory) throws(TraceError) {
      try take(&wakes, first: wakes.places.count, isLast: true)
    }

    private func take(
      _ wakes: inout WakeHistory, first count: Int, isLast: Bool
    ) throws(TraceError) {
      try log.take(first: count, of: &wakes, device: device, place: place, isLast: isLast)
    }
  }
}
