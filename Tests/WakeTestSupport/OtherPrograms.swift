import Foundation

/// Programs other than Rouse that read traces: gzip, and a reader in Python that follows the page Format alone.
public enum OtherPrograms {
  /// The path of the reader in Python.
  public static let traceReader = PackageFolder.root
    .appending(path: "Tests/WakeTraceTests/Resources/read_wtrace.py").path()

  /// Runs a program with its output in a file; nil if the program is not installed.
  public static func run(
    _ arguments: [String], into output: String
  ) throws -> (status: Int32, output: String)? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    try Data().write(to: URL(filePath: output))
    let file = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    try file.close()
    if process.terminationStatus == 127 {
      print("SKIPPED: there is no \(arguments[0]) to read traces with.")
      return nil
    }
    return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
  }
}
