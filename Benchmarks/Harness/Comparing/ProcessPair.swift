import BenchmarkModel
import Foundation

/// A process of each build, which pass turns to each other.
struct ProcessPair {
  let before: ChildProcess
  let after: ChildProcess
  private let folder: TemporaryFolder?
  private let copies: ProgramCopies?

  var both: [ChildProcess] { [before, after] }

  /// Starts both in random order. The programs are copied, to names of equal length, so that the pages of their files
  /// differ each time. Schedulers under test run in one program, which both processes share.
  init(
    _ before: Comparer.Build, _ after: Comparer.Build, _ random: inout SeededNumbers
  ) throws {
    var paths = (
      before: before.paths.randomElement(using: &random) ?? "",
      after: after.paths.randomElement(using: &random) ?? ""
    )
    let isSwapped = random.coin()
    let temporary: TemporaryFolder
    if before.scheduler == nil && after.scheduler == nil {
      let copies = try ProgramCopies(paths.before, paths.after, swapped: isSwapped)
      paths = (copies.before, copies.after)
      temporary = copies.folder
      self.copies = copies
      folder = nil
    } else {
      temporary = try TemporaryFolder()
      copies = nil
      folder = temporary
    }
    func start(_ build: Comparer.Build, _ path: String) throws -> ChildProcess {
      try ChildProcess(
        path, label: build.label, root: build.root, temporary: temporary.path,
        scheduler: build.scheduler)
    }
    do {
      if random.coin() {
        self.before = try start(before, paths.before)
        self.after = try start(after, paths.after)
      } else {
        self.after = try start(after, paths.after)
        self.before = try start(before, paths.before)
      }
      let (there, back) = try temporary.fifos()
      _ = try self.before.ask("meet \(back) \(there)", "met")
      _ = try self.after.ask("meet \(there) \(back)", "met")
    } catch {
      temporary.remove()
      throw error
    }
  }

  /// Ends both and removes their files.
  func end() {
    before.end()
    after.end()
    copies?.remove()
    folder?.remove()
  }
}

extension TemporaryFolder {
  /// Makes a FIFO for each direction.
  fileprivate func fifos() throws -> (there: String, back: String) {
    let paths = ["there", "back"].map { path($0) }
    for path in paths {
      guard unsafe mkfifo(path, 0o600) == 0 else {
        throw BenchmarkFailure("\(path): cannot be created")
      }
    }
    return (paths[0], paths[1])
  }
}
