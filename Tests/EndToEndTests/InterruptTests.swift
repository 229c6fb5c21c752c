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
    let deadline = Date(timeIntervalSinceNow: 60)
    func process() -> Int32? {
      let text = (try? shop.read("process")).map { String(decoding: $0, as: UTF8.self) }
      return text.flatMap { $0.hasSuffix("\n") ? Int32($0.dropLast()) : nil }
    }
    // The program ends 2 s before the command, which has the time to take that for the program's failure.
    try expectLateEnd(
      ["replay", "in.wtrace", "--scheduler", "exec:sh scheduler.sh", "--timeout", "50"], in: shop
    ) { command in
      while process() == nil, Date() < deadline { usleep(1_000) }
      command.signal(SIGINT)
    }
    let started = try #require(process(), "the program has not started")
    // It is not waited for by then.
    while kill(started, 0) == 0, Date() < deadline { usleep(1_000) }
    #expect(kill(started, 0) < 0, "process \(started) is left")
  }

  @Test(
    "end a scheduler in a process of its own, which a terminal interrupts too",
    .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
  func schedulerLibrary() throws {
    let shop = try Workshop()
    // It sleeps for ever in the call that gives it the sixth save.
    try shop.importing(Workshop.saves(20), as: "in")
    try SchedulerPrograms.compile("hostile.c", ["HOSTILE=3"], to: shop.path + "/hostile.so")
    let deadline = Date(timeIntervalSinceNow: 60)
    try expectLateEnd(
      ["replay", "in.wtrace", "--scheduler", "./hostile.so", "--timeout", "50"], in: shop
    ) { command in
      while command.children.isEmpty, Date() < deadline { usleep(1_000) }
      command.signalGroup(SIGINT)
    }
  }

  @Test("leave no file that has a name, where no file can be without one")
  func namedFile() throws {
    let shop = try Workshop()
    #expect(try shop.shell("mkfifo lines").status == .exited(0))
    let deadline = Date(timeIntervalSinceNow: 60)
    try expectLateEnd(
      ["import", "jsonl", "lines", "-o", "out.wtrace"], in: shop,
      faults: "nameless:1+:\(EOPNOTSUPP),"
    ) { command in
      let lines = URL(filePath: shop.path + "/lines")
      guard let writer = try? FileHandle(forWritingTo: lines) else { return }
      try? writer.write(contentsOf: Data(Workshop.saves(1_000).utf8))
      while shop.files == ["lines"], Date() < deadline { usleep(1_000) }
      #expect(shop.files.count == 2, "\(shop.files)")
      command.signal(SIGINT)
      while shop.files != ["lines"], Date() < deadline { usleep(1_000) }
      // The import finishes, and finds its file gone.
      try? writer.close()
    }
    #expect(shop.files == ["lines"])
  }

  /// Runs the command, whose own end comes 2 s after that of what it interrupts, and expects that it tells nothing meanwhile.
  ///
  /// - Parameter interrupt: Sends the signal, SIGINT.
  private func expectLateEnd(
    _ arguments: [String], in shop: Workshop, faults: String = "",
    interrupt: (RunningCommand) -> Void
  ) throws {
    var interrupted = ContinuousClock.now
    let result = try FaultShim.run(
      "rouse", arguments, in: shop, faults: faults + "raise:1:late"
    ) { command in
      interrupt(command)
      interrupted = .now
    }
    #expect(result.status == .signalled(SIGINT), "\(result.errors)")
    #expect(result.errors == "")
    #expect(interrupted.duration(to: .now) > .seconds(1), "the signal was not raised late")
  }
}
