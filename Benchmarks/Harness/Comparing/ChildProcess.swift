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

  /// A sample as it was answered, of one operation.
  struct Sample {
    /// By the monotonic clock, which all processes share.
    var at: UInt64
    /// Of all of it.
    var nanoseconds: UInt64
    var wall: Double
    var processor: Double
  }

  /// Sends a line, to which ``answer(_:)`` will come.
  func send(_ line: String) throws {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw BenchmarkFailure("\(label): ended before it was asked") }
      bytes.removeFirst(count)
    }
  }

  /// Waits for the answer to a line, whose first word must be `expected`; returns the others.
  func answer(_ expected: String) throws -> [String] {
    let words = try readLine().split(separator: " ").map(String.init)
    switch words.first {
    case expected: return Array(words.dropFirst())
    case "absent": throw Absent(reason: words.dropFirst().joined(separator: " "))
    default:
      throw BenchmarkFailure("\(label): \(words.dropFirst().joined(separator: " "))")
    }
  }

  /// Sends a line and waits for the answer.
  func ask(_ line: String, _ expected: String) throws -> [String] {
    try send(line)
    return try answer(expected)
  }

  /// Waits for the samples of a play.
  func samples() throws -> [Sample] {
    let figures = try answer("played").compactMap(UInt64.init)
    guard let operations = figures.first, operations > 0, figures.count % 3 == 1 else {
      throw BenchmarkFailure("\(label): answers with what are no samples")
    }
    return stride(from: 1, to: figures.count, by: 3).map {
      Sample(
        at: figures[$0], nanoseconds: figures[$0 + 1],
        wall: Double(figures[$0 + 1]) / Double(operations),
        processor: Double(figures[$0 + 2]) / Double(operations))
    }
  }

  /// Ends it: at once, as it may wait for a turn that never comes, and by the one signal that whoever
  /// started us cannot have blocked.
  func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func readLine() throws -> String {
    while true {
      if let end = pending.firstIndex(of: 10) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeFirst(end + 1)
        return line
      }
      try readMore()
    }
  }

  private func readMore() throws {
    let descriptor = output.fileHandleForReading.fileDescriptor
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1_024) { buffer, count in
      count = unsafe max(read(descriptor, buffer.baseAddress, buffer.count), 0)
    }
    guard !bytes.isEmpty else { throw BenchmarkFailure("\(label): ended before it answered") }
    pending += bytes
  }

  /// Waits until each of some has answered; throws as soon as one has ended, for which the others might
  /// wait for ever.
  static func waitForAnswers(of children: [ChildProcess]) throws {
    while true {
      let waiting = children.filter { !$0.pending.contains(10) }
      guard !waiting.isEmpty else { return }
      var descriptors = waiting.map {
        pollfd(fd: $0.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      }
      guard unsafe poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
      for (child, descriptor) in zip(waiting, descriptors) where descriptor.revents != 0 {
        try child.readMore()
      }
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
