import Glibc
import WakeTrace

/// How many files this process may have open at a time.
enum OpenFiles {
  /// So many traces, each of which is an open file, every system allows.
  static let few = 200

  /// Whether so many further files can be open, and some more for the command itself.
  static func has(room count: Int) -> Bool {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(files, &limit) == 0,
      let open = SystemCalls.files(in: "/proc/self/fd")?.count
    else { return true }
    return limit.rlim_cur > UInt64(open + count + 16)
  }

  /// Raises the number as far as the system allows.
  static func allowMost() {
    var limit = rlimit()
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(files, &limit)
  }
}
