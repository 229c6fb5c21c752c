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
  /// Names of one sort that a block lists.
  public static let namesInList = 4 * eventsPerBlock
  /// UTF-8 bytes of names and payloads at which a writer ends a block.
  static let textBytesPerBlock = 4 << 20
}
