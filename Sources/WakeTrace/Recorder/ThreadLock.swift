import Glibc

/// A value that one thread at a time reaches.
///
/// It is the system's mutex rather than `Mutex`, whose inside ThreadSanitizer does not know: with that
/// it would report races where there are none.
///
/// Who may be forked while a thread has the lock takes it over the fork: see `pthread_atfork`.
@safe
package final class ThreadLock<Value>: @unchecked Sendable {
  // Sendable: the value is reached under the lock alone.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }

  /// Does something with a lock that threads keep while they write to the disk: others wait for it outside
  /// the ``ForkGate``. All of its users must.
  func withLockOverWrites<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    ForkGate.outside { lock() }
    defer { unlock() }
    return try body(&value)
  }

  /// Does something if no thread has the lock.
  func withLockIfFree(_ body: (inout Value) -> Void) {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return }
    defer { unlock() }
    body(&value)
  }

  /// Takes the lock over a fork; ``unlock()`` must follow.
  package func lock() { unsafe _ = pthread_mutex_lock(mutex) }

  package func unlock() { unsafe _ = pthread_mutex_unlock(mutex) }
}
