import Foundation
import Testing
import WakeTestSupport

/// The real command `rouse`, as built beside the tests, run as a user runs it.
enum RouseCommand {
  /// How a process ended.
  enum Status: Equatable {
    case exited(Int32)
    case signalled(Int32)
    /// It did not end in time, and was killed.
    case timedOut
  }

  /// What came of a run.
  struct Result {
    var status: Status
    var outputBytes: [UInt8]
    var errors: String

    /// Standard output as text.
    var output: String { String(decoding: outputBytes, as: UTF8.self) }

    /// Standard output as JSON.
    func json(_ place: SourceLocation = #_sourceLocation) throws -> JSONValue {
      try #require(
        try? JSONValue.parsing(output), "no JSON: \(output) \(errors)", sourceLocation: place)
    }
  }

  /// Seconds that a run may take; far more than any does, as the machine may be busy.
  static let patience = 300.0

  /// The path of the command.
  static let path: String = {
    // On Linux the program that runs the tests stands where products are put.
    let runner = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return runner.deletingLastPathComponent().appending(path: "rouse").path()
  }()

  /// Runs the command to its end.
  ///
  /// - Parameters:
  ///   - input: What its standard input holds.
  ///   - folder: Where it runs.
  ///   - environment: Variables to set beside those of the tests.
  static func run(
    _ arguments: [String], stdin input: [UInt8] = [], folder: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    try start(arguments, stdin: input, folder: folder, environment: environment).wait()
  }

  /// Runs a line of the shell to its end; `$ROUSE` is the command.
  static func shell(
    _ line: String, stdin input: [UInt8] = [], folder: String? = nil
  ) throws -> Result {
    try start(
      ["-c", line], program: "/bin/sh", stdin: input, folder: folder, environment: ["ROUSE": path]
    ).wait()
  }

  /// Starts a program, the command unless said otherwise.
  static func start(
    _ arguments: [String], program: String = path, stdin input: [UInt8] = [],
    folder: String? = nil, environment: [String: String] = [:]
  ) throws -> RunningCommand {
    try RunningCommand(
      program, arguments, stdin: input, folder: folder, environment: environment)
  }
}

/// A process that was started and not yet waited for.
final class RunningCommand {
  private let process = Process()
  private let scratch: ScratchFolder
  private let ended = DispatchSemaphore(value: 0)

  /// Streams are files rather than pipes: nothing blocks when nobody reads.
  init(
    _ program: String, _ arguments: [String], stdin: [UInt8], folder: String?,
    environment: [String: String]
  ) throws {
    scratch = try ScratchFolder()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    try Data(stdin).write(to: URL(filePath: scratch.file("in")))
    let input = try FileHandle(forReadingFrom: URL(filePath: scratch.file("in")))
    let (output, errors) = (try output("out"), try output("err"))
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = errors
    // A process that has a termination handler is never freed. Foundation looks at all open descriptors each time that it
    // starts another one, and crashes if they are 1,400.
    defer { for handle in [input, output, errors] { try? handle.close() } }
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
    try process.start()
  }

  private func output(_ name: String) throws -> FileHandle {
    let path = scratch.file(name)
    try Data().write(to: URL(filePath: path))
    return try FileHandle(forWritingTo: URL(filePath: path))
  }

  var isRunning: Bool { process.isRunning }

  /// Sends a signal.
  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Sends a signal to it and all that it has started, as a terminal does.
  func signalGroup(_ number: Int32) {
    // Foundation makes the program the leader of a group.
    kill(-process.processIdentifier, number)
  }

  /// The files that it has open.
  var openFiles: [String] {
    let folder = "/proc/\(process.processIdentifier)/fd"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
  }

  /// The processes that it has started.
  var children: [Int32] {
    let process = process.processIdentifier
    let path = "/proc/\(process)/task/\(process)/children"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { Int32($0) }
  }

  /// The most memory that it has taken so far.
  var peakBytes: Int {
    let path = "/proc/\(process.processIdentifier)/status"
    let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  /// What it has written to standard error so far.
  var errorsSoFar: String {
    (try? String(contentsOfFile: scratch.file("err"), encoding: .utf8)) ?? ""
  }

  /// Waits for the end, and not for ever.
  ///
  /// The end is noticed once all that the program has started has ended, too (see `Process.start()`).
  func wait(seconds: Double = RouseCommand.patience) throws -> RouseCommand.Result {
    var status = RouseCommand.Status.timedOut
    if ended.wait(timeout: .now() + seconds) == .timedOut {
      // Foundation makes the program the leader of a group, to which what it has started belongs.
      kill(-process.processIdentifier, SIGKILL)
      // What has left the group may live on.
      _ = ended.wait(timeout: .now() + 10)
    } else {
      status =
        process.terminationReason == .uncaughtSignal
        ? .signalled(process.terminationStatus) : .exited(process.terminationStatus)
    }
    return RouseCommand.Result(
      status: status,
      outputBytes: [UInt8](try Data(contentsOf: URL(filePath: scratch.file("out")))),
      errors: errorsSoFar)
  }
}
