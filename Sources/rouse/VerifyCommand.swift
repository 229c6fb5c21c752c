import CommandLineSupport
import Measurement
import WakeEvents
import WakeJSON
import WakeTrace

enum VerifyCommand: Command {
  static let specification = Specification(
    name: "verify",
    summary: "Check the integrity of traces: checksums, columns, headers, sequence numbers.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: """
      Prints each problem with its file and offset. The exit status is 1 if there is a problem.
      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [.init("--json", "Print a JSON array with an object for each trace.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var status = ExitStatus.success
    var verifications: [TraceVerification] = []
    for path in try arguments.paths().all {
      defer { Console.tellLeftRings(of: path) }
      let verification: TraceVerification
      do {
        verification = TraceVerification(of: try TraceFile(path: path))
      } catch let error {
        // The other traces are still checked.
        Console.message("\(error)")
        status = .failure
        continue
      }
      if !verification.isWhole { status = .failure }
      if arguments.has("--json") {
        verifications.append(verification)
      } else {
        try Console.print(text(verification))
      }
    }
    if arguments.has("--json") {
      try Console.print(Console.json(verifications) { $1.write(to: &$0) })
    }
    return status
  }

  private static func text(_ verification: TraceVerification) -> String {
    var text = verification.problems.map { "\($0)\n" }.joined()
    if verification.problemCount > verification.problems.count {
      text += "and \(verification.problemCount - verification.problems.count) more problems\n"
    }
    let verdict =
      verification.isWhole ? "whole" : Quantity.counted(verification.problemCount, "problem")
    return text + """
      \(verification.file.shown): \(verdict); \(Quantity.counted(verification.blocks, "block")), \
      \(Quantity.counted(verification.events, "event")), \
      \(Quantity.bytes(verification.bytes)), \(Quantity.counted(verification.streams, "stream")), \
      \(verification.lostEvents) events lost in recording\n
      """
  }
}

// Keys are sorted.
extension TraceVerification {
  fileprivate func write(to json: inout JSONWriter) {
    json.member("blocks", blocks)
    json.member("bytes", bytes)
    json.member("events", events)
    json.member("faultyBlocks", faultyBlocks)
    json.member("file", file)
    json.member("isWhole", isWhole)
    json.member("lostEvents", lostEvents)
    json.member("problemCount", problemCount)
    json.member("problems", problems) { json, problem in
      json.object {
        $0.member("code", "\(problem.code)")
        $0.member("message", problem.message)
        $0.memberIfPresent("offset", problem.offset)
      }
    }
    json.member("strayBytes", strayBytes)
    json.member("streams", streams)
  }
}
