import Foundation
import Measurement

/// A build that runs `serve` and does as it is told.
final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending: [UInt8] = []
  /// What messages call it.
  private let label: String

  /// Starts a build.
  init(_ path: String, label: String, root: String?) throws {
    self.label = label
    process.executableURL = URL(filePath: path)
    process.arguments = ["serve"]
    process.standardInput = input
    process.standardOutput = output
    if let root {
      var environment = ProcessInfo.processInfo.environment
      environment["ROUSE_ROOT"] = root
      process.environment = environment
    }
    do {
      try process.run()
    } catch {
      throw BenchmarkFailure("\(label): cannot be run")
    }
    let greeting = try readLine()
    guard greeting == ServeCommand.greeting else {
      throw BenchmarkFailure("\(label): is no rouse-bench that this one can compare")
    }
  }

  /// What was asked for is not there.
  struct Absent: Error {
    var reason: String
  }

  /// Asks and waits for the answer, whose first word must be `expected`; returns the others.
  func ask(_ line: String, _ expected: String) throws -> [String] {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    let words = try readLine().split(separator: " ").map(String.init)
    switch words.first {
    case expected: return Array(words.dropFirst())
    case "absent": throw Absent(reason: words.dropFirst().joined(separator: " "))
    default:
      throw BenchmarkFailure("\(label): \(words.dropFirst().joined(separator: " "))")
    }
  }

  /// Takes a sample of what is prepared; the times of one operation.
  func sample(_ iterations: Int) throws -> (wall: Double, processor: Double) {
    let words = try ask("sample \(iterations)", "sample").compactMap(Double.init)
    guard words.count == 3, words[0] > 0 else {
      throw BenchmarkFailure("\(label): answers with what is no sample")
    }
    return (words[1] / words[0], words[2] / words[0])
  }

  /// Ends it.
  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func readLine() throws -> String {
    while true {
      if let end = pending.firstIndex(of: 10) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        return line
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw BenchmarkFailure("\(label): ended before it answered") }
      pending += data
    }
  }

  /// The path of this very program.
  static func ownPath() throws -> String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      throw BenchmarkFailure("this program cannot find itself")
    }
  }
}
