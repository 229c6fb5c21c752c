import Glibc
import Kernels
package import WakeScheduling

/// The environment variables that choose how Rouse computes. Results do not depend on them.
package enum RunEnvironment {
  /// Checks the variables.
  ///
  /// - Throws: ``UsageError`` with the valid values if a value is invalid.
  package static func check(for command: String) throws(UsageError) {
    do {
      try ProcessorPath.checkEnvironment()
    } catch {
      throw UsageError(command: command, message: "\(error)")
    }
    _ = try accelerations(for: command)
  }

  /// The scheduler's accelerations that `ROUSE_ACCELERATIONS` selects; all if the variable is unset or empty.
  ///
  /// - Throws: ``UsageError`` with the valid names if a name is unknown.
  package static func accelerations(for command: String) throws(UsageError) -> Accelerations {
    guard let text = unsafe getenv(accelerationsVariable).map({ unsafe String(cString: $0) }),
      !text.isEmpty
    else { return .all }
    do {
      return try Accelerations(text)
    } catch {
      throw UsageError(command: command, message: "\(accelerationsVariable)=\(text): \(error)")
    }
  }

  private static let accelerationsVariable = "ROUSE_ACCELERATIONS"
}
