import Foundation

/// The project whose traces, thresholds and revisions are used.
enum Project {
  /// The folder that `ROUSE_ROOT` names, else the source tree of Rouse that contains the working directory, else the one in
  /// which this program was built.
  static let root =
    named ?? tree(around: FileManager.default.currentDirectoryPath) ?? whereThisWasBuilt

  /// The value of `ROUSE_ROOT`.
  static let named: String? = {
    let value = ProcessInfo.processInfo.environment["ROUSE_ROOT"] ?? ""
    return value.isEmpty ? nil : value
  }()

  private static let whereThisWasBuilt = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.path(percentEncoded: false)

  /// The innermost source tree of Rouse that contains a path; nil if there is none.
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
