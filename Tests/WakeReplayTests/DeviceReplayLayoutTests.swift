import Testing

@testable import WakeReplay

@Suite("The memory of a device's replay")
struct DeviceReplayLayoutTests {
  /// ``DeviceReplay/bytesBeforeScheduler`` says where the processor finds what it is asked to fetch.
  @Test("has the scheduler where a prefetch looks for it")
  func scheduler() {
    let shared = ReplayShared(options: ReplayOptions())
    let replay = DeviceReplay(place: 0, hash: 0, shared: shared)
    let object = UInt(bitPattern: unsafe Unmanaged.passUnretained(replay).toOpaque())
    let scheduler = unsafe withUnsafeMutablePointer(to: &replay.scheduler) {
      UInt(bitPattern: $0)
    }
    #expect(scheduler - object == UInt(DeviceReplay.bytesBeforeScheduler))
  }
}
