import Glibc
import WakeTrace

/// A value that one thread at a time accesses, and a lock that a `pthread_atfork` handler can hold over a fork.
///
/// It uses `pthread_mutex_t`, as ThreadSanitizer does not know `Mutex` and would report races.
@safe
package final class ThreadLock<Value>: @unchecked Sendable {
  // Sendable: the value is accessed under the lock alone.
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

  /// As ``withLock(_:)``, for a lock that threads hold while they write to the disk: a thread that waits for it
  /// leaves the ``ForkGate`` meanwhile. All users of such a lock must use this.
  func withLockOverWrites<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    HeldLock.releasedWhile { lock() }
    defer { unlock() }
    return try body(&value)
  }

  /// Runs code under the lock if it is free.
  func withLockIfFree(_ body: (inout Value) -> Void) {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return }
    defer { unlock() }
    body(&value)
  }

  package func lock() { unsafe _ = pthread_mutex_lock(mutex) }

  package func unlock() { unsafe _ = pthread_mutex_unlock(mutex) }
}
