internal import Glibc

/// The resources that this process has used since it started.
public struct ResourceUsage: Hashable, Sendable {
  /// The peak of resident memory in bytes; nil if the system does not report it.
  public let peakResidentBytes: UInt64?
  /// Page faults served without disk access.
  public let minorPageFaults: UInt64
  /// Page faults that read from the disk.
  public let majorPageFaults: UInt64

  /// The usage so far. Differences of all figures but the peak are meaningful.
  ///
  /// - Parameter statusPath: Where the system tells the peak.
  public static func current(statusPath: String = "/proc/self/status") -> ResourceUsage {
    var usage = rusage()
    // Fails only for an invalid argument; then the figures are zero.
    _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    // VmHWM first: `ru_maxrss` (in KiB) is inherited across exec and may be the peak of the parent's fork.
    var peak = textOfFile(at: statusPath).flatMap(peakResidentBytes(inStatus:))
    if peak == nil, usage.ru_maxrss > 0 { peak = UInt64(usage.ru_maxrss) &* 1024 }
    return ResourceUsage(
      peakResidentBytes: peak,
      minorPageFaults: UInt64(clamping: usage.ru_minflt),
      majorPageFaults: UInt64(clamping: usage.ru_majflt))
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
