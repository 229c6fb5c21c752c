import Testing
import WakeEvents

@testable import WakeScheduling

@Suite("What is fetched ahead")
struct PrefetchTests {
  /// A field that most runs touch, and that comes to lie behind others, would be missed without any other sign.
  @Test("has all that most runs of saves touch, and little more")
  func touchedBytes() {
    var core = SchedulerCore(policy: .iOS, symbols: Symbols())
    let start = unsafe withUnsafeMutablePointer(to: &core) { UInt(bitPattern: $0) }
    let last = unsafe withUnsafeMutablePointer(to: &core.coalescer.furtherObserved) {
      UInt(bitPattern: unsafe $0 + 1)
    }
    let first = unsafe withUnsafeMutablePointer(to: &core.coalescer) { UInt(bitPattern: $0) }
    #expect(first > start)
    let room = SchedulerCore.touchedBytes - Int(last - start)
    #expect((0..<64).contains(room), "\(room) bytes beyond what is touched")
    #expect(core.brokenInvariant() == nil)
  }
}
