import Glibc

/// The folder in which the command was started. A library may change the folder of the whole process, as daemons do, and
/// relative paths of outputs would then lead elsewhere.
enum StartFolder {
  private static let path: String? = unsafe getcwd(nil, 0).map { path in
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// Notes the folder, before foreign code runs.
  static func note() { _ = path }

  /// Goes back to it. A folder that is gone or cannot be entered leaves paths as they are.
  static func comeBack() {
    if let path { unsafe _ = chdir(path) }
  }
}
