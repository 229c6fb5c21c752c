import Glibc
import Synchronization

/// The thread that writes a recorder's blocks.
final class RecorderThread: Sendable {
  /// Between two looks at the rings; a ring of the usual size takes longer to fill up.
  private static let pause: UInt32 = 4_000

  private final class Work: Sendable {
    let core: RecorderCore
    let isStopped = Atomic<Bool>(false)

    init(_ core: RecorderCore) { self.core = core }

    func run() {
      while !isStopped.load(ordering: .acquiring) {
        do throws(TraceError) {
          try core.pass(flushing: false)
          usleep(RecorderThread.pause)
        } catch {
          // The core keeps what went wrong for the next flush; a full disk takes its time.
          usleep(10 * RecorderThread.pause)
        }
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
    work.isStopped.store(true, ordering: .releasing)
    let thread = thread.withLock { $0.take() }
    if let thread, work.core.isOwn { pthread_join(thread, nil) }
  }
}
