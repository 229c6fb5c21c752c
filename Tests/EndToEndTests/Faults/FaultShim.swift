import Foundation
import Testing
import WakeTestSupport

/// Runs a program of which a system call fails (`Tests/FaultShim/faults.c`).
enum FaultShim {
  /// The library, which clang makes once, beside the programs.
  private static let library = Result<String, any Error> {
    let path = URL(filePath: RouseCommand.path).deletingLastPathComponent()
      .appending(path: "faults.so").path
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../FaultShim/faults.c").path
    let made = try RouseCommand.shell(
      """
      clang -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC '\(source)' -o '\(path).new' &&
        mv '\(path).new' '\(path)'
      """)
    try #require(made.status == .exited(0), "clang: \(made.errors)")
    return path
  }

  /// Runs a program of the build in a shop.
  ///
  /// - Parameters:
  ///   - faults: As in `ROUSE_FAULT`.
  ///   - log: Where the changes of files are logged.
  ///   - meanwhile: What happens while it runs.
  static func run(
    _ program: String, _ arguments: [String], in shop: Workshop, faults: String = "",
    counts: String? = nil, log: String? = nil, meanwhile: (RunningCommand) -> Void = { _ in }
  ) throws -> RouseCommand.Result {
    var environment = [
      "LD_PRELOAD": try library.get(), "ROUSE_FAULT": faults, "ROUSE_FAULT_FOLDER": shop.path,
    ]
    if faults.isEmpty { environment["ROUSE_FAULT"] = nil }
    if let counts { environment["ROUSE_FAULT_COUNTS"] = counts }
    if let log { environment["ROUSE_FAULT_LOG"] = log }
    let path = URL(filePath: RouseCommand.path).deletingLastPathComponent().appending(path: program)
    let command = try RouseCommand.start(
      arguments, program: path.path, folder: shop.path, environment: environment)
    meanwhile(command)
    return try command.wait()
  }

  /// The errors that a call can give (its man page, and those of network file systems), by number; `short` is half of
  /// the bytes.
  static let errors: [String: [String]] = [
    "open": numbers(EACCES, EIO, EMFILE, EINTR, ENOSPC),
    "nameless": numbers(EOPNOTSUPP, EISDIR, ENOSPC, EMFILE),
    "close": numbers(EIO, EINTR, ENOSPC),
    "read": ["short"] + numbers(EIO, EINTR),
    "pread": ["short"] + numbers(EIO, EINTR),
    "write": ["short"] + numbers(ENOSPC, EIO, EINTR, EDQUOT, EAGAIN, EFBIG),
    "fstat": numbers(EIO, ENOMEM), "stat": numbers(EIO, EACCES, ENOMEM),
    "ftruncate": numbers(EIO, EINTR, EPERM),
    "posix_fallocate": numbers(ENOSPC, EINTR, EIO),
    "rename": numbers(EIO, ENOSPC, EACCES, EROFS), "linkat": numbers(ENOSPC, EIO, EEXIST, EPERM),
    "unlink": numbers(EIO, EACCES, EBUSY), "fsync": numbers(EIO, EINTR, ENOSPC),
    "fdatasync": numbers(EIO, ENOSPC, EINTR, EDQUOT), "mmap": numbers(ENOMEM, EAGAIN),
    "fcntl": numbers(ENOLCK, EAGAIN, EINTR), "lseek": numbers(EIO), "dup": numbers(EMFILE, EINTR),
    "dup2": numbers(EBUSY, EINTR, EMFILE), "fchdir": numbers(EACCES, EIO),
    "fchmod": numbers(EPERM, EIO), "realpath": numbers(EACCES, EIO),
    "opendir": numbers(EMFILE, EACCES), "lstat": numbers(EACCES, EIO),
    "mkdir": numbers(EACCES, ENOSPC, EROFS), "socket": numbers(EMFILE, ENOMEM),
    "bind": numbers(EACCES, ENOSPC, ENOMEM), "listen": numbers(EADDRINUSE, EOPNOTSUPP),
    "accept4": numbers(EMFILE, EINTR, ECONNABORTED, ENOMEM), "access": numbers(EACCES, EIO),
    "fstatfs": numbers(EIO, EINTR, ENOSYS), "readlinkat": numbers(EIO, EACCES, ENOMEM),
    "readdir": numbers(EIO), "getcwd": numbers(EACCES, ENOENT), "poll": numbers(EINTR, ENOMEM),
    "connect": numbers(EACCES, EINTR), "getsockopt": numbers(ENOBUFS),
    "pipe": numbers(EMFILE, ENFILE), "pipe2": numbers(EMFILE, ENFILE),
    "posix_spawnp": numbers(EAGAIN, ENOMEM, ENOENT), "waitpid": numbers(EINTR, ECHILD),
    "pthread_create": numbers(EAGAIN, EPERM),
    // It does not fail; its fault is to come 2 s late.
    "raise": ["late"],
  ]

  private static func numbers(_ errors: Int32...) -> [String] { errors.map { "\($0)" } }
}

extension Result where Failure == any Error {
  init(_ make: () throws -> Success) { self.init(catching: make) }
}
