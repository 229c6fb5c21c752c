import Glibc

/// Keeps a process from being forked while one of the recorder's threads is at work.
///
/// Swift's runtime has locks of its own, which a fork does not look after: one that another thread has at
/// that moment stays locked in the child for good. So who does more than record plain events goes through
/// the gate, and a fork waits until nobody is inside.
///
/// Nobody may be inside twice, or wait inside for room in a ring: while a fork waits, nobody else is let in.
package enum ForkGate {
  private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
    // Handlers run in the opposite order before a fork: first the gate, then the locks that are taken
    // inside.
    ProducerCells.prepareForForks()
    let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    unsafe start(lock)
    pthread_atfork(
      { unsafe _ = pthread_rwlock_wrlock(ForkGate.lock) },
      { unsafe _ = pthread_rwlock_unlock(ForkGate.lock) },
      // The child's thread is not the one that has the lock.
      { unsafe start(ForkGate.lock) })
    return unsafe lock
  }()

  private static func start(_ lock: UnsafeMutablePointer<pthread_rwlock_t>) {
    var attributes = pthread_rwlockattr_t()
    unsafe pthread_rwlockattr_init(&attributes)
    // Else a fork might wait for ever.
    unsafe pthread_rwlockattr_setkind_np(
      &attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
    unsafe pthread_rwlock_init(lock, &attributes)
    unsafe pthread_rwlockattr_destroy(&attributes)
  }

  /// Does something inside.
  package static func pass<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe _ = pthread_rwlock_unlock(lock) }
    return try body()
  }

  /// Does something inside; nil if a fork waits.
  static func passAtOnce<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard unsafe pthread_rwlock_tryrdlock(lock) == 0 else { return nil }
    defer { unsafe _ = pthread_rwlock_unlock(lock) }
    return try body()
  }
}
