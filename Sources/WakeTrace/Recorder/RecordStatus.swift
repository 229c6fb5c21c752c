/// What became of an event that was to be recorded.
///
/// More may come; ``isRecorded`` tells what matters.
public struct RecordStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// It is recorded.
  public static let recorded = RecordStatus(rawValue: 0)
  /// It is recorded in memory, but of late the trace could not be written; said once for each failure.
  /// ``Recorder/flush()`` tells why.
  public static let notWritten = RecordStatus(rawValue: 1)
  /// The ring is full: the event is lost, and counted as lost in the trace.
  public static let lost = RecordStatus(rawValue: 2)
  /// The recorder or the producer is closed; nothing is recorded or counted.
  public static let closed = RecordStatus(rawValue: 3)
  /// This process was forked off the one that records; nothing is recorded or counted.
  public static let forked = RecordStatus(rawValue: 4)
  /// The call interrupted another one of the same producer; nothing is recorded or counted.
  public static let busy = RecordStatus(rawValue: 5)
  /// The event takes more than a quarter of the ring; nothing is recorded or counted.
  public static let tooLarge = RecordStatus(rawValue: 6)
  /// A name was not interned by this recorder; nothing is recorded or counted.
  public static let unknownName = RecordStatus(rawValue: 7)
  /// A time is beyond ±4 × 10^18 (SPEC 2); nothing is recorded or counted.
  public static let invalidTime = RecordStatus(rawValue: 8)
  /// A number is not finite or out of its range (SPEC 2); nothing is recorded or counted.
  public static let invalidNumber = RecordStatus(rawValue: 9)

  /// Whether the event is recorded.
  @inline(__always)
  public var isRecorded: Bool { rawValue <= 1 }
}

/// What happens when a producer's ring is full.
public enum RecorderMode: UInt8, CaseIterable, Sendable {
  /// The new event is lost, and counted.
  case drop = 0
  /// The producer waits until there is room.
  case block = 1
  /// The oldest events are lost, and counted; nothing is written until ``Recorder/snapshot(to:)`` is
  /// called.
  case overwrite = 2
}
