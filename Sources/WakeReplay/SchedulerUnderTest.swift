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
  ///   - tells: What is told beside the figures of wakes.
  func makeDevice(
    _ symbols: Symbols, tells: ToldParts
  ) throws(TraceError) -> any DeviceUnderTest
}

/// What a device under test tells beside the figures of wakes.
package struct ToldParts: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }
  /// ``DeviceUnderTest/handOver(began:ended:)`` passes wakes that have ended.
  package static let wakes = Self(rawValue: 1)
  /// ``DeviceUnderTest/takeChanges()`` has something.
  package static let changes = Self(rawValue: 2)
}

/// The beginning or end of an app's wake, as a scheduler under test has told it.
package struct ToldChange: Sendable {
  package enum Change: Sendable {
    /// With the types carried.
    case began([SampleType])
    case ended(WakeOutcome)
  }

  package let app: App
  package let time: Int64
  package let change: Change

  package init(app: App, time: Int64, change: Change) {
    self.app = app
    self.time = time
    self.change = change
  }
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
  /// The beginnings and ends of wakes told of since the last call, in their order.
  func takeChanges() -> [ToldChange]
}
