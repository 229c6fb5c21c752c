import BenchmarkModel
import Foundation

/// Counts instructions under Callgrind, which simulates the processor: slow, but repeatable, unlike times.
enum InstructionCount {
  /// Counts the instructions of an operation of each benchmark, in the second of two iterations.
  ///
  /// One process runs all of them. Address randomisation is off where that is permitted, so that counts are equal each
  /// time; otherwise they differ slightly.
  static func count(_ names: [String]) throws -> [String: BenchmarkCounter] {
    guard !names.isEmpty else { return [:] }
    guard let valgrind = OtherProgram.path(of: "valgrind") else {
      return unavailable(names, "valgrind is not installed")
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let arguments =
      [
        valgrind, "--tool=callgrind", "--toggle-collect=rouse_measured_region",
        "--dump-after=rouse_measured_region", "--callgrind-out-file=\(folder.path("counts"))",
        "--log-file=\(folder.path("log"))", try stripped(try ChildProcess.ownPath(), in: folder),
        "count",
      ] + (Suites.scheduler?.arguments() ?? []) + names
    let outcome = try OtherProgram.run(
      steadyAddresses() + arguments, environment: ["TMPDIR": folder.path])
    guard outcome.status == 0 else {
      return unavailable(
        names, "valgrind ended with status \(outcome.status): its counts are incomplete")
    }

    var operations: [String: Double] = [:]
    for line in outcome.output.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2 { operations[String(words[1])] = Double(words[0]) }
    }
    var counts: [String: BenchmarkCounter] = [:]
    for (number, name) in names.enumerated() {
      guard let operations = operations[name] else { continue }
      // Each benchmark enters the region twice, and valgrind writes a file each time.
      let dump = folder.path("counts.\(2 * number + 2)")
      let text = try? String(contentsOfFile: dump, encoding: .utf8)
      counts[name] =
        text.flatMap(total).map { BenchmarkCounter(.simulatedInstructions, $0 / operations) }
        ?? BenchmarkCounter(.simulatedInstructions, unavailable: "valgrind's file has no total")
    }
    return counts
  }

  /// The command that runs a program without address randomisation; empty where that is not permitted, as in containers.
  private static func steadyAddresses() throws -> [String] {
    guard let setarch = OtherProgram.path(of: "setarch") else { return [] }
    let trial = try OtherProgram.run([setarch, "-R", "true"], takesErrors: true)
    return trial.status == 0 ? [setarch, "-R"] : []
  }

  /// A copy of a program without debug information, whose newer forms older versions of Valgrind cannot read. The names
  /// of functions are kept.
  private static func stripped(_ path: String, in folder: TemporaryFolder) throws -> String {
    guard let strip = OtherProgram.path(of: "strip") else { return path }
    let copy = folder.path("rouse-bench")
    let outcome = try OtherProgram.run([strip, "--strip-debug", "-o", copy, path])
    return outcome.status == 0 ? copy : path
  }

  private static func unavailable(_ names: [String], _ reason: String) -> [String: BenchmarkCounter]
  {
    Dictionary(
      names.map { ($0, BenchmarkCounter(.simulatedInstructions, unavailable: reason)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number in the line `totals: 1234` or `summary: 1234`.
  static func total(ofDump text: String) -> Double? {
    for line in text.split(separator: "\n") {
      for key in ["totals:", "summary:"] where line.hasPrefix(key) {
        let words = line.dropFirst(key.count).split(separator: " ")
        if let first = words.first { return Double(first) }
      }
    }
    return nil
  }
}
