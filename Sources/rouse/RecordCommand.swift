import CommandLineSupport
import Glibc
import Measurement
import WakeEvents
import WakeImport
import WakeRecorder
import WakeTrace

enum RecordCommand: Command {
  static let specification = Specification(
    name: "record",
    summary: "Record a trace from JSON Lines or from the ring files of other processes.",
    operands: "[INPUT] -o TRACE|FOLDER/",
    operandCount: 0...1,
    discussion: """
      INPUT is a file or a FIFO of JSON Lines (see the page Rules, "Inputs"); default standard input.
      With --socket any number of clients send lines, and each client is a stream. With --attach the
      command reads the ring files of processes that write no trace of their own, running or dead.
      It reads each event once. If another process reads all of the rings, the exit status is 1.
      The trace is valid after each block. An existing trace is continued. An interrupt ends the
      recording: events already sent are written, and the exit status is 0. An invalid line ends its
      input: earlier events are kept, and the exit status is 1. If the trace is renamed or removed
      during recording, a new one is begun. The events in a removed trace are lost, and the exit
      status is 1.
      """,
    options: [
      .init("--output", short: "-o", value: "TRACE", "The trace to write, or a folder of traces."),
      .init(
        "--socket", value: "PATH", "Create a Unix stream socket and read lines from its clients."),
      .init("--attach", "INPUT is a folder of ring files (default /dev/shm)."),
      .init("--now", "Give lines without \"t\" the time at which they arrive."),
      .init("--keep-going", "Skip invalid lines and report them."),
      .init(
        "--flush", value: "SECONDS", "Write an event after this time at the latest (default 1)."),
      .init("--bytes-per-file", value: "N", "In a folder: begin a new file after N bytes."),
      .init(
        "--seconds-per-file", value: "SECONDS", "In a folder: begin a new file after this time."),
      .init("--level", value: "N", "zlib's level, 0 to 9 (default 1)."),
      .init("--durable", "Write the next block only when the disk has this one."),
      .init("--keep", "With --attach: keep the ring files of dead processes."),
      .init(
        "--all-users", "Take ring files and clients of other users, too."),
      .init("--stay", "With --attach: wait for new processes until interrupted."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    for option in ["--keep", "--stay"] where arguments.has(option) && !arguments.has("--attach") {
      throw arguments.usage("\(option) requires --attach")
    }
    if arguments.has("--all-users"), !arguments.has("--attach"), !arguments.has("--socket") {
      throw arguments.usage("--all-users requires --attach or --socket")
    }
    let rotation = try Rotation(arguments)
    guard arguments.has("--attach") else { return try captureLines(arguments, rotation) }
    for option in ["--socket", "--now", "--keep-going"] where arguments.has(option) {
      throw arguments.usage("\(option) cannot be combined with --attach")
    }
    return try attach(arguments, rotation)
  }

  /// The output, and when it continues in a new file.
  private struct Rotation {
    var output: String
    var options = RingAttachment.Options()

    init(_ arguments: Arguments) throws {
      output = try arguments.outputTrace()
      options.trace.level = try arguments.level(default: 1)
      options.flushInterval = try arguments.duration("--flush") ?? .seconds(1)
      options.trace.bytesPerFile = try arguments.number("--bytes-per-file", in: 1...(.max))
        .map(Int64.init)
      options.trace.timePerFile = try arguments.duration("--seconds-per-file")
      options.trace.isDurable = arguments.has("--durable")
      if output.count > 1, output.hasSuffix("/") {
        guard SystemCalls.makeFolder(output) else {
          throw TraceError.system("cannot be made", file: output)
        }
        while output.count > 1, output.hasSuffix("/") { output.removeLast() }
        guard !options.trace.isDurable || SystemCalls.synchronizeFolder(of: output) else {
          throw TraceError.system("may have no name on the disk", file: output)
        }
      }
      let sort = SystemCalls.sort(of: output)
      let reason = errno
      if sort != S_IFDIR,
        options.trace.bytesPerFile != nil || options.trace.timePerFile != nil
      {
        errno = reason
        guard sort != nil || reason == ENOENT else {
          throw TraceError.system("cannot be examined", file: output)
        }
        throw arguments.usage(
          "--bytes-per-file and --seconds-per-file require a folder, and '\(output)' is not one")
      }
    }
  }

  /// Waits until an output FIFO has a reader. Meanwhile an interrupt still ends the command at once.
  ///
  /// - Returns: A descriptor to close once the output is open; -1 if the output is not a FIFO.
  private static func waitForReader(of output: String) throws(TraceError) -> Int32 {
    guard SystemCalls.sort(of: output) == S_IFIFO,
      !TraceRecovery.isSameFile(output, "/dev/stdout")
    else { return -1 }
    let place = try OutputPlace(output)
    if let status = place.status { try place.refusePlanted(status, name: output) }
    return unsafe open(output, O_WRONLY | O_CLOEXEC)
  }

  private static func captureLines(
    _ arguments: Arguments, _ rotation: Rotation
  ) throws -> ExitStatus {
    let input = arguments.operands.first
    if arguments.has("--socket"), let input {
      throw arguments.usage("--socket cannot be combined with the input '\(input)'")
    }
    try Console.refuse(rotation.output, over: [input ?? "-"])
    var lines = LineCapture.Options()
    lines.keepsGoing = arguments.has("--keep-going")
    lines.flushInterval = rotation.options.flushInterval
    if arguments.has("--now") { lines.clock = { Timestamp(nanoseconds: RealTimeClock.now) } }
    let reader = try waitForReader(of: rotation.output)
    defer { if reader >= 0 { close(reader) } }
    let stop = try Interrupts.catchFirst()
    let listener = try arguments.value("--socket").map {
      try UnixListener(path: $0, takesAllUsers: arguments.has("--all-users"))
    }
    let symbols = Symbols()
    var options = rotation.options.trace
    let source = input ?? "-"
    let status =
      source == "-" ? SystemCalls.status(of: STDIN_FILENO) : SystemCalls.status(of: source)
    options.isPrivate = status?.isPrivate ?? false
    let trace = try TraceCapture(to: rotation.output, symbols: symbols, options: options)
    if let notice = trace.notice { Console.message(notice) }
    let progress = Progress("recording", total: nil, unit: "events")
    let capture = LineCapture(to: trace, symbols: symbols, options: lines) { message in
      progress.finish()
      Console.message(message)
    }
    if let listener {
      capture.listen(on: listener)
    } else {
      try capture.read(source)
    }
    let report: LineCapture.Report
    do throws(TraceError) {
      defer { progress.finish() }
      report = try capture.run(until: stop) { progress.update($0) }
    } catch let error {
      let written = "\(trace.statistics.events) of \(trace.received) events were written"
      // Events are lost, so a closed pipe is reported, unlike where text is printed.
      guard !error.isClosedPipe else {
        Console.message("\(error); \(written)")
        return .failure
      }
      Console.message(written)
      throw error
    }
    let written = trace.statistics
    var text = Self.text(
      rotation.output, events: written.events, blocks: written.blocks, bytes: written.bytes)
    if trace.files > 1 { text += " in \(trace.files) files" }
    if listener != nil { text += " of \(Quantity.counted(report.inputs, "client"))" }
    Console.message(text + "; \(Quantity.counted(report.rejected, "error"))")
    return report.rejected == 0 ? .success : .failure
  }

  private static func attach(_ arguments: Arguments, _ rotation: Rotation) throws -> ExitStatus {
    let folder = arguments.operands.first ?? "/dev/shm"
    var options = rotation.options
    options.keepsRings = arguments.has("--keep")
    options.takesAllUsers = arguments.has("--all-users")

    // Each ring file is open as long as its process runs.
    OpenFiles.allowMost()
    let reader = try waitForReader(of: rotation.output)
    defer { if reader >= 0 { close(reader) } }
    let stop = try Interrupts.catchFirst()
    var status = ExitStatus.success
    let progress = Progress("recording", total: nil, unit: "events")
    let attachment = try RingAttachment(to: folder, output: rotation.output, options: options) {
      if $0.isProblem { status = .failure }
      progress.finish()
      Console.message($0.message)
    }
    do throws(TraceError) {
      defer { progress.finish() }
      repeat {
        try attachment.pass()
        progress.update(Int64(attachment.statistics.written))
      } while (arguments.has("--stay") || !attachment.isDone) && !isStopped(stop)
      try attachment.finish()
    } catch let error {
      guard error.isClosedPipe else { throw error }
      Console.message("\(error); events not written stay in the rings")
      return .failure
    }
    let written = attachment.statistics
    Console.message(
      text(
        rotation.output, events: written.written, blocks: written.blocks, bytes: written.bytes)
        + " of \(Quantity.counted(attachment.components, "ring file")); \(written.lost) lost in "
        + "recording")
    return attachment.isLeftToOthers ? .failure : status
  }

  /// Waits for 4 ms, in which a ring of the default size does not fill.
  private static func isStopped(_ stop: Int32) -> Bool {
    var entry = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 4) > 0
  }

  private static func text(_ output: String, events: Int, blocks: Int, bytes: Int64) -> String {
    let name = output == "-" ? "standard output" : output
    guard events > 0 else { return "\(name.shown): nothing was recorded" }
    return Console.summary(name, events: events, blocks: blocks, bytes: bytes)
  }
}

extension Arguments {
  /// A duration above 0.
  fileprivate func duration(_ option: String) throws(UsageError) -> Duration? {
    guard let text = value(option) else { return nil }
    guard let length = DurationText.nanoseconds(text), length > 0 else {
      throw usage(
        "\(option): '\(text)' is not \(DurationText.form), above 0 and up to 10^9 seconds")
    }
    return .nanoseconds(length)
  }
}
