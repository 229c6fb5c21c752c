import BenchmarkModel
import Foundation

/// Finds the builds that a comparison names: programs, or revisions, which it builds.
struct BuildFinder {
  var cache: RevisionCache

  /// The build that an argument names: `this` is this program, a path is a program, and anything else is a revision of
  /// the project's repository.
  func build(_ word: String) throws -> Comparer.Build {
    if word == "this" {
      return Comparer.Build(
        label: word, paths: [try ChildProcess.ownPath()], root: Project.root,
        description: Surroundings.build(label: "this build"))
    }
    if word.contains("/"), Self.isFile(word) {
      guard FileManager.default.isExecutableFile(atPath: word) else {
        throw BenchmarkFailure("\(word): is not a program")
      }
      return Comparer.Build(
        label: word, paths: [word],
        // Each with its own traces and thresholds.
        root: Project.named == nil ? Project.tree(around: word) : nil,
        description: BuildDescription(label: word, configuration: "unknown", compiler: "unknown"))
    }
    let built = try cache.build(try Self.commit(word), calledOut: word)
    return Comparer.Build(
      label: word, paths: built.programs, root: built.source,
      description: BuildDescription(
        label: word, revision: built.commit, configuration: "release",
        compiler: Surroundings.build(label: "").compiler))
  }

  /// Throws unless an argument names a build, before the other one is built.
  func refuse(_ word: String) throws {
    guard word != "this", !(word.contains("/") && Self.isFile(word)) else { return }
    _ = try Self.commit(word)
  }

  /// The commit of a revision.
  static func commit(_ word: String) throws -> String {
    // git would read a word that begins with a hyphen as an option.
    let found =
      word.hasPrefix("-")
      ? nil
      : try? OtherProgram.output(
        of: ["git", "rev-parse", "--verify", "--quiet", "\(word)^{commit}"], in: Project.root)
    if let found { return found }
    let hint =
      if isFile(word) {
        "; the program in this folder is ./\(word)"
      } else if (try? Suites.chosen(.init(filters: [word]))) != nil {
        "; it names benchmarks, which follow the two builds"
      } else {
        withoutRevisions.map { "; \($0)" } ?? ""
      }
    throw BenchmarkFailure(
      "'\(word)' is neither a program's path nor a revision in \(Project.root)\(hint)")
  }

  /// The reason why the project has no revisions; nil if it has some.
  private static var withoutRevisions: String? {
    guard OtherProgram.path(of: "git") != nil else { return "git is not installed" }
    let outcome = try? OtherProgram.run(
      ["git", "rev-parse", "--git-dir"], in: Project.root, takesErrors: true)
    guard let outcome else { return "the folder does not exist" }
    let reason = outcome.output.split(separator: "\n").first.map(String.init) ?? "no output of git"
    return outcome.status == 0 ? nil : "git finds no repository in it (\(reason))"
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
