import Foundation
import Testing
import WakeTestSupport
import WakeTrace

/// Compiles and runs components against the library that was built with the tests, in a folder of its
/// own.
struct ComponentWorkshop {
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let header = package.appending(path: "Sources/CRouse/include/rouse.h").path
  /// Where the tests, the command and the library were built.
  static let built = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().path
  static var library: String { built + "/librouse-c.so" }
  static var command: String { built + "/rouse" }

  static func source(_ name: String) -> String {
    package.appending(path: "Tests/RouseCTests/" + name).path
  }

  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  func file(_ name: String) -> String { folder.file(name) }

  /// Runs a program, expects it to succeed, and returns its standard output.
  @discardableResult
  func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (folder.file("output"), folder.file("errors"))
    for path in [output, errors] {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    let outputs = try [output, errors].map { try FileHandle(forWritingTo: URL(filePath: $0)) }
    defer { for output in outputs { try? output.close() } }
    (process.standardOutput, process.standardError) = (outputs[0], outputs[1])
    try process.start()
    process.waitUntilExit()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let told = try String(contentsOfFile: errors, encoding: .utf8)
    try #require(
      process.terminationStatus == 0, "\(arguments): \(text.suffix(3_000)) \(told.suffix(3_000))")
    return text
  }

  /// Compiles a program with warnings as errors, and links it to the library; returns its path.
  func compile(
    _ sources: [String], compiler: [String], libraries: [String] = ["-lpthread"]
  ) throws -> String {
    let program = folder.file("program")
    let include = URL(filePath: Self.header).deletingLastPathComponent().path
    try run(
      compiler + ["-Wall", "-Wextra", "-Werror", "-I", include] + sources.map(Self.source)
        + [Self.library, "-Wl,-rpath,\(Self.built)"] + libraries + ["-o", program])
    return program
  }

  /// Compiles a program, and runs it.
  ///
  /// - Parameter shell: What runs it.
  @discardableResult
  func compileAndRun(
    _ sources: [String], compiler: [String], libraries: [String] = ["-lpthread"],
    _ arguments: [String], through shell: [String] = []
  ) throws -> String {
    let program = try compile(sources, compiler: compiler, libraries: libraries)
    return try run(shell + [program] + arguments)
  }

  /// The events of a trace as JSON Lines.
  func export(_ trace: String) throws -> String { try run([Self.command, "export", trace]) }

  func verification(_ name: String) throws -> TraceVerification {
    TraceVerification(of: try TraceFile(path: folder.file(name)))
  }
}
