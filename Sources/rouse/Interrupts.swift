import Glibc
import Synchronization
import WakeTrace

/// Leaves no half-written file behind when the command is interrupted.
enum Interrupts {
  /// Lets a thread of its own wait for the signals, as files cannot be removed from within a handler.
  static func install() {
    // A closed pipe is an error of `write`, so that files can be tidied up.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that has become as large as the system lets it.
    signal(SIGXFSZ, SIG_IGN)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    var thread = pthread_t()
    unsafe pthread_create(
      &thread, nil,
      { _ in
        Interrupts.wait()
        return nil
      }, nil)
  }

  /// The end of a pipe that is closed when a signal comes; -1 if the signal ends the command.
  private static let told = Atomic<Int32>(-1)

  /// Lets the first signal end the command's work instead of the command; the second one ends it.
  ///
  /// - Returns: A descriptor that can be read from once the signal has come; -1 if there are no more
  ///   descriptors, and the signal ends the command after all.
  static func catchFirst() -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return -1 }
    told.store(ends[1], ordering: .releasing)
    return ends[0]
  }

  private static func wait() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    var received: Int32 = 0
    guard unsafe sigwait(&signals, &received) == 0 else { return }
    let descriptor = told.exchange(-1, ordering: .acquiringAndReleasing)
    if descriptor >= 0 {
      close(descriptor)
      guard unsafe sigwait(&signals, &received) == 0 else { return }
    }
    UnfinishedFiles.removeAll()
    // The shell is told by which signal the command ended.
    signal(received, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(received)
  }
}
