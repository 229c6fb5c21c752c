import Foundation

/// Runs other programs to their end: git, the compiler, Valgrind.
enum OtherProgram {
  /// The result of a program.
  struct Outcome {
    var status: Int32
    var output: String
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - words: The program, which is searched on the path, and its arguments.
  ///   - folder: The working directory.
  ///   - environment: Additional environment variables.
  ///   - takesErrors: Whether standard error is part of the output; otherwise it is passed through.
  static func run(
    _ words: [String], in folder: String? = nil, environment: [String: String] = [:],
    takesErrors: Bool = false
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    if takesErrors { process.standardError = pipe }
    do {
      try process.run()
    } catch {
      throw BenchmarkFailure("\(words.first ?? "env"): cannot be run")
    }
    Interrupts.add(child: process.processIdentifier)
    defer { Interrupts.remove(child: process.processIdentifier) }
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }

  /// The output of a program, trimmed; throws if it fails.
  static func output(of words: [String], in folder: String? = nil) throws -> String {
    let outcome = try run(words, in: folder, takesErrors: true)
    let text = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard outcome.status == 0 else {
      throw BenchmarkFailure("\(words.joined(separator: " ")) failed:\n\(text)")
    }
    return text
  }

  /// The path of an installed program.
  static func path(of name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
