import Measurement
import Testing

@Suite("Resource usage")
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

  @Test("Faults and times are counted and never fall")
  func counters() {
    let before = ResourceUsage.current()
    #expect(before.minorPageFaults > 0)
    #expect(before.userTime + before.systemTime > 0)
    let after = ResourceUsage.current()
    #expect(after.minorPageFaults >= before.minorPageFaults)
    #expect(after.majorPageFaults >= before.majorPageFaults)
    #expect(after.userTime >= before.userTime)
    #expect(after.systemTime >= before.systemTime)
    #expect(after.voluntarySwitches >= before.voluntarySwitches)
    #expect(after.involuntarySwitches >= before.involuntarySwitches)
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
}
