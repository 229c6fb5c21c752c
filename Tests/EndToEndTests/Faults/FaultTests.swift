import Foundation
import Testing
import WakeTestSupport
import WakeTrace

/// Every system call of the programs that write fails in turn.
///
/// `ROUSE_FAULTS=all` tries every error that each call can give. The usual run tries one at every eighth place, others
/// each time; `ROUSE_FAULTS=NUMBER` repeats the run that told the number.
@Suite("A fault in each call")
struct FaultTests {
  private static let asked = ProcessInfo.processInfo.environment["ROUSE_FAULTS"]
  static let isWhole = asked == "all"
  /// Which places and errors the usual run tries.
  private static let run = asked.flatMap { Int($0) } ?? Int.random(in: 0..<10_000)

  @Test(
    "is told, loses nothing in silence and leaves nothing behind", arguments: FaultScenario.all)
  func everyCall(scenario: FaultScenario) throws {
    // At first, so that a run that does not end can be repeated, too.
    if !Self.isWhole { print("\(scenario.name): ROUSE_FAULTS=\(Self.run)") }
    fflush(nil)
    let shop = try Workshop()
    try scenario.prepare(shop)
    let found = try contents(shop)
    try scenario.plant(shop)
    let counts = try ScratchFolder()
    let usual = try FaultShim.run(
      scenario.program, scenario.arguments, in: shop, faults: scenario.always,
      counts: counts.file("counts"), meanwhile: { scenario.meanwhile(shop, $0) })
    try #require(usual.status == .exited(0), "\(scenario.name): \(usual.errors)")
    let template = FaultScenario.Template(found: found, made: try contents(shop))
    let objections = try scenario.objections(shop, usual, template)
    try #require(
      objections == [], "\(scenario.name), without a fault: \(usual.errors)\(usual.output)")

    let calls = try String(contentsOfFile: counts.file("counts"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
    let truncations = try #require(calls.first { $0[0] == "ftruncate" }.flatMap { Int($0[1]) })
    var (tried, place) = (0, 0)
    for (call, count) in calls.map({ (String($0[0]), Int($0[1]) ?? 0) }) {
      let errors = try #require(FaultShim.errors[call], "no errors of \(call)")
      for number in 0..<count {
        place += 1
        guard Self.isWhole || (place + Self.run) % 8 == 0 else { continue }
        var faults = (Self.isWhole ? errors : [errors[(number + Self.run / 8) % errors.count]])
          .map { "\(call):\(number + 1):\($0)" }
        if call == "write" {
          // A torn block that cannot be cut off, at first or ever.
          let torn = "write:\(number + 1):short,write:\(number + 2):\(ENOSPC)"
          faults += ["", "+"].map { "\(torn),ftruncate:\(truncations + 1)\($0):\(EIO)" }
        }
        for fault in faults { try check(scenario, template, fault: fault) }
        tried += faults.count
      }
    }
    print("\(scenario.name): \(tried) faults")
  }

  private func check(
    _ scenario: FaultScenario, _ template: FaultScenario.Template, fault: String
  ) throws {
    let shop = try Workshop()
    for (name, bytes) in template.found { try shop.write(bytes, to: name) }
    try scenario.plant(shop)
    let faults = scenario.always.isEmpty ? fault : "\(scenario.always),\(fault)"
    let result = try FaultShim.run(
      scenario.program, scenario.arguments, in: shop, faults: faults,
      meanwhile: { scenario.meanwhile(shop, $0) })
    let what: Comment =
      "\(scenario.name), \(fault) (ROUSE_FAULTS=\(Self.run)): \(result.errors)\(result.output)"
    #expect(result.status == .exited(0) || result.status == .exited(1), what)
    if result.status == .exited(1) { #expect(result.errors.hasPrefix("rouse: "), what) }
    // What cannot be removed is removed by the next run.
    if fault.hasPrefix("unlink"), !FaultScenario.leftovers(shop).isEmpty {
      _ = try FaultShim.run(
        scenario.program, scenario.arguments, in: shop,
        meanwhile: { scenario.meanwhile(shop, $0) })
    }
    #expect(try scenario.objections(shop, result, template) == [], what)
  }

  @Test("in a pipe: a block half written ends it, and what is not in it stays in the ring")
  func pipe() throws {
    for place in 1...3 {
      let shop = try Workshop()
      let reader = try RouseCommand.start(
        ["-c", "mkfifo out && cat out > got"], program: "/bin/sh", folder: shop.path)
      // The recorder opens the pipe without waiting, so there must be a reader. This fails until then.
      let deadline = Date(timeIntervalSinceNow: 60)
      var writer: Int32 = -1
      repeat {
        usleep(1_000)
        writer = unsafe open(shop.path + "/out", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      } while writer < 0 && Date() < deadline
      try #require(writer >= 0, "the pipe gets no reader: \(reader.errorsSoFar)")
      let fault = "write:\(place):short,write:\(place + 1):\(EPIPE)"
      let run = Result {
        try FaultShim.run("RecordingVictim", ["durable", "out", "."], in: shop, faults: fault)
      }
      // Until now the reader does not meet the end of the pipe.
      close(writer)
      _ = try reader.wait()
      let result = try run.get()
      let what: Comment = "\(fault): \(result.output)"
      #expect(result.output.contains("close: ") && result.output.contains("torn block"), what)
      let lost = result.output.firstMatch(of: #/lost (\d+)/#).flatMap { Int($0.1) } ?? 0
      let got = TraceVerification(of: try TraceFile(path: shop.path + "/got"))
      let ring = try #require(shop.files.first { $0.hasSuffix(".ring") }, what)
      let recovered = try shop.rouse("recover", ring, "--only-rest", "-o", "rest")
      let rest = TraceVerification(of: try TraceFile(path: shop.path + "/rest"))
      #expect(
        got.events == (place - 1) * 250 && got.events + rest.events + lost == 2_500,
        "\(fault): \(got.events) and \(rest.events) events, \(lost) lost: \(recovered.errors)")
    }
  }

  /// The files of a shop, but for sockets and what is in folders.
  private func contents(_ shop: Workshop) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in shop.files { contents[name] = try? shop.read(name) }
    return contents
  }
}
