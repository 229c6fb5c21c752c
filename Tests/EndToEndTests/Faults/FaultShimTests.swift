import Testing
import WakeTestSupport

@Suite("The shim that makes calls fail")
struct FaultShimTests {
  /// Calls of the C library that cannot fail, change nothing that is kept, or whose failure no program can survive.
  private static let others: Set<Substring> = [
    // Memory and text.
    "calloc", "free", "malloc", "malloc_usable_size", "mremap", "munmap", "realloc", "snprintf",
    "strdup", "strerror", "strnlen", "strsignal", "bcmp",
    // The process, its signals and its terminal.
    "_exit", "exit", "fflush", "geteuid", "getenv", "getpid", "getppid", "getrlimit", "getrusage",
    "isatty", "kill", "prctl", "setenv", "setrlimit", "signal", "sigtimedwait", "sigwait",
    // Asks whether a child has ended, and is asked again.
    "waitid",
    "sigpending", "sigaction", "umask", "clock_gettime", "sched_yield", "usleep",
    // Membarrier and sleeping (CSystem), and what the benchmarks and plug-ins alone use.
    "syscall", "dlopen", "dlsym", "dlerror",
    // Its result says nothing that could be acted on.
    "closedir",
    // Arithmetic.
    "ceil", "exp", "floor", "log", "log10", "log2", "pow", "rint", "round", "trunc",
  ]
  private static let otherKinds = [
    "$s", "swift_", "_", "mem", "sigset", "sigis", "sigadd", "sigdel", "sigempty", "sigfill",
    "deflate", "inflate", "crc32", "libdeflate_", "zlibVersion", "posix_spawn_file_actions_",
    "posix_spawnattr_",
  ]

  @Test("knows every call of the programs that write", arguments: ["rouse", "RecordingVictim"])
  func calls(program: String) throws {
    let path = RouseCommand.path.replacing("/rouse", with: "/\(program)")
    let listing = try RouseCommand.shell("nm -D --undefined-only '\(path)'")
    try #require(listing.status == .exited(0), "\(listing.errors)")
    let names = listing.output.split(separator: "\n").compactMap {
      $0.split(separator: " ").last?.split(separator: "@").first
    }
    // With Swift's libraries within, the calls of those are among them.
    guard names.contains(where: { $0.hasPrefix("swift_") }) else { return }
    let unknown = names.filter { name in
      FaultShim.errors[String(name)] == nil && !Self.others.contains(name)
        && !Self.otherKinds.contains(where: name.hasPrefix)
        && (!name.hasPrefix("pthread_") || name == "pthread_create")
    }
    #expect(unknown == [], "make them fail in Tests/FaultShim/faults.c, or say here why not")
  }
}
