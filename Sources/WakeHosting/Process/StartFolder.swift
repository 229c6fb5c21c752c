import Glibc
import WakeTrace

/// The folder in which the command was started. A library may change the folder of the whole process, as daemons do, and
/// relative paths of outputs would then lead elsewhere.
enum StartFolder {
  /// Negative if the folder cannot be opened; then paths go with the library.
  private static let descriptor: Int32 = {
    let opened = SystemCalls.open(".", O_RDONLY | O_DIRECTORY)
    guard opened >= 0 else { return opened }
    defer { close(opened) }
    return SystemCalls.duplicateHigh(opened)
  }()

  /// Notes the folder, before foreign code runs.
  static func note() { _ = descriptor }

  /// Goes back to it.
  ///
  /// - Throws: ``TraceError`` with `inputOutput`, as when the scheduler has closed the descriptor.
  static func comeBack() throws(TraceError) {
    guard descriptor < 0 || fchdir(descriptor) == 0 else {
      throw .system("cannot be gone back to", file: "the folder of the command")
    }
  }
}
