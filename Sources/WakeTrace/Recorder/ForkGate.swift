import Glibc

/// Keeps a process from being forked while one of the recorder's threads is at work.
///
/// Swift's runtime has locks of its own, which a fork does not look after: one that another thread has at
/// that moment stays locked in the child for good. So who does more than record plain events goes through
/// the gate, and a fork waits until nobody is inside.
///
/// Nobody may be inside twice, or wait inside for what may take long: while a fork waits, nobody else is let
/// in. So who writes to the disk, or waits for somebody who does, is ``outside(_:)`` for that time.
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

  /// Set for threads that are inside and can leave for a time.
  private static let insideKey: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  private static var isInside: Bool {
    get { unsafe pthread_getspecific(insideKey) != nil }
    set {
      unsafe _ = pthread_setspecific(insideKey, newValue ? UnsafeRawPointer(lock) : nil)
    }
  }

  /// Does something inside that waits for nothing, and so never leaves.
  package static func passBriefly<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe pthread_rwlock_rdlock(lock)
    defer { unsafe _ = pthread_rwlock_unlock(lock) }
    return try body()
  }

  /// Does something inside.
  package static func pass<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    enter()
    defer { leave() }
    return try body()
  }

  /// Does something inside, or nothing if a fork waits.
  ///
  /// Not generic, as a call of what is may take the locks in question before it is inside.
  static func passAtOnce(_ body: () -> Void) {
    guard unsafe pthread_rwlock_tryrdlock(lock) == 0 else { return }
    isInside = true
    defer { leave() }
    body()
  }

  /// Does something outside, of a thread that may be inside: a bare system call that may take long.
  ///
  /// A fork may happen meanwhile, so it must not touch what a child needs.
  static func outside<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isInside else { return try body() }
    leave()
    defer {
      let reason = errno
      enter()
      errno = reason
    }
    return try body()
  }

  private static func enter() {
    unsafe pthread_rwlock_rdlock(lock)
    isInside = true
  }

  private static func leave() {
    isInside = false
    unsafe pthread_rwlock_unlock(lock)
  }
}
