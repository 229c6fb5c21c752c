import FoundationEssentials
import Measurement
import WakeTrace

/// `rouse verify`
enum VerifyCommand: Command {
  static let specification = Specification(
    name: "verify",
    summary: "Check that traces are whole: checksums, columns, headers and sequences.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: "Prints every problem with its place; the exit status is 1 if there is any.",
    options: [.init("--json", "Print JSON, an object for each trace.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var status = ExitStatus.success
    for path in arguments.operands {
      let verification: TraceVerification
      do {
        verification = TraceVerification(of: try TraceFile(path: path))
      } catch let error {
        // The other traces are still looked at.
        Console.message("\(error)")
        status = .failure
        continue
      }
      if !verification.isWhole { status = .failure }
      try Console.print(arguments.has("--json") ? try json(verification) : text(verification))
    }
    return status
  }

  private static func text(_ verification: TraceVerification) -> String {
    var text = verification.problems.map { "\($0)\n" }.joined()
    if verification.problemCount > verification.problems.count {
      text += "and \(verification.problemCount - verification.problems.count) more problems\n"
    }
    let verdict =
      verification.isWhole ? "whole" : "\(verification.problemCount) problem(s)"
    return text + """
      \(verification.file): \(verdict); \(verification.blocks) blocks, \(verification.events) events, \
      \(Quantity.bytes(verification.bytes)), \(verification.streams) stream(s), \
      \(verification.lostEvents) events lost in recording\n
      """
  }

  private struct Record: Encodable {
    struct Problem: Encodable {
      var code: String
      var offset: Int64?
      var message: String
    }

    var file: String
    var isWhole: Bool
    var bytes: Int64
    var strayBytes: Int64
    var blocks: Int
    var faultyBlocks: Int
    var events: Int
    var streams: Int
    var lostEvents: UInt64
    var problemCount: Int
    var problems: [Problem]
  }

  private static func json(_ verification: TraceVerification) throws -> String {
    let record = Record(
      file: verification.file, isWhole: verification.isWhole, bytes: verification.bytes,
      strayBytes: verification.strayBytes, blocks: verification.blocks,
      faultyBlocks: verification.faultyBlocks, events: verification.events,
      streams: verification.streams, lostEvents: verification.lostEvents,
      problemCount: verification.problemCount,
      problems: verification.problems.map {
        .init(code: "\($0.code)", offset: $0.offset, message: $0.message)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self) + "\n"
  }
}
