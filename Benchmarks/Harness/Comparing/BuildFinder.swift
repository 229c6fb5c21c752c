import BenchmarkModel
import Foundation

/// Finds the builds that a comparison names: programs, or revisions which it builds.
struct BuildFinder {
  var cache: RevisionCache

  /// The build that a word names: `this` is this program, a path is a program, and anything else a
  /// revision of the project's repository.
  func build(_ word: String) throws -> Comparer.Build {
    if word == "this" {
      return Comparer.Build(
        label: word, paths: [try ChildProcess.ownPath()], root: Project.root,
        description: Surroundings.build(label: "this build"))
    }
    if word.contains("/"), Self.isFile(word) {
      guard FileManager.default.isExecutableFile(atPath: word) else {
        throw BenchmarkFailure("\(word): is no program")
      }
      return Comparer.Build(
        label: word, paths: [word],
        // Each with what belongs to it.
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

  /// Throws unless a word names something, so that the other build is not made in vain.
  func refuse(_ word: String) throws {
    guard word != "this", !(word.contains("/") && Self.isFile(word)) else { return }
    _ = try Self.commit(word)
  }

  /// The commit that a revision is.
  static func commit(_ word: String) throws -> String {
    // What begins with a hyphen would be an option of git's.
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
        "; it names benchmarks, which come behind the two builds"
      } else {
        withoutRevisions.map { "; \($0)" } ?? ""
      }
    throw BenchmarkFailure(
      "'\(word)' is neither a program's path nor a revision in \(Project.root)\(hint)")
  }

  /// Why the project has no revisions at all; nil if it has some.
  private static var withoutRevisions: String? {
    guard OtherProgram.path(of: "git") != nil else { return "there is no git on the path" }
    let outcome = try? OtherProgram.run(
      ["git", "rev-parse", "--git-dir"], in: Project.root, takesErrors: true)
    guard let outcome else { return "there is no such folder" }
    let reason = outcome.output.split(separator: "\n").first.map(String.init) ?? "git says nothing"
    return outcome.status == 0 ? nil : "git finds no repository there (\(reason))"
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}
