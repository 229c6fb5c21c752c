import Foundation
import Testing
import WakeTestSupport

@Suite("Interrupts")
struct InterruptTests {
  @Test(
    "leave no half-written file, and end the command by their signal",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupt(number: Int32) throws {
    let shop = try Workshop()
    #expect(try shop.shell("mkfifo lines").status == .exited(0))
    let command = try RouseCommand.start(
      ["import", "jsonl", "lines", "-o", "out.wtrace"], folder: shop.path)
    // Opening waits for the command, which then reads on until the writer closes, and it does not.
    let writer = try FileHandle(forWritingTo: URL(filePath: shop.path + "/lines"))
    try writer.write(contentsOf: Data(Workshop.saves(1_000).utf8))
    let deadline = Date(timeIntervalSinceNow: 10)
    // The output has no name yet.
    func hasOutput() -> Bool {
      command.openFiles.contains { $0.hasPrefix("\(shop.path)/#") && $0.hasSuffix(" (deleted)") }
    }
    while !hasOutput(), Date() < deadline { usleep(1_000) }
    #expect(hasOutput() && shop.files == ["lines"], "\(command.openFiles)")
    command.signal(number)
    let result = try command.wait(seconds: 20)
    #expect(result.status == .signalled(number))
    #expect(result.errors == "")
    #expect(shop.files == ["lines"])
    try writer.close()
  }
}
