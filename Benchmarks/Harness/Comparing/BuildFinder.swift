import Foundation
import Measurement

/// Finds the builds that a comparison names: programs, or revisions which it builds.
struct BuildFinder {
  /// Where worktrees are kept, so that a revision is built once.
  var cache: String

  /// The build that a word names: `this` is this program, a path is a program, and anything else a
  /// revision of the project's repository.
  func build(_ word: String) throws -> Comparer.Build {
    if word == "this" {
      return Comparer.Build(
        label: word, path: try ChildProcess.ownPath(), root: Project.root,
        description: Surroundings.build(label: "this build"))
    }
    var isFolder: ObjCBool = false
    if word.contains("/"),
      unsafe FileManager.default.fileExists(atPath: word, isDirectory: &isFolder),
      !isFolder.boolValue
    {
      guard FileManager.default.isExecutableFile(atPath: word) else {
        throw BenchmarkFailure("\(word): is no program")
      }
      return Comparer.Build(
        label: word, path: word, root: nil,
        description: BuildDescription(label: word, configuration: "unknown", compiler: "unknown"))
    }
    return try revision(word)
  }

  private func revision(_ word: String) throws -> Comparer.Build {
    let commit: String
    do {
      commit = try command(
        ["git", "rev-parse", "--verify", "--quiet", "\(word)^{commit}"], in: Project.root)
    } catch {
      throw BenchmarkFailure("'\(word)' is neither a program's path nor a revision")
    }
    let folder = "\(cache)/\(commit)"
    let program = "\(folder)/.build/release/rouse-bench"
    if !FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.createDirectory(
        atPath: cache, withIntermediateDirectories: true)
      // A worktree that was removed by hand would be in the way.
      _ = try command(["git", "worktree", "prune"], in: Project.root)
      _ = try command(["git", "worktree", "add", "--detach", folder, commit], in: Project.root)
    }
    Output.progress("building \(word)")
    _ = try command(
      ["swift", "build", "-c", "release", "--product", "rouse-bench"] + Self.alignment, in: folder)
    Output.progress(nil)
    return Comparer.Build(
      label: word, path: program, root: folder,
      description: BuildDescription(
        label: word, revision: commit, configuration: "release",
        compiler: Surroundings.build(label: "").compiler))
  }

  /// Functions begin at cache lines, so that a change of one does not move the code of others within
  /// theirs, which can make them faster or slower by some percent.
  static let alignment = ["-Xswiftc", "-Xllvm", "-Xswiftc", "-align-all-functions=6"]

  /// Runs a command to its end; returns what it printed.
  private func command(_ words: [String], in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure("\(words.joined(separator: " ")) failed:\n\(text)")
    }
    return text
  }
}
