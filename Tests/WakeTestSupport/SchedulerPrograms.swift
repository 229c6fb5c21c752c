import Foundation

/// The schedulers in `Tests/Schedulers`, compiled as shared libraries for `rouse_scheduler.h`.
public enum SchedulerPrograms {
  /// Whether there is a compiler. Tests that need one are skipped without it.
  public static let hasCompiler = OtherPrograms.has("cc") || OtherPrograms.has("clang")

  /// Compiles a file with warnings as errors.
  ///
  /// - Parameters:
  ///   - name: The file in `Tests/Schedulers`, or its whole path.
  ///   - definitions: Macros, `NAME=VALUE`.
  ///   - library: The path of the library.
  public static func compile(
    _ name: String, _ definitions: [String] = [], to library: String
  ) throws {
    let root = PackageFolder.root
    let (status, output) = try OtherPrograms.run(
      [OtherPrograms.has("clang") ? "clang" : "cc"]
        + ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
        + ["-I", root.appending(path: "Sources/CRouse/include").path()]
        + definitions.map { "-D\($0)" }
        + [
          name.hasPrefix("/") ? name : root.appending(path: "Tests/Schedulers/\(name)").path(),
          "-lm", "-lpthread", "-o",
          library,
        ], into: library + ".log")
    guard status == 0 else { throw Failure(text: "\(name) \(definitions): \(output)") }
  }

  /// A compiler's messages.
  public struct Failure: Error, CustomStringConvertible {
    let text: String
    public var description: String { text }
  }
}
