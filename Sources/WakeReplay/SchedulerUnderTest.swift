package import WakeEvents
package import WakeScheduling
package import WakeTrace

/// A scheduler that takes the place of Rouse's own in a replay (``ReplayOptions/tested``).
package protocol SchedulerUnderTest: AnyObject, Sendable {
  /// Its name, for results.
  var name: String { get }
  /// Whether it looks at the sources and optional fields of saves even where no predicate does.
  var wantsValues: Bool { get }
  /// Makes what runs one device at a time. Threads ask at the same time.
  ///
  /// - Parameters:
  ///   - symbols: The names of the replay.
  ///   - tellsWakes: Whether ``DeviceUnderTest/handOver(began:ended:)`` passes wakes that have ended.
  func makeDevice(
    _ symbols: Symbols, tellsWakes: Bool
  ) throws(TraceError) -> any DeviceUnderTest
}

/// Runs devices on a scheduler under test, one after another; one thread at a time uses it.
package protocol DeviceUnderTest: AnyObject {
  /// Begins a device in its first state.
  ///
  /// - Parameter hash: `NameHash.device(_:)` of its name.
  func begin(_ device: Device, hash: UInt64) throws(TraceError)
  /// Takes rows of columns.
  ///
  /// - Parameters:
  ///   - numbers: The event numbers of the rows, for messages.
  ///   - orderliness: What is known about the rows.
  func take(
    _ columns: borrowing InputColumns, rows: Range<Int>, numbers: EventNumbers,
    orderliness: Orderliness?
  ) throws(TraceError)
  /// Lets everything due by a time happen.
  func advance(to time: Int64) throws(TraceError)
  /// When something is due next.
  var nextDue: Int64? { get }
  /// The latest effective time taken.
  var present: Int64 { get }
  /// How many inputs of the device were late.
  var lateInputs: Int { get }
  /// Ends the device and returns its summary; its stopped apps are unsorted.
  func finish() throws(TraceError) -> Summary
  /// Calls `body` with each app, after ``finish()``.
  func forEachApp(_ body: (AppStanding) -> Void)
  /// Passes the wakes told of since the last call: each as it began, and as it ended or stayed open.
  func handOver(began: (WakeFigures) -> Void, ended: (borrowing Wake) -> Void)
}
