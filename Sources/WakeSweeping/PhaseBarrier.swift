import Glibc

/// Lets threads wait for each other at the end of a phase.
///
/// Unchecked: a barrier is made to be shared.
@safe final class PhaseBarrier: @unchecked Sendable {
  private let barrier: UnsafeMutablePointer<pthread_barrier_t>

  init(threads: Int) {
    unsafe barrier = .allocate(capacity: 1)
    unsafe barrier.initialize(to: pthread_barrier_t())
    // Cannot fail without attributes and with a count that is not 0.
    unsafe pthread_barrier_init(barrier, nil, UInt32(threads))
  }

  deinit {
    unsafe pthread_barrier_destroy(barrier)
    unsafe barrier.deallocate()
  }

  /// Returns when all threads have called it.
  func wait() {
    unsafe _ = pthread_barrier_wait(barrier)
  }
}
