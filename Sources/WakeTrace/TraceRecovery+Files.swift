import Glibc

extension TraceRecovery {
  /// Whether an open file begins as ring files do, or would if its header had been finished.
  ///
  /// - Throws: ``TraceError`` if it cannot be read.
  public static func isRingFile(_ file: TraceFile) throws(TraceError) -> Bool {
    var bytes: [UInt8] = []
    guard try file.read(8, at: 0, into: &bytes) == 8 else { return false }
    let word = bytes[..<8].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    let isLikely = file.length >= Int64(RingLayout.ringsOffset) || file.name.hasSuffix(".ring")
    // The version is the last byte.
    return word == 0 && isLikely || word << 8 == RingLayout.magic << 8
  }

  /// Whether a path leads to a file, and not to a pipe or anything else.
  public static func isPlainFile(_ path: String) -> Bool { SystemCalls.sort(of: path) == S_IFREG }

  /// Whether two paths lead to one file.
  public static func isSameFile(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    return unsafe stat(first, &one) == 0 && stat(second, &other) == 0
      && one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }
}
