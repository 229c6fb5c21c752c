import Foundation
import Testing

@Suite("What runs the command for the tests")
struct RunningCommandTests {
  @Test("ends a program that takes too long, with what it has started")
  func tooLong() throws {
    let shop = try Workshop()
    let command = try RouseCommand.start(
      ["-c", "sleep 1000 & : > started; wait"], program: "/bin/sh", folder: shop.path)
    let deadline = Date(timeIntervalSinceNow: 60)
    while !shop.files.contains("started"), Date() < deadline { usleep(1_000) }
    #expect(try command.wait(seconds: 0.1).status == .timedOut)
    #expect(!command.isRunning)
  }
}
