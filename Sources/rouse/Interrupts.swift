import Glibc
import Synchronization
import WakeHosting
import WakeTrace

/// Removes unfinished files when the command is interrupted.
enum Interrupts {
  /// Starts a thread that waits for the signals: a signal handler may not remove files.
  ///
  /// - Returns: False with `errno` set if the system refuses the thread: no signal would end the command.
  static func install() -> Bool {
    // `write` then fails with EPIPE, and unfinished files are removed.
    signal(SIGPIPE, SIG_IGN)
    // Likewise EFBIG, at the file size limit.
    signal(SIGXFSZ, SIG_IGN)
    // If its parent ignores it, no child's status could be waited for.
    signal(SIGCHLD, SIG_DFL)
    var signals = signals
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Whoever started the command may have blocked it, and ring files that are cut short are survived by its handler.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGBUS)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    return SystemCalls.startThread { wait() } != nil
  }

  /// The signals that end the command.
  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    return signals
  }

  /// The write end of a pipe that is closed when a signal arrives; -1 if the signal ends the command.
  private static let told = Atomic<Int32>(-1)

  /// Makes the first signal end the command's work instead of the command. A second one ends the command.
  ///
  /// - Returns: A descriptor that is readable once the signal has arrived.
  /// - Throws: `TraceError` if the process is out of descriptors.
  static func catchFirst() throws(TraceError) -> Int32 {
    guard let pipe = SystemCalls.pipe() else {
      throw .system("no pipe can be made", file: "waiting for signals")
    }
    told.store(pipe.writer, ordering: .releasing)
    return pipe.reader
  }

  private static func wait() {
    var signals = signals
    var received: Int32 = 0
    guard unsafe sigwait(&signals, &received) == 0 else { return }
    let descriptor = told.exchange(-1, ordering: .acquiringAndReleasing)
    if descriptor >= 0 {
      close(descriptor)
      guard unsafe sigwait(&signals, &received) == 0 else { return }
    }
    UnfinishedFiles.removeAll {
      PipedPrograms.endAll()
      end(by: received)
    }
  }

  /// Ends the command by a signal, so that the shell sees which one.
  private static func end(by number: Int32) -> Never {
    var signals = signals
    signal(number, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    // Process 1 of a container goes on: no signal without a handler ends it.
    _exit(128 + number)
  }
}
