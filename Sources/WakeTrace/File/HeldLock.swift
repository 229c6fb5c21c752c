package import Glibc

/// A read lock that a thread holds and may release while a system call blocks.
///
/// The recorder holds one while a fork would be unsafe. Writes may block for long, so they release it: a fork
/// then need not wait for the disk. This layer knows only which lock to release.
package enum HeldLock {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// The lock that the calling thread holds for reading, if any.
  package static var current: UnsafeMutablePointer<pthread_rwlock_t>? {
    get {
      unsafe pthread_getspecific(key)?.assumingMemoryBound(to: pthread_rwlock_t.self)
    }
    set { unsafe _ = pthread_setspecific(key, newValue) }
  }

  /// Releases the lock while `body` runs, and restores `errno` after taking it again.
  ///
  /// A fork may happen meanwhile, so `body` must be a bare system call.
  package static func releasedWhile<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let lock = unsafe current else { return try body() }
    unsafe current = nil
    unsafe pthread_rwlock_unlock(lock)
    defer {
      let reason = errno
      unsafe pthread_rwlock_rdlock(lock)
      unsafe current = lock
      errno = reason
    }
    return try body()
  }
}
