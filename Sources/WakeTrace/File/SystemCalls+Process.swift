import Glibc

// The process: protection of the program that contains this library, and its start.
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

  /// When this process started, in the kernel's ticks since boot; 0 if the kernel does not say.
  package static var processStart: UInt64 {
    let descriptor = open("/proc/self/stat", O_RDONLY)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    guard let count = read(descriptor, count: bytes.count, into: &bytes),
      // The second field, in parentheses, may hold anything.
      let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")"))
    else { return 0 }
    let fields = bytes[min(end + 2, count)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 19 else { return 0 }
    return UInt64(String(decoding: fields[19], as: UTF8.self)) ?? 0
  }
}
