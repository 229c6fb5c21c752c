import CSystem
import Glibc
import Synchronization
package import WakeTrace

/// Runs a command that loads a scheduler in a process of its own, and tells of its end, whatever it is.
///
/// The child is this program again with the arguments `hosted` and the command's; it shares a ``CallWatch``.
package struct ChildRun {
  /// The command with its arguments.
  package var arguments: [String]
  /// The scheduler's path, for messages.
  package var scheduler: String
  /// How long one call of the scheduler may take, in seconds.
  package var timeout: Double
  /// Whether the command can run again with the same inputs, to find the event among several.
  package var mayRepeat: Bool

  package init(arguments: [String], scheduler: String, timeout: Double, mayRepeat: Bool) {
    self.arguments = arguments
    self.scheduler = scheduler
    self.timeout = timeout
    self.mayRepeat = mayRepeat
  }

  /// The argument that makes the program a child.
  package static let word = "hosted"
  /// The descriptor of the shared memory in the child.
  fileprivate static let memoryDescriptor: Int32 = 3
  /// How often the child is looked at, in milliseconds.
  private static let interval: Int32 = 20

  /// How a run ended.
  private enum Ending {
    case exited(Int32)
    case failed(String, call: CallWatch.Call?)
  }

  /// Runs the command to its end.
  ///
  /// - Returns: Its exit status.
  /// - Throws: What the scheduler did, with the event, if it ended the command or never returned.
  package func run() throws(TraceError) -> Int32 {
    switch try runOnce(locatesFrom: nil) {
    case .exited(let status): return status
    case .failed(var message, let call):
      if let call, call.last > call.first, mayRepeat,
        case .failed(let again, let found?) = try runOnce(locatesFrom: call.first),
        found.last == found.first
      {
        message = again
      }
      throw TraceError(.faultyScheduler, scheduler, message)
    }
  }

  private func runOnce(locatesFrom: Int?) throws(TraceError) -> Ending {
    let memory = SystemCalls.openNameless(in: TemporaryFile.systemFolder)
    guard memory >= 0, SystemCalls.truncate(memory, to: Int64(CallWatch.bytes)),
      let watch = CallWatch(descriptor: memory)
    else { throw .system("no shared memory", file: scheduler) }
    defer { close(memory) }
    watch.locatesFrom = locatesFrom
    watch.parent = getpid()
    var ends: [Int32] = [-1, -1]
    guard unsafe system_open_pipe(&ends) == 0 else { throw .system("no pipe", file: scheduler) }
    // A second run is silent: the first one has said all but the event.
    let silent = locatesFrom == nil ? -1 : SystemCalls.open("/dev/null", O_RDWR)
    defer { if silent >= 0 { close(silent) } }
    let output = silent < 0 ? STDOUT_FILENO : silent
    let errors = silent < 0 ? STDERR_FILENO : silent
    // Above those that they become in the child, so that none takes another's place.
    let passed = [memory, ends[1]].map { system_move_descriptor($0, 16) }
    // Swift's own report of a crash, where it is on, takes longer than the timeout and says less.
    unsafe _ = setenv("SWIFT_BACKTRACE", "enable=no", 1)
    let (status, process) = SystemCalls.spawn(
      ["/proc/self/exe", Self.word] + arguments,
      descriptors: [STDIN_FILENO, output, errors] + passed)
    for descriptor in passed { close(descriptor) }
    close(ends[1])
    defer { close(ends[0]) }
    guard status == 0 else {
      errno = status
      throw .system("cannot run its process", file: scheduler)
    }
    return wait(for: process, until: ends[0], watch)
  }

  /// Waits for the child's end, and kills it if a call does not return.
  private func wait(for process: pid_t, until end: Int32, _ watch: CallWatch) -> Ending {
    var entry = pollfd(fd: end, events: 0, revents: 0)
    var patience = CallPatience(timeout: timeout)
    while true {
      var status: Int32 = 0
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return ending(status, watch) }
      if ended < 0, errno != EINTR { return .failed("its process cannot be waited for", call: nil) }
      // Who closes the pipe without ending is not waited for without a pause.
      if unsafe poll(&entry, 1, Self.interval) > 0 { usleep(1_000) }
      guard let overdue = patience.overdue(watch) else { continue }
      kill(process, SIGKILL)
      unsafe _ = waitpid(process, &status, 0)
      return .failed(overdue.message, call: overdue.call)
    }
  }

  private func ending(_ status: Int32, _ watch: CallWatch) -> Ending {
    let call = watch.calls.last?.call
    let exitStatus = status >> 8 & 0xFF
    if let story = watch.story(signal: status & 0x7F, exitStatus: exitStatus) {
      // A terminal's signal ends both processes: this one by its own signal, which may come a little later, without a word.
      if [SIGINT, SIGTERM, SIGHUP].contains(status & 0x7F) { usleep(50_000) }
      UnfinishedFiles.waitIfEnding()
      return .failed(story, call: call)
    }
    return .exited(exitStatus)
  }
}

/// The child's side of a ``ChildRun``.
package enum HostedProcess {
  /// Where this process notes the calls of schedulers; nil if it is not supervised.
  package static var watch: CallWatch? { shared.withLock { $0 } }
  private static let shared = Mutex<CallWatch?>(nil)

  /// Whether this process is supervised.
  package static var isSupervised: Bool { watch != nil }

  /// Begins a supervised process, which has been started with ``ChildRun/word``; false if it has not been started by
  /// ``ChildRun``.
  package static func begin() -> Bool {
    system_end_with_parent()
    // The parent may have ended before.
    guard let found = CallWatch(descriptor: ChildRun.memoryDescriptor), getppid() == found.parent
    else { return false }
    close(ChildRun.memoryDescriptor)
    shared.withLock { $0 = found }
    return true
  }

  /// Ends the process of a command that failed and could not tell why, as the scheduler has closed standard error or
  /// the like; the supervising process tells it. Returns if there is none.
  package static func endUntold(_ message: String) {
    watch?.end(with: "what it did kept Rouse from writing to standard error: \(message)")
  }

  /// Notes that the command has ended in order.
  package static func end() {
    guard let watch else { return }
    watch.state = .finished
    watch.enter(.exit)
  }
}
