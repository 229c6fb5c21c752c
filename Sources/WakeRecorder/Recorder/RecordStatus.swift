import WakeTrace

/// The result of recording an event.
///
/// Later versions may add values; ``isRecorded`` covers them.
public struct RecordStatus: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  @inlinable
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The event is recorded.
  public static let recorded = RecordStatus(rawValue: 0)
  /// The event is recorded in memory, but the trace could not be written. Each producer reports a failure once;
  /// ``Recorder/flush()`` throws its cause.
  public static let notWritten = RecordStatus(rawValue: 1)
  /// The ring is full: the event is lost, and the trace counts it as lost.
  public static let lost = RecordStatus(rawValue: 2)
  /// The recorder or the producer is closed. As with all codes below, nothing is recorded or counted.
  public static let closed = RecordStatus(rawValue: 3)
  /// This process was forked off the one that records.
  public static let forked = RecordStatus(rawValue: 4)
  /// The call interrupted another one of the same producer.
  public static let busy = RecordStatus(rawValue: 5)
  /// The event takes more than a quarter of the ring, a text in it has more than 8 MiB, or it observes more than 65,536
  /// types.
  public static let tooLarge = RecordStatus(rawValue: 6)
  /// A name was not interned by this recorder.
  public static let unknownName = RecordStatus(rawValue: 7)
  /// A time is beyond ±4 × 10^18 nanoseconds (page Rules, 2).
  public static let invalidTime = RecordStatus(rawValue: 8)
  /// A number is not finite or out of its range (page Rules, 2).
  public static let invalidNumber = RecordStatus(rawValue: 9)

  /// Whether the event is recorded.
  @inlinable @inline(__always)
  public var isRecorded: Bool { rawValue <= 1 }
}

/// What happens when a producer's ring is full.
public enum RecorderMode: UInt8, CaseIterable, Sendable {
  /// The new event is lost, and counted.
  case drop = 0
  /// The producer waits for room.
  case block = 1
  /// The oldest events are lost, and counted; only ``Recorder/snapshot(to:)`` writes.
  case overwrite = 2
}
