public import Foundation

/// Paths of files in the package that tests read.
public enum PackageFolder {
  /// The package's root.
  public static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folders of the worked cases of the rules, sorted by name.
  public static let cases: [String] = files(in: "Tests/WakeSchedulingTests/Cases")

  /// Exports of Apple's Health app (XML, or zip files that hold it), sorted by name.
  public static let healthExports: [String] =
    files(in: "Tests/WakeImportTests/Resources/AppleHealth").filter { !$0.hasSuffix(".md") }

  /// The path of a public data set's trace in `Traces/real`.
  public static func realTrace(_ name: String) -> String {
    root.appending(path: "Traces/real/\(name).wtrace").path()
  }

  private static func files(in folder: String) -> [String] {
    let path = root.appending(path: folder).path()
    // The tests that name the files expect to find some, so an unreadable folder fails there.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { "\(path)/\($0)" }
  }
}
