import BenchmarkModel
import Foundation

/// A folder of revisions that were built, so that each is built once by each compiler.
///
/// `COMMIT-COMPILER/source` is a worktree of the revision, `COMMIT-COMPILER/programs` what it was linked to,
/// which appears when all of it is there. Who builds holds the lock `COMMIT-COMPILER.lock`; it goes with its
/// process, however that ends.
struct RevisionCache {
  var folder: String

  /// A revision that was built.
  struct Built {
    var commit: String
    /// The programs, which differ by their layout alone.
    var programs: [String]
    /// Its worktree.
    var source: String
  }

  /// How many programs a revision is linked to.
  private static let layouts = 10

  /// The names of all that was built or begun, sorted. Whatever else lies in the folder is none of ours.
  func entries() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { name in
      name.prefix { $0.isHexDigit }.count == 40 && name.dropFirst(40).hasPrefix("-")
        && FileManager.default.fileExists(atPath: "\(folder)/\(name)/source")
    }.sorted()
  }

  /// Whether an entry was built to its end.
  func isWhole(_ entry: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(entry)/programs")
  }

  /// Builds a commit, unless that was done.
  func build(_ commit: String, calledOut word: String) throws -> Built {
    let entry = "\(commit)-\(try Self.compiler())"
    let home = "\(folder)/\(entry)"
    let source = "\(home)/source"
    try make(home)
    let lock = try Lock(path: "\(home).lock") { Output.progress("another one builds \(word)") }
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

  /// Deletes an entry with its worktree, once nobody builds it.
  func delete(_ entry: String) throws {
    let home = "\(folder)/\(entry)"
    let lock = try Lock(path: "\(home).lock") { Output.progress("another one builds \(entry)") }
    defer { lock.release() }
    // The repository may be gone, or another one.
    _ = try? OtherProgram.output(
      of: ["git", "worktree", "remove", "--force", "\(home)/source"], in: "\(home)/source")
    do {
      try FileManager.default.removeItem(atPath: home)
    } catch {
      throw BenchmarkFailure("\(home): cannot be deleted")
    }
    guard !FileManager.default.fileExists(atPath: home) else {
      throw BenchmarkFailure("\(home): is there again, as something still writes to it")
    }
    try? FileManager.default.removeItem(atPath: "\(home).lock")
    _ = try? OtherProgram.output(of: ["git", "worktree", "prune"], in: Project.root)
  }

  /// What the compiler calls itself, as part of a file's name: another one makes another program.
  private static func compiler() throws -> String {
    // "Swift version 6.3 (swift-6.3-RELEASE)", of which what stands in parentheses tells all.
    let output = try OtherProgram.output(of: ["swift", "--version"])
    let line = output.split(separator: "\n").first { $0.contains("Swift version") } ?? ""
    let inner = line.split(separator: "(").last?.split(separator: ")").first ?? line
    return String(inner.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" })
  }

  private func make(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw BenchmarkFailure("\(path): cannot be made; --cache names another folder")
    }
  }

  /// Makes the worktree, anew if its making was interrupted.
  private func checkOut(_ commit: String, to source: String) throws {
    let mark = source + ".whole"
    guard !FileManager.default.fileExists(atPath: mark) else { return }
    try? FileManager.default.removeItem(atPath: source)
    // One that was removed by hand, or begun, would be in the way.
    _ = try OtherProgram.output(of: ["git", "worktree", "prune"], in: Project.root)
    _ = try OtherProgram.output(
      of: ["git", "worktree", "add", "--force", "--detach", source, commit], in: Project.root)
    try OutputPath.write("", to: mark)
  }

  /// Builds a revision and links it several times, with its functions in another order each time.
  ///
  /// Where a function comes to lie makes it some percent faster or slower, and any change of the source
  /// moves all that follow. Over several layouts this is noise like any other.
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
      throw BenchmarkFailure("\(programs): cannot be put in place (\(Output.reason()))")
    }
  }
}

/// A lock that other processes respect, and that ends with this one.
struct Lock {
  private let descriptor: Int32

  /// Takes the lock; `waiting` is called if somebody else has it.
  init(path: String, waiting: () -> Void) throws {
    while true {
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw BenchmarkFailure("\(path): cannot be made (\(Output.reason()))")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        waiting()
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        Output.progress(nil)
      }
      // Whoever had it may have deleted the file: then it keeps nobody else out.
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
