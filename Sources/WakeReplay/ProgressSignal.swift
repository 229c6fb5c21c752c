import Glibc
import Synchronization

/// An eventcount (Reed and Kanodia, 1979): lets threads sleep until another thread makes progress.
///
/// A thread reads ``count``, looks for work, and if there is none waits for the count to change.
/// Waiting allocates nothing. Unchecked: a mutex and a condition variable are made to be shared.
@safe final class ProgressSignal: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let steps = Atomic(0)
  private let sleepers = Atomic(0)

  /// How often a thread polls before it sleeps: most signals come sooner than a thread wakes up.
  private static let polls = 4_000

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    // Neither can fail without attributes.
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// How often progress was signalled.
  var count: Int { steps.load(ordering: .sequentiallyConsistent) }

  /// Signals progress.
  func signal() {
    steps.add(1, ordering: .sequentiallyConsistent)
    guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
    unsafe pthread_mutex_lock(mutex)
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until ``count`` differs from the one seen.
  func wait(after seen: Int) {
    for _ in 0..<Self.polls where count != seen { return }
    unsafe pthread_mutex_lock(mutex)
    sleepers.add(1, ordering: .sequentiallyConsistent)
    while count == seen { unsafe pthread_cond_wait(condition, mutex) }
    sleepers.subtract(1, ordering: .sequentiallyConsistent)
    unsafe pthread_mutex_unlock(mutex)
  }
}
