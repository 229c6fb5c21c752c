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

  /// Starts a program found on the path, without a shell, with the signals of a program that a shell starts.
  ///
  /// - Parameters:
  ///   - descriptors: Its standard input, output and error, and further ones from 3 on; no other descriptor is inherited
  ///     that closes on exec.
  ///   - inOwnGroup: Whether it leads a process group of its own, so that what it starts can be ended with it.
  /// - Returns: The number of the error, 0 if there is none, and the process.
  package static func spawn(
    _ arguments: [String], descriptors: [Int32], inOwnGroup: Bool = false
  ) -> (status: Int32, process: Int32) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var (none, usual) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&usual)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(
        POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)))
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil] as [UnsafeMutablePointer<CChar>?]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = -1
    let status = unsafe posix_spawnp(
      &process, arguments[0], &actions, &attributes, &words, environ)
    return (status, process)
  }

  /// Waits for the end of a process; its status as wait(2) has it, nil if it cannot be told.
  package static func wait(for process: Int32) -> Int32? {
    var status: Int32 = 0
    return uninterrupted({ unsafe waitpid(process, &status, 0) }) == process ? status : nil
  }
}
