package import CRouse
import CSystem
import Glibc
package import WakeTrace

/// A shared library with a scheduler (`rouse_scheduler.h`).
///
/// Unchecked: nothing changes the table, and its functions may be called from any thread.
@safe
package final class SchedulerLibrary: @unchecked Sendable {
  /// The path by which it was loaded, or what stands for it in messages.
  package let path: String
  /// Its table. Fields beyond the size that it gave are zero.
  @safe let table: rouse_scheduler_t
  /// The scheduler's own name; the path if it has none.
  package let name: String

  /// The symbol that a library exports.
  private static let symbol = "rouse_scheduler"
  private typealias Entry = @convention(c) () -> UnsafePointer<rouse_scheduler_t>?

  private static let watchForks: Void = fork_watch_begin()

  /// Loads a library. It is never unloaded: its threads may still run.
  package convenience init(path: String) throws(TraceError) {
    Self.watchForks
    StartFolder.keep()
    // Its constructors may do what its functions may.
    let watch = HostedProcess.watch
    let slot = watch?.enter(.load)
    defer { if let watch, let slot { watch.leave(slot) } }
    // A name without a slash would be searched for among the system's libraries.
    guard let library = unsafe dlopen(path.contains("/") ? path : "./" + path, RTLD_NOW) else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "cannot be loaded"
      throw TraceError(.faultyScheduler, path, reason)
    }
    guard let entry = unsafe dlsym(library, Self.symbol) else {
      throw TraceError(
        .faultyScheduler, path, "exports no function \(Self.symbol) (see rouse_scheduler.h)")
    }
    let table = unsafe unsafeBitCast(entry, to: Entry.self)()
    try StartFolder.enter()
    try unsafe self.init(path: path, table: table)
  }

  /// A scheduler in this program.
  package init(path: String, table: UnsafePointer<rouse_scheduler_t>?) throws(TraceError) {
    func faulty(_ message: String) -> TraceError { TraceError(.faultyScheduler, path, message) }
    guard let table = unsafe table else { throw faulty("\(Self.symbol) returned null") }
    let known = unsafe MemoryLayout<rouse_scheduler_t>.size
    let size = unsafe table.pointee.size
    guard size >= known else {
      throw faulty("the size of its rouse_scheduler_t is \(size), and at least \(known) is needed")
    }
    var copy = unsafe rouse_scheduler_t()
    unsafe withUnsafeMutableBytes(of: &copy) { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: table, count: known))
    }
    unsafe self.table = copy
    self.path = path
    name = unsafe copy.name.map { unsafe String(cString: $0) } ?? path
    let functions = unsafe [
      ("create", copy.create == nil), ("destroy", copy.destroy == nil),
      ("begin", copy.begin == nil),
      ("take", copy.take == nil), ("input", copy.input == nil), ("advance", copy.advance == nil),
      ("finish", copy.finish == nil),
    ]
    if let (missing, _) = functions.first(where: \.1) {
      throw faulty("its table has no function \(missing)")
    }
    let flags = unsafe copy.flags
    guard
      flags & ~UInt32(ROUSE_SCHEDULER_THREADS | ROUSE_SCHEDULER_ANSWERS | ROUSE_SCHEDULER_VALUES)
        == 0
    else { throw faulty("its table has unknown flags: \(flags)") }
  }

  private func has(_ flag: Int) -> Bool { table.flags & UInt32(flag) != 0 }

  /// Whether different threads may use different instances.
  package var mayUseThreads: Bool { has(ROUSE_SCHEDULER_THREADS) }
  /// Whether it answers for modelled apps itself.
  var givesAnswers: Bool { has(ROUSE_SCHEDULER_ANSWERS) }
  /// Whether it wants the sources and fields of all saves.
  var wantsValues: Bool { has(ROUSE_SCHEDULER_VALUES) }
}
