import Glibc
import Synchronization

/// The folder in which the command was started, where foreign code may change that of the whole process, as daemons do.
///
/// Whoever opens or renames what a relative path names goes back to it first. It is kept open, so that it is found though it
/// is moved or removed.
package enum StartFolder {
  private static let descriptor = Atomic<Int32>(-1)

  /// Keeps the folder, before foreign code runs. One that cannot be opened is not gone back to.
  package static func keep() {
    guard descriptor.load(ordering: .relaxed) < 0 else { return }
    let opened = SystemCalls.open(".", O_RDONLY | O_DIRECTORY)
    guard opened >= 0 else { return }
    descriptor.store(SystemCalls.duplicateHigh(opened), ordering: .relaxed)
    close(opened)
  }

  /// Goes back to the folder, if it is kept.
  ///
  /// - Throws: ``TraceError`` with `inputOutput`, as when foreign code has closed it.
  package static func enter() throws(TraceError) {
    let kept = descriptor.load(ordering: .relaxed)
    guard kept < 0 || fchdir(kept) == 0 else {
      throw .system("cannot be gone back to", file: "the folder of the command")
    }
  }
}
