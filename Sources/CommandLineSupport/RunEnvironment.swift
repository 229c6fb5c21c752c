import Glibc
import Kernels
import WakeEvents
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

  /// The arguments of the program.
  ///
  /// - Throws: ``UsageError`` if one is not UTF-8, as Swift would put other characters in its place, and another file in that
  ///   of the one that it names.
  package static func arguments() throws(UsageError) -> [String] {
    let arguments = CommandLine.arguments
    for place in arguments.indices.dropFirst() {
      guard let argument = unsafe CommandLine.unsafeArgv[place],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      throw UsageError(
        command: nil,
        message: "argument \(place), '\(arguments[place].shown)', is not UTF-8; if it is a file, "
          + "rename that")
    }
    return Array(arguments.dropFirst())
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
