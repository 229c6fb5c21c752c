import Foundation
import WakeTestSupport

/// The real `rouse-bench`, as built beside the tests.
enum BenchCommand {
  static let path: String = URL(filePath: RouseCommand.path).deletingLastPathComponent()
    .appending(path: "rouse-bench").path()

  /// Runs it to its end. Instructions are counted by callgrind, under which it is many times slower.
  static func run(
    _ arguments: [String], folder: String? = nil, environment: [String: String] = [:]
  ) throws -> RouseCommand.Result {
    try RouseCommand.start(arguments, program: path, folder: folder, environment: environment)
      .wait(seconds: arguments.contains("--instructions") ? 600 : RouseCommand.patience)
  }
}
