import Foundation

/// Copies of two programs in separate folders, under names of equal length.
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
        // Copied, not linked, so that the copy has its own pages.
        try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: copy))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
      } catch {
        folder.remove()
        throw BenchmarkFailure("\(source): cannot be copied to \(copy)")
      }
    }
  }

  /// The folder for temporary files of the programs; removed with the copies.
  var temporary: String { folder.path }

  func remove() { folder.remove() }

  /// Makes a FIFO for each direction.
  func fifos() throws -> (there: String, back: String) {
    let paths = ["there", "back"].map { folder.path($0) }
    for path in paths {
      guard unsafe mkfifo(path, 0o600) == 0 else {
        throw BenchmarkFailure("\(path): cannot be created")
      }
    }
    return (paths[0], paths[1])
  }
}
