import Glibc
import Synchronization

/// Lets threads sleep until another one has brought something forward that they may wait for.
///
/// Unchecked, as the mutex and the condition are made for being shared. Nothing is allocated by waiting.
@safe final class TurnSignal: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private let turns = Atomic(0)
  private let sleepers = Atomic(0)

  /// Looks at ``count`` before a thread sleeps: most turns come sooner than a sleeper wakes up.
  private static let looks = 4_000

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

  /// How often something was brought forward; to be asked for before looking for what to do.
  var count: Int { turns.load(ordering: .sequentiallyConsistent) }

  /// Tells that something was brought forward.
  func announce() {
    turns.add(1, ordering: .sequentiallyConsistent)
    guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
    unsafe pthread_mutex_lock(mutex)
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until something was brought forward since the count was asked for.
  func wait(after seen: Int) {
    for _ in 0..<Self.looks where count != seen { return }
    unsafe pthread_mutex_lock(mutex)
    sleepers.add(1, ordering: .sequentiallyConsistent)
    while count == seen { unsafe pthread_cond_wait(condition, mutex) }
    sleepers.subtract(1, ordering: .sequentiallyConsistent)
    unsafe pthread_mutex_unlock(mutex)
  }
}
