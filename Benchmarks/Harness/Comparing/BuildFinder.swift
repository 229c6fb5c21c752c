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
        label: word, paths: [try ChildProcess.ownPath()], root: Project.root,
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
        label: word, paths: [word], root: nil,
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
    if !FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.createDirectory(
        atPath: cache, withIntermediateDirectories: true)
      // A worktree that was removed by hand would be in the way.
      _ = try command(["git", "worktree", "prune"], in: Project.root)
      _ = try command(["git", "worktree", "add", "--detach", folder, commit], in: Project.root)
    }
    return Comparer.Build(
      label: word, paths: try programs(word, in: folder), root: folder,
      description: BuildDescription(
        label: word, revision: commit, configuration: "release",
        compiler: Surroundings.build(label: "").compiler))
  }

  /// How many programs a revision is linked to.
  private static let layouts = 10

  /// Builds a revision and links it several times, with its functions in another order each time.
  ///
  /// Where a function comes to lie makes it some percent faster or slower, and any change of the source
  /// moves all that follow. Over several layouts this is noise like any other.
  private func programs(_ word: String, in folder: String) throws -> [String] {
    let build = ["swift", "build", "-c", "release", "--product", "rouse-bench"]
    let kept = (0..<Self.layouts).map { "\(folder)/.build/rouse-bench-\($0)" }
    guard !kept.allSatisfy(FileManager.default.fileExists(atPath:)) else { return kept }
    Output.progress("building \(word)")
    defer { Output.progress(nil) }
    _ = try command(build, in: folder)
    let program = "\(folder)/.build/release/rouse-bench"
    let functions = try command(["nm", "--format=just-symbols", program], in: folder)
      .split(separator: "\n")
    var random = SeededNumbers(seed: 1)
    for (number, copy) in kept.enumerated() {
      Output.progress("linking \(word), \(number + 1) of \(kept.count)")
      let order = copy + ".order"
      let sections = random.shuffled(functions).map { ".text.\($0)\n" }.joined()
      try RunFile.write(sections, to: order)
      _ = try command(
        build + ["-Xlinker", "--section-ordering-file", "-Xlinker", order], in: folder)
      try? FileManager.default.removeItem(atPath: copy)
      try FileManager.default.copyItem(atPath: program, toPath: copy)
    }
    return kept
  }

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
