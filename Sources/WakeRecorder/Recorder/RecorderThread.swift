import Glibc
import Synchronization
import WakeTrace

/// The thread that writes a recorder's blocks.
final class RecorderThread: Sendable {
  /// Microseconds between two passes; adapted to how fast the rings fill.
  private static var shortestPause: UInt32 { 100 }
  private static var longestPause: UInt32 { 4_000 }
  /// After a failure, such as a full disk.
  private static var pauseAfterFailure: UInt32 { 40_000 }

  private final class Work: Sendable {
    let core: RecorderCore
    let isStopped = Atomic<Bool>(false)

    init(_ core: RecorderCore) { self.core = core }

    func run() {
      var usual = RecorderThread.longestPause
      while !isStopped.load(ordering: .acquiring) {
        var pause = RecorderThread.shortestPause
        // Outside the gate it only sleeps: generic code could take locks of Swift's runtime.
        ForkGate.passUnlessForking { pause = writeOnce(&usual) }
        if pause > 0 { usleep(pause) }
      }
    }

    /// Writes what is due; returns the pause until the next pass.
    ///
    /// - Parameter usual: The adapted pause.
    private func writeOnce(_ usual: inout UInt32) -> UInt32 {
      do throws(TraceError) {
        switch try core.pass(flushing: false) {
        case .quarter...: return 0
        case .sixteenth...: usual = max(usual / 2, RecorderThread.shortestPause)
        default: usual = min(usual + usual / 8, RecorderThread.longestPause)
        }
        return usual
      } catch {
        // The core keeps the error for the next flush.
        return RecorderThread.pauseAfterFailure
      }
    }
  }

  private let work: Work
  private let thread: ThreadLock<pthread_t?>

  /// Starts the thread. If it cannot be started, only flushing and closing write events.
  init(_ core: RecorderCore) {
    work = Work(core)
    var thread = pthread_t()
    // Signals go to the threads of the program.
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

  /// Ends the thread and waits for it; a forked child has none.
  func stop() {
    // In a forked child, a thread of the parent may hold the lock.
    guard work.core.isOwn else { return }
    work.isStopped.store(true, ordering: .releasing)
    let thread = thread.withLock { $0.take() }
    // The thread may be writing to the disk.
    if let thread { HeldLock.releasedWhile { _ = pthread_join(thread, nil) } }
  }
}
