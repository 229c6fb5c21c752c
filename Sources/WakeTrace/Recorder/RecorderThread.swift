import Glibc
import Synchronization

/// The thread that writes a recorder's blocks.
final class RecorderThread: Sendable {
  /// Microseconds between two looks at the rings: the less, the faster they fill up.
  private static var shortestPause: UInt32 { 100 }
  private static var longestPause: UInt32 { 4_000 }
  /// After a failure: a full disk takes its time.
  private static var pauseAfterFailure: UInt32 { 40_000 }

  private final class Work: Sendable {
    let core: RecorderCore
    let isStopped = Atomic<Bool>(false)

    init(_ core: RecorderCore) { self.core = core }

    func run() {
      var usual = RecorderThread.longestPause
      while !isStopped.load(ordering: .acquiring) {
        var pause = RecorderThread.shortestPause
        // Only waiting is done outside: what is generic may take locks of Swift's runtime.
        ForkGate.passAtOnce { pause = writeOnce(&usual) }
        if pause > 0 { usleep(pause) }
      }
    }

    /// Writes what there is; returns how long to wait before the next time.
    ///
    /// - Parameter usual: The pause as it was found to do so far.
    private func writeOnce(_ usual: inout UInt32) -> UInt32 {
      do throws(TraceError) {
        switch try core.pass(flushing: false) {
        case .quarter...: return 0
        case .sixteenth...: usual = max(usual / 2, RecorderThread.shortestPause)
        default: usual = min(usual + usual / 8, RecorderThread.longestPause)
        }
        return usual
      } catch {
        // The core keeps what went wrong for the next flush.
        return RecorderThread.pauseAfterFailure
      }
    }
  }

  private let work: Work
  private let thread: ThreadLock<pthread_t?>

  /// Starts the thread; without one, events are written by flushes and the end alone.
  init(_ core: RecorderCore) {
    work = Work(core)
    var thread = pthread_t()
    // Signals are for the threads of the program.
    var (all, old) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    let argument = unsafe Unmanaged.passRetained(work)
    let status = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    if status != 0 { unsafe argument.release() }
    self.thread = ThreadLock(status == 0 ? thread : nil)
  }

  /// Ends the thread and waits for it; in a process that was forked off there is none to wait for.
  func stop() {
    // Another thread may have had the lock when this process was forked off.
    guard work.core.isOwn else { return }
    work.isStopped.store(true, ordering: .releasing)
    let thread = thread.withLock { $0.take() }
    // It may be writing.
    if let thread { ForkGate.outside { _ = pthread_join(thread, nil) } }
  }
}
