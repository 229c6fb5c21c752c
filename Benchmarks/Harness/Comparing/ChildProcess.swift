import BenchmarkModel
import Foundation
import Measurement

/// A build that runs `serve` and does as it is told.
final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending: [UInt8] = []
  /// A process that has not been started has nothing to be ended.
  private var isEnded = true
  /// What messages call it.
  let label: String

  /// Starts a build.
  ///
  /// - Parameters:
  ///   - root: Where its project stands, if not where it was built.
  ///   - temporary: The folder for what it needs for a while.
  init(_ path: String, label: String, root: String?, temporary: String) throws {
    self.label = label
    process.executableURL = URL(filePath: path)
    process.arguments = ["serve"]
    process.standardInput = input
    process.standardOutput = output
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = temporary
    if let root { environment["ROUSE_ROOT"] = root }
    process.environment = environment
    do {
      try process.run()
    } catch {
      throw BenchmarkFailure("\(label): cannot be run")
    }
    isEnded = false
    Interrupts.add(child: process.processIdentifier)
    guard try greets() else {
      throw BenchmarkFailure("\(label): is no rouse-bench that this one can compare")
    }
  }

  // Also where it was started and is no build that can be compared.
  deinit { end() }

  /// Seconds within which a build greets: more than any needs on a busy machine.
  private static let patience = 30.0

  /// Whether it greets as a build does.
  private func greets() throws -> Bool {
    let greeting = Array((ServeCommand.greeting + "\n").utf8)
    let deadline = MonotonicClock.now() + UInt64(Self.patience * 1e9)
    while pending.count < greeting.count {
      let left = deadline - min(deadline, MonotonicClock.now())
      var descriptor = pollfd(
        fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, greeting.starts(with: pending) else { return false }
      guard unsafe poll(&descriptor, 1, Int32(left / 1_000_000) + 1) > 0 else { continue }
      guard (try? readMore()) != nil else { return false }
    }
    guard pending.starts(with: greeting) else { return false }
    pending.removeFirst(greeting.count)
    return true
  }

  /// A benchmark cannot be compared, and others can.
  struct Unfit: Error, CustomStringConvertible {
    var reason: String
    /// Whether it is there, and went wrong.
    var isFailure = false
    var description: String { reason }
  }

  /// What a build does in an iteration of a benchmark; nil is what an older one does not tell.
  struct Work {
    var unit: String
    var digest: String?
    var operations: String?
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
    case "absent": throw Unfit(reason: words.dropFirst().joined(separator: " "))
    case "failed":
      throw Unfit(
        reason: "\(label): \(words.dropFirst().joined(separator: " "))", isFailure: true)
    default:
      throw BenchmarkFailure("\(label): \(words.dropFirst().joined(separator: " "))")
    }
  }

  /// Sends a line and waits for the answer.
  func ask(_ line: String, _ expected: String) throws -> [String] {
    try send(line)
    return try answer(expected)
  }

  /// Has it set up a benchmark.
  func prepare(_ name: String) throws -> Work {
    let words = try ask("prepare \(name)", "ready")
    return Work(
      unit: words.first ?? "operation", digest: words.count > 1 ? words[1] : nil,
      operations: words.count > 2 ? words[2] : nil)
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

  /// Ends it; see ``Interrupts/end(_:)``.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    Interrupts.end(process.processIdentifier)
    process.waitUntilExit()
    Interrupts.remove(child: process.processIdentifier)
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
