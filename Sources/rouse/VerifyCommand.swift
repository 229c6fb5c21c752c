import CommandLineSupport
import FoundationEssentials
import Measurement
import WakeTrace

/// `rouse verify`
enum VerifyCommand: Command {
  static let name = "verify"
  static let specification = Specification(
    name: name,
    summary: "Check that traces are whole: checksums, columns, headers and sequences.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: "Prints every problem with its place; the exit status is 1 if there is any.",
    options: [.init("--json", "Print JSON: an array of an object for each trace.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var status = ExitStatus.success
    var records: [Record] = []
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
      if arguments.has("--json") {
        records.append(record(verification))
      } else {
        try Console.print(text(verification))
      }
    }
    if arguments.has("--json") { try Console.print(try json(records)) }
    return status
  }

  private static func text(_ verification: TraceVerification) -> String {
    var text = verification.problems.map { "\($0)\n" }.joined()
    if verification.problemCount > verification.problems.count {
      text += "and \(verification.problemCount - verification.problems.count) more problems\n"
    }
    let verdict =
      verification.isWhole ? "whole" : Console.counted(verification.problemCount, "problem")
    return text + """
      \(verification.file): \(verdict); \(Console.counted(verification.blocks, "block")), \
      \(Console.counted(verification.events, "event")), \
      \(Quantity.bytes(verification.bytes)), \(Console.counted(verification.streams, "stream")), \
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

  private static func record(_ verification: TraceVerification) -> Record {
    Record(
      file: verification.file, isWhole: verification.isWhole, bytes: verification.bytes,
      strayBytes: verification.strayBytes, blocks: verification.blocks,
      faultyBlocks: verification.faultyBlocks, events: verification.events,
      streams: verification.streams, lostEvents: verification.lostEvents,
      problemCount: verification.problemCount,
      problems: verification.problems.map {
        .init(code: "\($0.code)", offset: $0.offset, message: $0.message)
      })
  }

  private static func json(_ records: [Record]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(records), as: UTF8.self) + "\n"
  }
}
