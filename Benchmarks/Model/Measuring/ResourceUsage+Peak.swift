import Glibc
public import Measurement

extension ResourceUsage {
  /// Resets ``peakResidentBytes`` to what is resident now.
  ///
  /// - Parameter path: The process's own file, but in tests.
  /// - Returns: Why the system refuses, in a line; nil on success.
  public static func resetPeak(path: String = "/proc/self/clear_refs") -> String? {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    if file >= 0 {
      defer { close(file) }
      // CLEAR_REFS_MM_HIWATER_RSS (proc(5), /proc/PID/clear_refs).
      if unsafe write(file, "5", 1) == 1 { return nil }
    }
    return "the system cannot reset the memory peak (\(path): "
      + "\(unsafe String(cString: strerror(errno))))"
  }
}
