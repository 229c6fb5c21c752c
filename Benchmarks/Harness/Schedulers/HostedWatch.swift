import Glibc
import Synchronization
import WakeHosting

/// Memory in which a process that runs a scheduler notes its calls, for the process that supervises it.
enum HostedWatch {
  private static let current = Mutex<CallWatch?>(nil)

  /// Where this process notes the calls; nil if it is not supervised.
  static var shared: CallWatch? { current.withLock { $0 } }

  /// Notes the calls of this process in a file that ``make(at:)`` has made.
  static func use(_ path: String) throws {
    let watch = try open(path, O_RDWR)
    current.withLock { $0 = watch }
  }

  /// Makes the file.
  static func make(at path: String) throws -> CallWatch {
    try open(path, O_RDWR | O_CREAT | O_EXCL)
  }

  private static func open(_ path: String, _ flags: Int32) throws -> CallWatch {
    let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, ftruncate(descriptor, off_t(CallWatch.bytes)) == 0,
      let watch = CallWatch(descriptor: descriptor)
    else { throw BenchmarkFailure("\(path): cannot be mapped (\(Output.reason()))") }
    return watch
  }
}
