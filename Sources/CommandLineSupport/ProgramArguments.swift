import WakeEvents

/// The arguments with which the program was called.
package enum ProgramArguments {
  /// Reads them, without the program's name.
  ///
  /// - Throws: ``UsageError`` if one is not UTF-8: Swift would put other characters in its place, so that it would name another
  ///   file.
  package static func read() throws(UsageError) -> [String] {
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
}
