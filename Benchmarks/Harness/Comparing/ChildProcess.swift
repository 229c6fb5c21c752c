import BenchmarkModel
import Foundation
import Measurement

/// A process of a build that runs `serve`.
final class ChildProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var pending: [UInt8] = []
  /// The benchmark that it was last asked to set up.
  private var benchmark: String?
  /// Where a scheduler under test runs in it.
  private let supervision: Supervision?
  /// Whether the process was started and has to be ended.
  private var isEnded = true
  /// The name in messages.
  let label: String

  /// Starts a build.
  ///
  /// - Parameters:
  ///   - root: The root of its project, if it is not where it was built.
  ///   - temporary: The folder for its temporary files.
  ///   - scheduler: The scheduler under test that it measures; nil for Rouse's own.
  init(
    _ path: String, label: String, root: String?, temporary: String,
    scheduler: SchedulerChoice? = nil
  ) throws {
    self.label = label
    supervision = try scheduler.map { try Supervision($0, temporary: temporary) }
    process.executableURL = URL(filePath: path)
    process.arguments = ["serve"] + (supervision?.arguments ?? [])
    process.standardInput = input
    process.standardOutput = output
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = temporary
    if let root { environment["ROUSE_ROOT"] = root }
    process.environment = environment.merging(supervision?.environment ?? [:]) { $1 }
    do {
      try process.run()
    } catch {
      throw BenchmarkFailure("\(label): cannot be run")
    }
    isEnded = false
    Interrupts.add(child: process.processIdentifier)
    guard try greets() else {
      throw BenchmarkFailure("\(label): is not a rouse-bench with the same protocol")
    }
    if supervision != nil { try load() }
  }

  /// Loads the scheduler under test, whose own code may run then.
  private func load() throws {
    let deadline = MonotonicClock.now() + UInt64(Self.patience * 1e9)
    do {
      try send("load")
      while !pending.contains(10) {
        guard MonotonicClock.now() < deadline else {
          throw BenchmarkFailure("\(label): is not loaded within \(Int(Self.patience)) s")
        }
        if wait(milliseconds: Supervision.interval) { try readMore() }
      }
      _ = try answer("loaded")
    } catch let error as Unfit {
      throw BenchmarkFailure(error.reason)
    } catch let error as SchedulerEnded {
      throw BenchmarkFailure("\(error)")
    }
  }

  // Also if it was started and cannot be compared.
  deinit { end() }

  /// Seconds within which a build must greet: more than it needs on a busy machine.
  private static let patience = 30.0

  /// Seconds within which a build must answer, which may replay for minutes; `ROUSE_PATIENCE` changes it.
  private static let answerPatience: Double = {
    let text = ProcessInfo.processInfo.environment["ROUSE_PATIENCE"] ?? ""
    guard let seconds = Double(text), seconds > 0, seconds < 1e6 else { return 3_600 }
    return seconds
  }()

  /// Whether the first line is the greeting.
  private func greets() throws -> Bool {
    let greeting = Array((ServeCommand.greeting + "\n").utf8)
    let deadline = MonotonicClock.now() + UInt64(Self.patience * 1e9)
    while pending.count < greeting.count {
      let left = deadline - min(deadline, MonotonicClock.now())
      guard left > 0, greeting.starts(with: pending) else { return false }
      guard wait(milliseconds: Int32(left / 1_000_000) + 1) else { continue }
      guard (try? readMore()) != nil else { return false }
    }
    guard pending.starts(with: greeting) else { return false }
    pending.removeFirst(greeting.count)
    return true
  }

  /// One benchmark cannot be compared; others can.
  struct Unfit: Error, CustomStringConvertible {
    var reason: String
    /// Whether the benchmark exists and failed.
    var isFailure = false
    var description: String { reason }
  }

  /// The work of an iteration of a benchmark; nil where an older build does not report it.
  struct Work {
    var unit: String
    var digest: String?
    var operations: String?
    /// The wakes of an iteration, where a scheduler under test is measured.
    var wakes: String?
  }

  /// A sample of the answer.
  struct Sample {
    /// When it began, by the monotonic clock, which all processes share.
    var at: UInt64
    /// Of all operations together.
    var nanoseconds: UInt64
    var wall: Double
    var processor: Double
  }

  /// Sends a request; ``answer(_:)`` waits for its answer.
  func send(_ line: String) throws {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(input.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw end(orElse: "ended before a request") }
      bytes.removeFirst(count)
    }
  }

  /// Waits for the answer to a request, whose first word must be `expected`; returns the other words.
  func answer(_ expected: String) throws -> [String] {
    let words = try readLine().split(separator: " ").map(String.init)
    switch words.first {
    case expected: return Array(words.dropFirst())
    case "absent": throw Unfit(reason: words.dropFirst().joined(separator: " "))
    case "failed":
      // Messages about a scheduler begin with its path.
      var message = words.dropFirst().joined(separator: " ")
      while message.hasPrefix("\(label): ") { message.removeFirst(label.count + 2) }
      throw Unfit(reason: "\(label): \(message)", isFailure: true)
    default:
      throw BenchmarkFailure(
        "\(label): answers '\(words.joined(separator: " "))' where '\(expected)' is due")
    }
  }

  /// Sends a request and waits for its answer.
  func ask(_ line: String, _ expected: String) throws -> [String] {
    try send(line)
    return try answer(expected)
  }

  /// Sets up a benchmark in it.
  func prepare(_ name: String) throws -> Work {
    benchmark = name
    let words = try ask("prepare \(name)", "ready")
    return Work(
      unit: words.first ?? "operation", digest: words.count > 1 ? words[1] : nil,
      operations: words.count > 2 ? words[2] : nil, wakes: words.count > 3 ? words[3] : nil)
  }

  /// Waits for the answer to `play`.
  func samples() throws -> [Sample] {
    let figures = try answer("played").compactMap(UInt64.init)
    guard let operations = figures.first, operations > 0, figures.count % 3 == 1 else {
      throw BenchmarkFailure("\(label): the answer to play is not a list of samples")
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
    try Self.waitForAnswers(of: [self])
    let end = pending.firstIndex(of: 10) ?? pending.endIndex
    let line = String(decoding: pending[..<end], as: UTF8.self)
    pending.removeFirst(end + 1)
    return line
  }

  /// Waits until there is something to read; false if there is nothing.
  private func wait(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, milliseconds) > 0
  }

  /// Throws if a call of a scheduler under test has taken too long.
  private func objectToCalls() throws {
    guard let objection = supervision?.objection() else { return }
    end()
    throw SchedulerEnded(description: "\(label): \(objection)")
  }

  /// The error for a process that has ended.
  private func end(orElse message: String) -> any Error {
    guard let supervision else { return BenchmarkFailure("\(label): \(message)") }
    if !isEnded {
      // It has closed its output, and so will end in a moment.
      let deadline = MonotonicClock.now() + 2_000_000_000
      while process.isRunning, MonotonicClock.now() < deadline { usleep(1_000) }
    }
    let isRunning = process.isRunning
    end()
    return SchedulerEnded(
      description: isRunning
        ? "\(label): its process has closed its output"
        : "\(label): \(supervision.story(of: process))")
  }

  private func readMore() throws {
    let descriptor = output.fileHandleForReading.fileDescriptor
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 * 1_024) { buffer, count in
      count = unsafe max(read(descriptor, buffer.baseAddress, buffer.count), 0)
    }
    guard !bytes.isEmpty else { throw end(orElse: "ended before it answered") }
    pending += bytes
  }

  /// Waits until all of some processes have answered; throws as soon as one has ended, since the others might wait for it
  /// for ever, or if an answer takes too long.
  static func waitForAnswers(of children: [ChildProcess]) throws {
    let deadline = MonotonicClock.now() + UInt64(answerPatience * 1e9)
    while true {
      let waiting = children.filter { !$0.pending.contains(10) }
      guard !waiting.isEmpty else { return }
      // What a scheduler under test may take is told by the calls that its process notes.
      let isWatched = waiting.contains { $0.supervision != nil }
      let left = deadline - min(deadline, MonotonicClock.now())
      guard isWatched || left > 0 else {
        let names = waiting.map(\.label).joined(separator: " and ")
        let benchmark = waiting[0].benchmark.map { ", asked about \($0)" } ?? ""
        throw BenchmarkFailure("\(names): no answer for \(answerPatience) s\(benchmark)")
      }
      var descriptors = waiting.map {
        pollfd(fd: $0.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      }
      let timeout =
        isWatched ? Supervision.interval : Int32(clamping: left / 1_000_000 + 1)
      guard unsafe poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else {
        for child in waiting { try child.objectToCalls() }
        continue
      }
      for (child, descriptor) in zip(waiting, descriptors) where descriptor.revents != 0 {
        try child.readMore()
      }
    }
  }

  /// The path of this program.
  static func ownPath() throws -> String {
    do {
      return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    } catch {
      throw BenchmarkFailure("the path of this program is unknown")
    }
  }
}
