import Glibc

// Protection of the program that contains this library.
extension SystemCalls {
  /// Runs a system call without SIGXFSZ and SIGPIPE, which would end the program: a file at its size limit and a pipe
  /// without a reader are then errors of the call alone.
  package static func withoutSignals<Result>(_ body: () -> Result) -> Result {
    var (signals, old, before) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe sigaddset(&signals, SIGPIPE)
    // Signals that were pending before are not this call's.
    unsafe sigpending(&before)
    for signal in [SIGXFSZ, SIGPIPE] where unsafe sigismember(&before, signal) == 1 {
      unsafe sigdelset(&signals, signal)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &old)
    let result = body()
    let reason = errno
    var atOnce = timespec()
    // Both may be pending.
    while unsafe sigtimedwait(&signals, nil, &atOnce) > 0 || errno == EINTR {}
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    errno = reason
    return result
  }

  /// Moves a new descriptor above those of standard input, output and error. If one of these is closed, a file would
  /// take its number and receive what the program prints.
  package static func behindStandard(_ descriptor: Int32) -> Int32 {
    guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let reason = errno
    close(descriptor)
    errno = reason
    return moved
  }
}
