import Glibc

// What keeps a program that has this layer in it unharmed.
extension SystemCalls {
  /// Does something that may let a file grow or write to a pipe, so that a file that may not grow any more
  /// and a pipe that nobody reads are errors alone, and no signals that end the program.
  static func withoutSignals<Result>(_ body: () -> Result) -> Result {
    var (signals, old, before) = (sigset_t(), sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe sigaddset(&signals, SIGPIPE)
    // What waited before is not this call's.
    unsafe sigpending(&before)
    for signal in [SIGXFSZ, SIGPIPE] where unsafe sigismember(&before, signal) == 1 {
      unsafe sigdelset(&signals, signal)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, &old)
    let result = body()
    let reason = errno
    var atOnce = timespec()
    // Both may have come.
    while unsafe sigtimedwait(&signals, nil, &atOnce) > 0 || errno == EINTR {}
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    errno = reason
    return result
  }

  /// The file of a new descriptor behind those of standard input, output and error: where these are closed,
  /// a file would take their place, and get what the program prints.
  static func behindStandard(_ descriptor: Int32) -> Int32 {
    guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
    let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let reason = errno
    close(descriptor)
    errno = reason
    return moved
  }
}
