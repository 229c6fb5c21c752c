import Foundation
import Testing
import WakeEvents
import WakeTestSupport
import WakeTrace

/// The recorder through `rouse.h`, from programs that are compiled here.
@Suite("Other languages record")
struct OtherLanguagesTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let header = package.appending(path: "Sources/CRouse/include").path
  /// Where the tests and the library were built.
  private static let built = URL(filePath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent().path
  private static var library: String { built + "/librouse-c.so" }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Runs a program and expects it to succeed.
  private func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = folder.file("output")
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    let file = try #require(FileHandle(forWritingAtPath: output))
    process.standardOutput = file
    process.standardError = file
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    try #require(process.terminationStatus == 0, "\(arguments): \(text.suffix(3_000))")
  }

  /// Compiles a program with warnings as errors, links it to the library, and runs it.
  private func compileAndRun(
    _ source: String, compiler: [String], _ arguments: [String]
  ) throws {
    let program = folder.file("program")
    try run(
      compiler + [
        "-Wall", "-Wextra", "-Werror", "-I", Self.header, Self.package.appending(path: source).path,
        Self.library, "-Wl,-rpath,\(Self.built)", "-lpthread", "-o", program,
      ])
    try run([program] + arguments)
  }

  private func expectTrace(_ name: String, events: Int, streams: Int) throws {
    let verification = TraceVerification(of: try TraceFile(path: folder.file(name)))
    #expect(verification.isWhole, "\(verification.problems)")
    #expect(verification.events == events && verification.streams == streams)
  }

  @Test("C: the example")
  func example() throws {
    try compileAndRun(
      "Tests/RouseCTests/Examples/component.c", compiler: ["clang", "-std=c11"],
      [folder.file("a.wtrace")])
    // Two threads that follow each other may share a ring.
    let verification = TraceVerification(of: try TraceFile(path: folder.file("a.wtrace")))
    #expect(verification.isWhole && verification.events == 2_002)
  }

  @Test("C: what makes no sense is answered by codes; fork")
  func errors() throws {
    try compileAndRun(
      "Tests/RouseCTests/Resources/errors.c", compiler: ["clang", "-std=gnu11"], [folder.path])
    try expectTrace("a.wtrace", events: 113, streams: 2)
    try expectTrace("child.wtrace", events: 1, streams: 1)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasSuffix(".ring") }, "\(left)")
  }

  @Test("C: children that are forked off while threads use the recorder")
  func forks() throws {
    try compileAndRun(
      "Tests/RouseCTests/Resources/forks.c", compiler: ["clang", "-std=gnu11"], [folder.path])
    try expectTrace("a.wtrace", events: 100, streams: 1)
    try expectTrace("child.wtrace", events: 100, streams: 100)
  }

  @Test("C++: the example")
  func plusPlus() throws {
    try compileAndRun(
      "Tests/RouseCTests/Examples/component.cpp", compiler: ["clang++", "-std=c++17"],
      [folder.file("a.wtrace")])
    try expectTrace("a.wtrace", events: 1_000, streams: 1)
  }

  @Test("Python: the example, through ctypes")
  func python() throws {
    let script = Self.package.appending(path: "Tests/RouseCTests/Examples/component.py").path
    try run(["python3", script, Self.library, folder.file("a.wtrace")])
    try expectTrace("a.wtrace", events: 1_000, streams: 1)
  }
}
