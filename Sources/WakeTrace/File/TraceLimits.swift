import WakeEvents

/// The bounds of the trace format; a reader checks every length against them before it takes memory.
public enum TraceLimits {
  /// The version of the format that is written, and the only one that is read.
  public static let version: UInt8 = 1
  /// Events in a block.
  public static let eventsPerBlock = 65_536
  /// Runs of one device each in a block.
  public static let runsPerBlock = 2_048
  /// Types that a block's header lists; a block with more lists none.
  public static let typesListed = 2_048
  /// Bytes of a block's member after inflating.
  public static let payloadBytes = 32 << 20
  /// Bytes of a block's member in the file.
  public static let memberBytes = payloadBytes + (payloadBytes >> 8) + 65_536 + 64
  /// UTF-8 bytes of one name or one push's payload.
  public static let textBytes = 8 << 20
  /// UTF-8 bytes of one name: of a device, type, source, app or query.
  public static let nameBytes = 65_535
  /// UTF-8 bytes that all names of one sort may have together in a run over traces, as they are kept in
  /// memory as long as it lasts.
  public static let nameBytesInAll = 256 << 20
  /// Names of one sort that a block lists.
  public static let namesInList = 4 * eventsPerBlock
  /// Types of one observation.
  public static let typesPerObservation = 65_536
  /// UTF-8 bytes of names and payloads at which a writer ends a block.
  package static let textBytesPerBlock = 4 << 20
}

extension TraceLimits {
  /// Refuses names that take more memory than they may.
  static func check<Namespace>(_ table: SymbolTable<Namespace>) throws(BlockError) {
    guard table.nameBytes <= nameBytesInAll else {
      throw BlockError(
        .tooLarge, "the names so far have more than \(nameBytesInAll >> 20) MiB, which is the most")
    }
  }
}
