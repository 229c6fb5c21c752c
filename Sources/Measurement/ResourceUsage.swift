internal import Glibc

/// The resources that this process has used since it started.
public struct ResourceUsage: Hashable, Sendable {
  /// The peak of resident memory in bytes; nil if the system does not report it.
  public let peakResidentBytes: UInt64?
  /// Page faults served without disk access.
  public let minorPageFaults: UInt64
  /// Page faults that read from the disk.
  public let majorPageFaults: UInt64
  /// Processor time in user mode, in nanoseconds.
  public let userTime: UInt64
  /// Processor time in the kernel, in nanoseconds.
  public let systemTime: UInt64
  /// Context switches because a thread waited.
  public let voluntarySwitches: UInt64
  /// Context switches forced by the system: more than a few mean that the machine is busy.
  public let involuntarySwitches: UInt64

  /// The usage so far. Differences of all figures but the peak are meaningful.
  public static func current() -> ResourceUsage {
    current(statusPath: "/proc/self/status")
  }

  /// Resets ``peakResidentBytes`` to what is resident now.
  ///
  /// - Returns: Why the system refuses, in a line; nil on success.
  public static func resetPeak() -> String? { resetPeak(path: "/proc/self/clear_refs") }

  /// ``resetPeak()`` with another path, for tests.
  package static func resetPeak(path: String) -> String? {
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    if file >= 0 {
      defer { close(file) }
      // CLEAR_REFS_MM_HIWATER_RSS (proc(5), /proc/PID/clear_refs).
      if unsafe write(file, "5", 1) == 1 { return nil }
    }
    return "the system cannot reset the memory peak (\(path): "
      + "\(unsafe String(cString: strerror(errno))))"
  }

  /// ``current()`` with another status file, for tests.
  package static func current(statusPath: String) -> ResourceUsage {
    var usage = rusage()
    // Fails only for an invalid argument; then the figures are zero.
    _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    // VmHWM first: `ru_maxrss` (in KiB) is inherited across exec and may be the peak of the parent's fork.
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
    // Bytes, as splitting characters would take longer than the start of the command.
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

/// The first 16 KiB of a file, more than a status file holds; nil if it cannot be read.
private func textOfFile(at path: String) -> String? {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
    // One read returns a whole status file.
    count = unsafe max(read(file, buffer.baseAddress, buffer.count), 0)
  }
  return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
}
