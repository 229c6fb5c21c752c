import Glibc
public import WakeTrace

extension TraceRecovery {
  /// Whether a file is a ring file, possibly with an incomplete header.
  ///
  /// - Throws: `TraceError` if it cannot be read.
  public static func isRingFile(_ file: TraceFile) throws(TraceError) -> Bool {
    var bytes: [UInt8] = []
    guard try file.read(8, at: 0, into: &bytes) == 8 else { return false }
    let word = UInt64(littleEndianBytes: bytes[..<8])
    let isLikely = file.length >= Int64(RingLayout.ringsOffset) || file.name.hasSuffix(".ring")
    // The version is the last byte.
    return word == 0 && isLikely || word << 8 == RingLayout.magic << 8
  }

  /// Whether a path leads to a regular file.
  public static func isPlainFile(_ path: String) -> Bool { SystemCalls.sort(of: path) == S_IFREG }

  /// Whether two paths lead to one file.
  public static func isSameFile(_ first: String, _ second: String) -> Bool {
    guard let file = SystemCalls.identity(of: first) else { return false }
    return file == SystemCalls.identity(of: second)
  }
}
