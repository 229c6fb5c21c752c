import BenchmarkModel
import Foundation

/// A folder of built revisions, so that each is built once by each compiler.
///
/// `COMMIT-COMPILER/source` is a worktree of the revision. `COMMIT-COMPILER/programs` holds the linked programs, and
/// exists once all of them are complete. A build holds the lock `COMMIT-COMPILER.lock`, which ends with its process.
struct RevisionCache {
  var folder: String

  /// A built revision.
  struct Built {
    var commit: String
    /// The programs, which differ only in their layout.
    var programs: [String]
    /// Its worktree.
    var source: String
  }

  /// The number of programs that are linked for a revision.
  private static let layouts = 10

  /// The names of all complete and incomplete entries, sorted. Other files in the folder are ignored.
  func entries() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { name in
      name.prefix { $0.isHexDigit }.count == 40 && name.dropFirst(40).hasPrefix("-")
        && FileManager.default.fileExists(atPath: "\(folder)/\(name)/source")
    }.sorted()
  }

  /// Whether the build of an entry is complete.
  func isWhole(_ entry: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(entry)/programs")
  }

  /// Builds a commit if it is not there.
  func build(_ commit: String, calledOut word: String) throws -> Built {
    let entry = "\(commit)-\(try Self.compiler())"
    let home = "\(folder)/\(entry)"
    let source = "\(home)/source"
    try make(home)
    let lock = try Lock(path: "\(home).lock") { Output.progress("another process builds \(word)") }
    defer { lock.release() }
    if !isWhole(entry) {
      Output.progress("building \(word)")
      defer { Output.progress(nil) }
      try checkOut(commit, to: source)
      try link(word, from: source, to: "\(home)/programs")
    }
    let programs = (0..<Self.layouts).map { "\(home)/programs/\($0)" }
    return Built(commit: commit, programs: programs, source: source)
  }

  /// Deletes an entry with its worktree, after waiting for its build.
  func delete(_ entry: String) throws {
    let home = "\(folder)/\(entry)"
    let lock = try Lock(path: "\(home).lock") { Output.progress("another process builds \(entry)") }
    defer { lock.release() }
    // The repository may be gone or replaced.
    _ = try? OtherProgram.output(
      of: ["git", "worktree", "remove", "--force", "\(home)/source"], in: "\(home)/source")
    do {
      try FileManager.default.removeItem(atPath: home)
    } catch {
      throw BenchmarkFailure("\(home): cannot be deleted")
    }
    guard !FileManager.default.fileExists(atPath: home) else {
      throw BenchmarkFailure("\(home): was created again by another process")
    }
    try? FileManager.default.removeItem(atPath: "\(home).lock")
    _ = try? OtherProgram.output(of: ["git", "worktree", "prune"], in: Project.root)
  }

  /// The compiler's version for use in a file name, since another compiler makes another program.
  private static func compiler() throws -> String {
    // "Swift version 6.3 (swift-6.3-RELEASE)": the text in parentheses identifies it.
    let output = try OtherProgram.output(of: ["swift", "--version"])
    let line = output.split(separator: "\n").first { $0.contains("Swift version") } ?? ""
    let inner = line.split(separator: "(").last?.split(separator: ")").first ?? line
    return String(inner.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" })
  }

  private func make(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw BenchmarkFailure("\(path): cannot be created; choose another folder by --cache")
    }
  }

  /// Makes the worktree, again if it is incomplete.
  private func checkOut(_ commit: String, to source: String) throws {
    let completed = source + ".whole"
    guard !FileManager.default.fileExists(atPath: completed) else { return }
    try? FileManager.default.removeItem(atPath: source)
    // Forget a worktree that was removed by hand or is incomplete.
    _ = try OtherProgram.output(of: ["git", "worktree", "prune"], in: Project.root)
    _ = try OtherProgram.output(
      of: ["git", "worktree", "add", "--force", "--detach", source, commit], in: Project.root)
    try OutputPath.write("", to: completed)
  }

  /// Builds a revision and links it several times, with its functions in a different order each time.
  ///
  /// The position of a function changes its speed by some percent, and any change of the source moves the functions
  /// behind it. Over several layouts this effect is random noise.
  private func link(_ word: String, from source: String, to programs: String) throws {
    let build = ["swift", "build", "-c", "release", "--product", "rouse-bench"]
    _ = try OtherProgram.output(of: build, in: source)
    let program = "\(source)/.build/release/rouse-bench"
    let functions = try OtherProgram.output(of: ["nm", "--format=just-symbols", program])
      .split(separator: "\n")
    let partial = programs + ".partial"
    try? FileManager.default.removeItem(atPath: partial)
    try make(partial)
    var random = SeededNumbers(seed: 1)
    for number in 0..<Self.layouts {
      Output.progress("linking \(word), \(number + 1) of \(Self.layouts)")
      let order = "\(partial)/\(number).order"
      let sections = random.shuffled(functions).map { ".text.\($0)\n" }.joined()
      try OutputPath.write(sections, to: order)
      _ = try OtherProgram.output(
        of: build + ["-Xlinker", "--section-ordering-file", "-Xlinker", order], in: source)
      do {
        try FileManager.default.copyItem(atPath: program, toPath: "\(partial)/\(number)")
      } catch {
        throw BenchmarkFailure("\(partial)/\(number): cannot be written")
      }
    }
    guard unsafe rename(partial, programs) == 0 else {
      throw BenchmarkFailure("\(programs): cannot be renamed (\(Output.reason()))")
    }
  }
}

/// A lock between processes, which ends with its process.
struct Lock {
  private let descriptor: Int32

  /// Takes the lock; `waiting` is called if another process holds it.
  init(path: String, waiting: () -> Void) throws {
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw BenchmarkFailure("\(path): cannot be created (\(Output.reason()))")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        waiting()
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        Output.progress(nil)
      }
      // The holder may have deleted the file; then it locks nobody out.
      var (own, named) = (stat(), stat())
      if unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &named) == 0,
        own.st_ino == named.st_ino
      {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  func release() { close(descriptor) }
}
