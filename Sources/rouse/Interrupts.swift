import Glibc
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

  private static func wait() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
    var received: Int32 = 0
    guard unsafe sigwait(&signals, &received) == 0 else { return }
    UnfinishedFiles.removeAll()
    // The shell is told by which signal the command ended.
    signal(received, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(received)
  }
}
