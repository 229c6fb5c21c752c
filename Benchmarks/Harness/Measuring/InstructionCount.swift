import Foundation
import Measurement

/// Instructions under Callgrind, which simulates the processor: slow, but they repeat where times do not.
enum InstructionCount {
  /// Counts the instructions of an operation of each benchmark: of the second of two iterations.
  ///
  /// One process runs all of them. Addresses are not randomised, so that counts are the same each time.
  static func count(_ names: [String]) throws -> [String: BenchmarkCounter] {
    guard !names.isEmpty else { return [:] }
    guard let valgrind = program("valgrind") else {
      return unavailable(names, "there is no valgrind on the path")
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "rouse-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let process = Process()
    let arguments =
      [
        valgrind, "--tool=callgrind", "--toggle-collect=rouse_measured_region",
        "--dump-after=rouse_measured_region",
        "--callgrind-out-file=\(folder.path(percentEncoded: false))/counts",
        "--log-file=\(folder.path(percentEncoded: false))/log",
        try stripped(try ChildProcess.ownPath(), in: folder), "count",
      ] + names
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      (program("setarch").map { [$0, "-R"] } ?? []) + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      return unavailable(
        names, "valgrind ended with status \(process.terminationStatus): its counts are not whole")
    }

    var counts: [String: BenchmarkCounter] = [:]
    for (number, line) in String(decoding: output, as: UTF8.self).split(separator: "\n")
      .enumerated()
    {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let operations = Double(words[0]) else { continue }
      // Each benchmark enters the region twice, and each time a file is written.
      let dump = folder.appending(path: "counts.\(2 * number + 2)")
      let text = try String(contentsOf: dump, encoding: .utf8)
      guard let total = total(ofDump: text) else {
        throw BenchmarkFailure("valgrind's file tells no total of \(words[1])")
      }
      counts[String(words[1])] = BenchmarkCounter(.simulatedInstructions, total / operations)
    }
    return counts
  }

  /// A copy of a program without what debuggers need: there, older versions of Valgrind meet forms that
  /// they do not know, and give up. Names of functions stay.
  private static func stripped(_ path: String, in folder: URL) throws -> String {
    guard let strip = program("strip") else { return path }
    let copy = folder.appending(path: "rouse-bench").path(percentEncoded: false)
    let process = Process()
    process.executableURL = URL(filePath: strip)
    process.arguments = ["--strip-debug", "-o", copy, path]
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? copy : path
  }

  private static func unavailable(_ names: [String], _ reason: String) -> [String: BenchmarkCounter]
  {
    Dictionary(
      names.map { ($0, BenchmarkCounter(.simulatedInstructions, unavailable: reason)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The figure of the line `totals: 1234`, or `summary: 1234`.
  static func total(ofDump text: String) -> Double? {
    for line in text.split(separator: "\n") {
      for key in ["totals:", "summary:"] where line.hasPrefix(key) {
        let words = line.dropFirst(key.count).split(separator: " ")
        if let first = words.first { return Double(first) }
      }
    }
    return nil
  }

  /// Where a program stands on the path.
  static func program(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
