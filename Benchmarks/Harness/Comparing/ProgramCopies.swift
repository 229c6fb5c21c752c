import Foundation

/// Copies of two programs in separate folders, under names of equal length.
struct ProgramCopies {
  /// The folder of the copies, which also takes temporary files of the programs.
  let folder: TemporaryFolder
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
        throw BenchmarkFailure(
          "\(source): cannot be copied to \(copy) (\(BenchmarkFailure.reason(of: error)))")
      }
    }
  }

  func remove() { folder.remove() }
}
