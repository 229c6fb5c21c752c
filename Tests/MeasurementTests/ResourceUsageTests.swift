import BenchmarkModel
import Measurement
import Testing

// One after the other, as the peak is the whole process's and one of them lets it begin anew.
@Suite("Resource usage", .serialized)
struct ResourceUsageTests {
  @Test("The peak holds memory that was touched, and never falls")
  func peak() throws {
    let before = try #require(ResourceUsage.current().peakResidentBytes)
    let bytes = 64 << 20
    let memory = [UInt8](repeating: 1, count: bytes)
    let after = try #require(ResourceUsage.current().peakResidentBytes)
    #expect(after >= before)
    #expect(after >= bytes)
    #expect(memory.last == 1)
  }

  @Test("Faults are counted and never fall")
  func counters() {
    let before = ResourceUsage.current()
    #expect(before.minorPageFaults > 0)
    let after = ResourceUsage.current()
    #expect(after.minorPageFaults >= before.minorPageFaults)
    #expect(after.majorPageFaults >= before.majorPageFaults)
  }

  @Test("Without a status file the peak comes from elsewhere", arguments: ["/nowhere/status", "/"])
  func withoutStatus(path: String) throws {
    let peak = try #require(ResourceUsage.current(statusPath: path).peakResidentBytes)
    #expect(peak > 1 << 20)
  }

  @Test(
    "The peak is read from the status, or nil",
    arguments: [
      ("Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n", 1_263_616),
      ("VmHWM: 0 kB", 0),
      ("", nil), ("VmHWM:", nil), ("VmHWM: 12", nil), ("VmHWM: 12 MB", nil), ("VmHWM: x kB", nil),
      ("VmHWM: -1 kB", nil), ("VmHWM: 18446744073709551615 kB", nil), ("VmHWMX: 1 kB", nil),
    ] as [(String, UInt64?)])
  func parsing(status: String, bytes: UInt64?) {
    #expect(ResourceUsage.peakResidentBytes(inStatus: status) == bytes, "of \(status)")
  }

  @Test("a peak of its own begins when it is reset")
  func resetPeak() throws {
    let bytes = 128 << 20
    var (before, after): (UInt64, UInt64) = (0, 0)
    // Other tests of this process may take as much in between, but not each time.
    for _ in 0..<10 where after + UInt64(bytes / 2) >= before {
      do {
        // Touched, so that it is resident.
        let memory = [UInt8](repeating: 1, count: bytes)
        #expect(memory.last == 1)
      }
      before = try #require(ResourceUsage.current().peakResidentBytes)
      try #require(ResourceUsage.resetPeak() == nil, "the system refuses")
      after = try #require(ResourceUsage.current().peakResidentBytes)
    }
    #expect(after + UInt64(bytes / 2) < before, "\(before) bytes before, \(after) after")
  }

  @Test("where no peak can be reset the reason is told")
  func noPeak() {
    let reason = ResourceUsage.resetPeak(path: "/nowhere/clear_refs")
    #expect(reason?.contains("/nowhere/clear_refs: No such file") == true, "\(reason ?? "none")")
  }
}
