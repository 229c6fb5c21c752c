import Foundation

/// A folder that exists until it is removed or the command is interrupted.
struct TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory
      .appending(path: "rouse-bench-\(UUID().uuidString)").path(percentEncoded: false)
    Interrupts.add(folder: path)
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      Interrupts.remove(folder: path)
      throw BenchmarkFailure("\(path): cannot be created (\(BenchmarkFailure.reason(of: error)))")
    }
  }

  /// The path of a file in it.
  func path(_ name: String) -> String { "\(path)/\(name)" }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    Interrupts.remove(folder: path)
  }
}
