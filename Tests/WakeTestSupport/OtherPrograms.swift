import Foundation

/// Programs other than Rouse that read traces: gzip, and a reader in Python that follows the page Format alone.
public enum OtherPrograms {
  /// The path of the reader in Python.
  public static let traceReader = PackageFolder.root
    .appending(path: "Tests/WakeTraceTests/Resources/read_wtrace.py").path()

  /// Whether a program is on the path. Tests that need one are skipped without it:
  /// `.enabled(if: OtherPrograms.has("gzip"), "needs gzip")`.
  public static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }
  }

  /// Runs a program with its output in a file.
  public static func run(
    _ arguments: [String], into output: String
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    try Data().write(to: URL(filePath: output))
    let file = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardOutput = file
    process.standardError = file
    try process.start()
    process.waitUntilExit()
    try file.close()
    return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
  }
}
