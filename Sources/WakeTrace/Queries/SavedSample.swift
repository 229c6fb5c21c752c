public import WakeEvents

/// A saved sample of a trace.
public struct SavedSample: Hashable, Sendable {
  /// The sample as it was given.
  public var sample: Sample
  /// The device it was saved on.
  public var device: Device
  /// When it was saved, as written.
  public var savedAt: Timestamp
  /// The number of events of all kinds before it in the file.
  public var position: Int

  /// When it began: its start, or the time it was saved (page Rules, 2).
  public var start: Timestamp { sample.start ?? savedAt }
  /// When it ended: its end, or its start (page Rules, 2).
  public var end: Timestamp { sample.end ?? start }
}

/// A delete, which names a type and a source, and no particular sample (page Rules, 2).
public struct DeletedSample: Hashable, Sendable {
  /// What was deleted.
  public var type: SampleType
  /// Whose sample it was.
  public var source: Source
  /// The device it was deleted on.
  public var device: Device
  /// When it was deleted, as written.
  public var deletedAt: Timestamp
  /// The number of events of all kinds before it in the file.
  public var position: Int
}

/// A result of an anchored query (page Rules, 8.3).
public enum SampleChange: Hashable, Sendable {
  /// A sample was saved.
  case saved(SavedSample)
  /// A sample was deleted.
  case deleted(DeletedSample)

  /// The number of events of all kinds before it in the file.
  public var position: Int {
    switch self {
    case .saved(let saved): saved.position
    case .deleted(let deleted): deleted.position
    }
  }
}

/// The work of a query.
public struct QueryStatistics: Hashable, Sendable {
  /// Blocks that were inflated.
  public var blocksRead = 0
  /// Blocks that were skipped by their headers. Blocks after the limit was reached are in neither count.
  public var blocksSkipped = 0
  /// Saves, and for an anchored query deletes, that were returned.
  public var returned = 0
}
