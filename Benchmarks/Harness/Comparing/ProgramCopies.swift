import Foundation

/// Copies of two programs in folders of their own, under names of equal length.
struct ProgramCopies {
  private let folder: TemporaryFolder
  let before: String
  let after: String

  init(_ before: String, _ after: String, swapped: Bool) throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    self.before = folder.path(swapped ? "y/rouse-bench" : "x/rouse-bench")
    self.after = folder.path(swapped ? "x/rouse-bench" : "y/rouse-bench")
    let copies = [(before, self.before), (after, self.after)]
    for (source, copy) in swapped ? copies.reversed() : copies {
      do {
        try FileManager.default.createDirectory(
          at: URL(filePath: copy).deletingLastPathComponent(), withIntermediateDirectories: false)
        // Read and written, not linked: the copy's pages shall be its own.
        try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: copy))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
      } catch {
        folder.remove()
        throw BenchmarkFailure("\(source): cannot be copied to \(copy)")
      }
    }
  }

  /// Where the programs may put what they need for a while; it goes with the copies.
  var temporary: String { folder.path }

  func remove() { folder.remove() }

  /// Makes a FIFO for each direction.
  func fifos() throws -> (there: String, back: String) {
    let paths = ["there", "back"].map { folder.path($0) }
    for path in paths {
      guard unsafe mkfifo(path, 0o600) == 0 else {
        throw BenchmarkFailure("\(path): cannot be made")
      }
    }
    return (paths[0], paths[1])
  }
}
