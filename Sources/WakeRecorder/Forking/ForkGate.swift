import Glibc
import WakeTrace

/// Makes fork(2) wait until no thread runs code of the recorder that a fork could break.
///
/// Swift's runtime has locks that a fork does not handle: one that another thread holds stays locked in the child
/// for ever. So all work except recording plain events passes the gate, a lock that is held for reading inside
/// and that a fork takes for writing.
///
/// A thread must not enter twice, nor block inside: while a fork waits, no other thread enters. Blocking system
/// calls release the lock meanwhile (``HeldLock``).
package enum ForkGate {
  private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
    // Prepare handlers run in reverse order of registration: first this gate's, then those of inner locks.
    ProducerCells.prepareForForks()
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    unsafe start(lock)
    pthread_atfork(
      { unsafe _ = pthread_rwlock_wrlock(ForkGate.lock) },
      { unsafe _ = pthread_rwlock_unlock(ForkGate.lock) },
      // The child's thread is not the one that holds the lock.
      { unsafe start(ForkGate.lock) })
    return unsafe lock
  }()

  private static func start(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) {
    var attributes = pthread_rwlockattr_t()
    unsafe pthread_rwlockattr_init(&attributes)
    // By default readers could starve a fork.
    unsafe pthread_rwlockattr_setkind_np(
      &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    unsafe pthread_rwlock_init(lock, &attributes)
    unsafe pthread_rwlockattr_destroy(&attributes)
  }

  /// Runs code inside that never blocks.
  package static func passBriefly<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe _ = pthread_rwlock_unlock(lock) }
    return try body()
  }

  /// Runs code inside.
  package static func pass<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    unsafe HeldLock.current = lock
    defer { leave() }
    return try body()
  }

  /// Runs code inside, unless a fork waits.
  ///
  /// Not generic, as a generic call could take locks of the runtime before it is inside.
  static func passUnlessForking(_ body: () -> Void) {
    guard unsafe pthread_rwlock_tryrdlock(lock) == 0 else { return }
    unsafe HeldLock.current = lock
    defer { leave() }
    body()
  }

  private static func leave() {
    unsafe HeldLock.current = nil
    unsafe pthread_rwlock_unlock(lock)
  }
}

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
