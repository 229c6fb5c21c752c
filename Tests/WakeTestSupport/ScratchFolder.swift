import Foundation

/// A folder of a test's own, which is removed with the value.
public final class ScratchFolder {
  /// The path, without a slash at the end.
  public let path: String

  /// Makes a folder.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "rouse-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }
}
