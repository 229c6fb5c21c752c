import Glibc

/// The message of each thread's last failure.
enum LastError {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { unsafe free($0) }
    return key
  }()

  private static let none: StaticString = "no error"

  static func set(_ text: String) {
    unsafe free(pthread_getspecific(key))
    unsafe _ = pthread_setspecific(key, strdup(text))
  }

  static var text: UnsafePointer<CChar> {
    guard let text = unsafe pthread_getspecific(key) else {
      return unsafe UnsafeRawPointer(none.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    return unsafe UnsafePointer(text.assumingMemoryBound(to: CChar.self))
  }
}
