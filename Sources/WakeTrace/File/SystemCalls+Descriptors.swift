import CSystem
import Glibc
import Synchronization

// Descriptors that no program inherits which this one starts.
extension SystemCalls {
  /// Moves a new descriptor above those of standard input, output and error. If one of these is closed, a file would
  /// take its number and receive what the program prints.
  package static func behindStandard(_ descriptor: Int32) -> Int32 {
    guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
    let moved = duplicate(descriptor)
    let reason = errno
    close(descriptor)
    errno = reason
    return moved
  }

  /// Another descriptor of the same file, which no program inherits.
  package static func duplicate(_ descriptor: Int32) -> Int32 {
    system_move_descriptor(descriptor, STDERR_FILENO + 1)
  }

  /// ``duplicate(_:)`` with a number far from those that programs close by counting up, if the system allows it.
  package static func duplicateHigh(_ descriptor: Int32) -> Int32 {
    let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 1_000)
    return high >= 0 ? high : duplicate(descriptor)
  }

  /// Makes a pipe whose ends no program inherits; nil with `errno` set if the system refuses it.
  package static func pipe() -> (reader: Int32, writer: Int32)? {
    var ends: [Int32] = [-1, -1]
    return unsafe system_open_pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// Accepts a client of a socket: a descriptor that does not wait and that no program inherits, or -1 with `errno` set.
  package static func accept(on socket: Int32) -> Int32 { system_accept(socket) }

  /// The descriptor of standard output, for whoever writes results.
  package static var standardOutput: Int32 { resultOutput.load(ordering: .relaxed) }
  private static let resultOutput = Atomic(STDOUT_FILENO)

  /// Keeps standard output for results, before foreign code is loaded: what that prints goes to standard error.
  ///
  /// - Returns: False with `errno` set if the system refuses it; then nothing has changed.
  package static func reserveStandardOutput() -> Bool {
    guard standardOutput == STDOUT_FILENO else { return true }
    let kept = duplicateHigh(STDOUT_FILENO)
    guard kept >= 0 else { return false }
    guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      close(kept)
      return false
    }
    resultOutput.store(kept, ordering: .relaxed)
    return true
  }

  /// A link of /proc to an open file, as it is after ``reserveStandardOutput()``: that to descriptor 1, by whatever name, then
  /// stands for the one that was kept.
  static func behindReservation(_ link: String) -> String {
    let kept = standardOutput
    guard kept != STDOUT_FILENO, link.hasSuffix("/\(STDOUT_FILENO)"),
      let folder = resolve(self.folder(of: link)), folder.hasPrefix("/proc/\(getpid())/"),
      folder.hasSuffix("/fd")
    else { return link }
    return "/proc/self/fd/\(kept)"
  }
}
