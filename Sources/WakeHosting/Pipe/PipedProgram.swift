import CSystem
import Glibc
import Synchronization
import WakeTrace

/// A program that answers each line on its standard input with lines on its standard output, the last of which is empty.
///
/// Unchecked: one thread at a time uses it.
final class PipedProgram: @unchecked Sendable {
  /// What is wrong with an answer; the caller knows to which line.
  struct Failure: Error {
    let message: String
    /// The time of the wake that is wrong, if one is.
    let time: Int64?
    init(_ message: String, time: Int64? = nil) {
      self.message = message
      self.time = time
    }
  }

  /// Seconds for an answer.
  private let timeout: Double
  private let process: Int32
  private let input: Int32
  private let output: Int32
  /// What was read and is not answered with yet.
  private var received: [UInt8] = []
  /// Whether an answer is missing, after which it is of no use.
  private(set) var isSpoiled = false
  /// Whether it has been waited for.
  private var hasEnded = false

  /// Lines of an answer beyond this are a program that does not stop.
  private static let mostBytes = 256 << 20

  /// Starts a command of the shell.
  init(command: String, timeout: Double) throws(TraceError) {
    self.timeout = timeout
    var (to, from): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe system_open_pipe(&to) == 0 else { throw .system("no pipe", file: command) }
    guard unsafe system_open_pipe(&from) == 0 else {
      to.forEach { close($0) }
      throw .system("no pipe", file: command)
    }
    // Above those that they become in the child, so that none takes another's place.
    let passed = [to[0], from[1]].map { system_move_descriptor($0, 16) }
    let (status, process) = SystemCalls.spawn(
      ["/bin/sh", "-c", command], descriptors: passed + [STDERR_FILENO], inOwnGroup: true)
    (passed + [to[0], from[1]]).forEach { close($0) }
    (self.process, input, output) = (process, to[1], from[0])
    for end in [input, output] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    guard status == 0 else {
      isSpoiled = true
      errno = status
      throw .system("cannot be run", file: command)
    }
    PipedPrograms.add(process)
  }

  deinit {
    close(input)
    close(output)
    guard process > 0 else { return }
    // One whose input has ended may end by itself; who went wrong may never.
    for _ in 0..<100 where !isSpoiled && !hasEnded && !system_has_ended(process) { usleep(5_000) }
    if !hasEnded { _ = end() }
  }

  /// Ends the program with all that it has started, and returns its status.
  private func end() -> Int32? {
    PipedPrograms.end(process)
    hasEnded = true
    return SystemCalls.wait(for: process)
  }

  /// Writes a line and calls `body` with each line of the answer; reads while it writes, so that neither waits for the
  /// other.
  func ask(
    _ line: [UInt8], _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try exchange(line, body)
    } catch {
      isSpoiled = true
      UnfinishedFiles.waitIfEnding()
      throw error
    }
  }

  private func exchange(
    _ line: [UInt8], _ body: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    // What is there already answers nothing.
    guard try read() else { throw Failure(ending) }
    guard received.isEmpty else { throw Failure(Self.unasked) }
    var sent = 0
    var taken = 0
    let deadline = Self.now + timeout
    while true {
      while let end = received[taken...].firstIndex(of: UInt8(ascii: "\n")) {
        let part = Array(received[taken..<end])
        taken = end + 1
        guard !part.isEmpty else {
          // Who has not read the line does not answer it.
          guard sent == line.count, taken == received.count, unreadBytes == 0 else {
            throw Failure(Self.unasked)
          }
          received.removeAll(keepingCapacity: true)
          return
        }
        try body(part)
      }
      received.removeFirst(taken)
      taken = 0
      guard received.count < Self.mostBytes else { throw Failure("a line without end") }
      var ends = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
      ]
      let left = deadline - Self.now
      guard left > 0 else { throw Failure("does not answer for \(Self.text(timeout)) s") }
      let milliseconds = Int32(min(left * 1_000 + 1, 1e9))
      let count = unsafe poll(&ends, sent < line.count ? 2 : 1, milliseconds)
      guard count >= 0 || errno == EINTR else { throw Failure("cannot be waited for") }
      if ends[0].revents != 0, try !read() { throw Failure(ending) }
      // A program that has closed its input may have said why.
      if sent < line.count, ends[1].revents & Int16(POLLOUT) != 0 {
        sent += write(line, from: sent)
      } else if sent < line.count, ends[1].revents & Int16(POLLERR) != 0, ends[0].revents == 0 {
        throw Failure("has closed its standard input")
      }
    }
  }

  private static let unasked = "it answers what it was not asked: more than one empty line"

  /// How many bytes it has been sent and has not read.
  private var unreadBytes: Int32 {
    var count: Int32 = 0
    // Without an answer of the system nothing is known.
    return unsafe ioctl(input, UInt(FIONREAD), &count) == 0 ? count : 0
  }

  /// Reads what is there; false at the end.
  private func read() throws(Failure) -> Bool {
    var part = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe Glibc.read(output, &part, part.count)
    if count < 0 {
      guard errno == EAGAIN || errno == EINTR else { throw Failure("cannot be read") }
      return true
    }
    received += part.prefix(count)
    return count > 0
  }

  /// Writes what there is room for; returns how many bytes.
  private func write(_ line: [UInt8], from start: Int) -> Int {
    let count = unsafe line.withUnsafeBytes { bytes in
      // The command ignores SIGPIPE.
      unsafe Glibc.write(input, bytes.baseAddress?.advanced(by: start), bytes.count - start)
    }
    return max(0, count)
  }

  /// How it ended, after its output has.
  private var ending: String {
    for _ in 0..<200 {
      if system_has_ended(process), let status = end() {
        let signal = status & 0x7F
        guard signal != 0 else {
          return "ended its process with exit status \(status >> 8 & 0xFF)"
        }
        let name = unsafe strsignal(signal).map { unsafe String(cString: $0) }
        return "ended by a signal: \(name ?? "signal \(signal)")"
      }
      usleep(5_000)
    }
    return "has closed its standard output"
  }

  private static func text(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }

  private static var now: Double {
    var time = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The programs under way, which lead process groups of their own: no signal of a terminal reaches them.
package enum PipedPrograms {
  private static let groups = Mutex<Set<Int32>>([])

  fileprivate static func add(_ group: Int32) { groups.withLock { _ = $0.insert(group) } }

  /// Ends a program with all that it has started. Its number is its own until it is waited for.
  fileprivate static func end(_ group: Int32) {
    groups.withLock { groups in
      kill(-group, SIGKILL)
      groups.remove(group)
    }
  }

  /// Ends all of them; for a command that was interrupted and is about to exit.
  package static func endAll() {
    groups.withLock { groups in
      for group in groups { kill(-group, SIGKILL) }
      groups.removeAll()
    }
  }
}
