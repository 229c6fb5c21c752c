internal import Glibc

/// What this process has taken from the system since it started.
public struct ResourceUsage: Hashable, Sendable {
  /// The most memory that was resident at once, in bytes; nil if the system does not say.
  public let peakResidentBytes: UInt64?
  /// Pages that were made present without the disk.
  public let minorPageFaults: UInt64
  /// Pages that had to be read from the disk.
  public let majorPageFaults: UInt64
  /// Time on a processor in the program, in nanoseconds.
  public let userTime: UInt64
  /// Time on a processor in the system, in nanoseconds.
  public let systemTime: UInt64
  /// Times a thread gave its processor up, to wait.
  public let voluntarySwitches: UInt64
  /// Times a thread had its processor taken away: above a few, the machine is busy with others.
  public let involuntarySwitches: UInt64

  /// The usage up to now. All figures but the peak are differences worth taking.
  public static func current() -> ResourceUsage {
    current(statusPath: "/proc/self/status")
  }

  /// Lets ``peakResidentBytes`` begin anew, with what is resident now.
  ///
  /// - Returns: Why that cannot be done here, in a line; nil if it was done.
  public static func resetPeak() -> String? { resetPeak(path: "/proc/self/clear_refs") }

  /// ``resetPeak()``, with the place of the kernel's file given, for tests.
  package static func resetPeak(path: String) -> String? {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    if file >= 0 {
      defer { close(file) }
      // CLEAR_REFS_MM_HIWATER_RSS
      if unsafe write(file, "5", 1) == 1 { return nil }
    }
    return "the system does not let a peak of its own begin (\(path): "
      + "\(unsafe String(cString: strerror(errno))))"
  }

  /// ``current()``, with the place of the status file given, for tests.
  package static func current(statusPath: String) -> ResourceUsage {
    var usage = rusage()
    // Fails for a bad argument only; the figures stay zero then.
    _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    // The kernel's own high-water mark first: `ru_maxrss` is inherited across exec, so that it may
    // tell the peak of the shell's or the test runner's fork. It is in KiB.
    var peak = textOfFile(at: statusPath).flatMap(peakResidentBytes(inStatus:))
    if peak == nil, usage.ru_maxrss > 0 { peak = UInt64(usage.ru_maxrss) &* 1024 }
    return ResourceUsage(
      peakResidentBytes: peak,
      minorPageFaults: UInt64(clamping: usage.ru_minflt),
      majorPageFaults: UInt64(clamping: usage.ru_majflt),
      userTime: nanoseconds(usage.ru_utime),
      systemTime: nanoseconds(usage.ru_stime),
      voluntarySwitches: UInt64(clamping: usage.ru_nvcsw),
      involuntarySwitches: UInt64(clamping: usage.ru_nivcsw))
  }

  /// The figure of the line `VmHWM:     1234 kB` (KiB in truth), in bytes; nil if there is none.
  package static func peakResidentBytes(inStatus status: String) -> UInt64? {
    // As bytes: characters would take longer than to start the command.
    for line in status.utf8.split(separator: UInt8(ascii: "\n")) {
      guard line.starts(with: "VmHWM:".utf8) else { continue }
      let words = line.dropFirst("VmHWM:".utf8.count).split {
        $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
      }
      guard words.count == 2, words[1].elementsEqual("kB".utf8),
        let kibibytes = UInt64(Substring(words[0]))
      else { return nil }
      let (bytes, overflows) = kibibytes.multipliedReportingOverflow(by: 1024)
      return overflows ? nil : bytes
    }
    return nil
  }

  private static func nanoseconds(_ time: timeval) -> UInt64 {
    UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_usec) &* 1000
  }
}

/// The first 16 KiB of a file, more than any status file has, as text; nil if it cannot be read.
private func textOfFile(at path: String) -> String? {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
    // The kernel writes a status file in one piece.
    count = unsafe max(read(file, buffer.baseAddress, buffer.count), 0)
  }
  return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
}
