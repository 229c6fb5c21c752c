import Foundation

/// Where the project stands, whose traces, thresholds and revisions are taken.
enum Project {
  /// What `ROUSE_ROOT` says, else the tree of Rouse that holds the working directory, else that in which
  /// this was built.
  static let root =
    named ?? tree(around: FileManager.default.currentDirectoryPath) ?? whereThisWasBuilt

  /// What `ROUSE_ROOT` says.
  static let named: String? = {
    let value = ProcessInfo.processInfo.environment["ROUSE_ROOT"] ?? ""
    return value.isEmpty ? nil : value
  }()

  private static let whereThisWasBuilt = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.path(percentEncoded: false)

  /// The innermost tree of Rouse around a path; nil if it lies in none.
  static func tree(around path: String) -> String? {
    var folder = URL(filePath: path).standardizedFileURL
    while true {
      let isTree = ["Package.swift", "Traces", "Sources/WakeScheduling"].allSatisfy {
        FileManager.default.fileExists(
          atPath: folder.appending(path: $0).path(percentEncoded: false))
      }
      if isTree { return folder.path(percentEncoded: false) }
      guard folder.pathComponents.count > 1 else { return nil }
      folder.deleteLastPathComponent()
    }
  }

  /// A path within the project.
  static func path(_ path: String) -> String {
    root.hasSuffix("/") ? root + path : root + "/" + path
  }
}
