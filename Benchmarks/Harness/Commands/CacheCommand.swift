import CommandLineSupport
import Foundation

/// `rouse-bench cache`
enum CacheCommand: Command {
  static let specification = Specification.bench(
    "cache", "List, build or delete the stored builds of revisions.",
    operands: "list | build REVISION… | delete NAME… | clear", count: 1...(.max),
    discussion: """
      compare builds a revision once with each compiler, in a worktree, and stores the build: about 1 GB
      each. list prints the names, build prints the path of a program, delete takes names from list, and
      clear deletes all.
      """,
    options: [option])

  static let option = Specification.Option(
    "--cache", value: "FOLDER", "The folder of builds (default ~/.cache/rouse-bench).")

  /// The cache that `--cache` names, or the default one.
  static func cache(_ arguments: Arguments) -> RevisionCache {
    if let folder = arguments.value("--cache") {
      return RevisionCache(folder: URL(filePath: folder).path)
    }
    let environment = ProcessInfo.processInfo.environment
    let base = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/tmp") + "/.cache"
    return RevisionCache(folder: base + "/rouse-bench")
  }

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let cache = cache(arguments)
    let others = arguments.operands.dropFirst()
    switch (arguments.operands[0], others.count) {
    case ("list", 0):
      for entry in cache.entries() {
        Output.print(cache.isWhole(entry) ? "\(entry)\n" : "\(entry) (incomplete)\n")
      }
    case ("build", 1...):
      for word in others {
        let built = try cache.build(try BuildFinder.commit(word), calledOut: word)
        Output.print("\(built.programs[0])\n")
      }
    case ("delete", 1...):
      let entries = cache.entries()
      for name in others where !entries.contains(name) {
        throw BenchmarkFailure("there is no '\(name)' in \(cache.folder)")
      }
      for name in others { try cache.delete(name) }
    case ("clear", 0):
      for entry in cache.entries() { try cache.delete(entry) }
    default:
      throw arguments.usage("usage: rouse-bench cache \(specification.operands)")
    }
    return .success
  }
}
