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
    let deadline = Date(timeIntervalSinceNow: 30)
    // The output has no name yet.
    func hasOutput() -> Bool {
      command.openFiles.contains { $0.hasPrefix("\(shop.path)/#") && $0.hasSuffix(" (deleted)") }
    }
    while !hasOutput(), Date() < deadline { usleep(1_000) }
    #expect(hasOutput() && shop.files == ["lines"], "\(command.openFiles)")
    command.signal(number)
    let result = try command.wait()
    #expect(result.status == .signalled(number))
    #expect(result.errors == "")
    #expect(shop.files == ["lines"])
    try writer.close()
  }

  @Test("end the program of a scheduler with the command")
  func schedulerProgram() throws {
    let shop = try Workshop()
    try shop.importing(Workshop.saves(3), as: "in")
    try shop.write("echo $$ > process\nexec sleep 60\n", to: "scheduler.sh")
    let command = try RouseCommand.start(
      ["replay", "in.wtrace", "--scheduler", "exec:sh scheduler.sh", "--timeout", "50"],
      folder: shop.path)
    let deadline = Date(timeIntervalSinceNow: 20)
    func process() -> Int32? {
      let text = (try? shop.read("process")).map { String(decoding: $0, as: UTF8.self) }
      return text.flatMap { $0.hasSuffix("\n") ? Int32($0.dropLast()) : nil }
    }
    while process() == nil, Date() < deadline { usleep(1_000) }
    let started = try #require(process(), "the program has not started")
    command.signal(SIGINT)
    #expect(try command.wait().status == .signalled(SIGINT))
    // It is not waited for by then.
    while kill(started, 0) == 0, Date() < deadline { usleep(1_000) }
    #expect(kill(started, 0) < 0, "process \(started) is left")
  }
}
