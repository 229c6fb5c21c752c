import Foundation
import Testing
import WakeTestSupport

@testable import WakeHosting

@Suite("Memory in which calls are noted")
struct CallWatchTests {
  private func watch() throws -> CallWatch {
    let scratch = try ScratchFolder()
    let file = URL(filePath: scratch.file("memory"))
    try Data(count: CallWatch.bytes).write(to: file)
    let handle = try FileHandle(forUpdating: file)
    defer { withExtendedLifetime(scratch) {} }
    return try #require(CallWatch(descriptor: handle.fileDescriptor))
  }

  @Test("has each call under way, with its device, as many as there are threads")
  func manyCalls() throws {
    let watch = try watch()
    let devices = (0..<1_050).map { watch.device(named: "device \($0)") }
    let slots = devices.enumerated().map { number, device in
      watch.enter(.take, first: number, last: number + 1, time: 5, on: device)
    }
    #expect(Set(slots).count == devices.count)
    let names = Set(watch.calls.map(\.call.device))
    #expect(names == Set((0..<1_050).map { "device \($0)" }))
    // Those of others stay when one returns.
    watch.leave(slots[7])
    let left = watch.calls.map(\.call)
    #expect(left.count == 1_049 && !left.contains { $0.device == "device 7" })
    #expect(left.allSatisfy { $0.device == "device \($0.first)" })
  }

  @Test("tells a call that goes on from one of the same device that begins")
  func repeated() throws {
    let watch = try watch()
    let device = watch.device(named: "")
    let slot = watch.enter(.input, first: 1, last: 1, time: 9, on: device)
    let call = watch.calls.map(\.call)
    #expect(watch.calls.map(\.call) == call)
    watch.leave(slot)
    #expect(watch.calls.isEmpty)
    _ = watch.enter(.input, first: 1, last: 1, time: 9, on: device)
    #expect(watch.calls.count == 1 && watch.calls.map(\.call) != call)
  }
}
