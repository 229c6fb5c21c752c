import Glibc
import Synchronization
import WakeTrace

/// The thread that writes a recorder's blocks.
final class RecorderThread: Sendable {
  /// Microseconds between two passes; adapted to how fast the rings fill. After the longest one the thread sleeps.
  private static var shortestPause: UInt32 { 100 }
  private static var longestPause: UInt32 { 4_000 }
  /// After a failure, such as a full disk.
  private static var pauseAfterFailure: UInt32 { 40_000 }

  /// What the thread does between two passes.
  private enum Pause {
    case none
    case microseconds(UInt32)
    /// Until a ring fills, or for so long.
    case sleep(Duration)
  }

  private let core: RecorderCore
  private let isStopped = Atomic<Bool>(false)
  private let thread = ThreadLock<pthread_t?>(nil)
  /// How often the thread looked at the rings.
  let passes = Atomic<Int>(0)

  /// Starts the thread.
  ///
  /// - Throws: ``TraceError`` if it cannot be started: producers could wait for it for ever.
  init(_ core: RecorderCore) throws(TraceError) {
    self.core = core
    // Signals go to the threads of the program, but SIGBUS to the thread whose access fails.
    var (all, old) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe sigdelset(&all, SIGBUS)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    let started = SystemCalls.startThread { [self] in run() }
    let reason = errno
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    errno = reason
    guard let started else {
      throw .system("the recorder's thread cannot be started", file: core.file.path)
    }
    thread.withLock { $0 = started }
  }

  private func run() {
    var usual = Self.longestPause
    while !isStopped.load(ordering: .acquiring) {
      passes.add(1, ordering: .relaxed)
      var pause = Pause.microseconds(Self.shortestPause)
      // Outside the gate it only sleeps: generic code could take locks of Swift's runtime.
      ForkGate.passUnlessForking { pause = writeOnce(&usual) }
      switch pause {
      case .none: break
      case .microseconds(let count): usleep(count)
      case .sleep(let time):
        // After `prepare`, so that this or `stop` sees what the other one stored.
        if !isStopped.load(ordering: .sequentiallyConsistent) { core.sleep.begin(atMost: time) }
      }
    }
  }

  /// Writes what is due; returns the pause until the next pass.
  ///
  /// - Parameter usual: The adapted pause.
  private func writeOnce(_ usual: inout UInt32) -> Pause {
    do throws(TraceError) {
      let maySleep = usual == Self.longestPause
      // Before the look at the rings: what comes after it ends the sleep.
      if maySleep { core.sleep.prepare() }
      let pass = try core.pass(flushing: false)
      // Blocks were written (`RingDrain.fullBlock` is at most a quarter), and meanwhile more may have come.
      if pass.filling >= 0.25 { return .none }
      if pass.arrived >= 0.0625 {
        usual = max(usual / 2, Self.shortestPause)
      } else if !maySleep {
        usual = min(usual + usual / 8, Self.longestPause)
      } else if pass.filling >= 0.125 {
        // So that the ring is at most a quarter full when a producer wakes the thread (`WriterSleep.ringParts`).
        try core.pass(flushing: false, writesAll: true)
      } else {
        return .sleep(max(pass.untilDue, .microseconds(Self.longestPause)))
      }
      return .microseconds(usual)
    } catch {
      // The core keeps the error for the next flush.
      return .microseconds(Self.pauseAfterFailure)
    }
  }

  /// Ends the thread and waits for it; a forked child has none.
  func stop() {
    // In a forked child, a thread of the parent may hold the lock.
    guard core.isOwn else { return }
    isStopped.store(true, ordering: .sequentiallyConsistent)
    core.sleep.end()
    // The thread may be writing to the disk.
    if let thread = thread.withLock({ $0.take() }) {
      HeldLock.releasedWhile { _ = pthread_join(thread, nil) }
    }
  }
}
