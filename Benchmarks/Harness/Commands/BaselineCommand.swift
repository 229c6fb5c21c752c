import BenchmarkModel
import CommandLineSupport
import Foundation
import WakeEvents

/// `rouse-bench baseline`
enum BaselineCommand: Command {
  static let specification = Specification.bench(
    "baseline", "Save runs as baselines for later checks.",
    operands: "save NAME [FILTER…] | list | show NAME | delete NAME", count: 1...(.max),
    discussion: """
      save measures, or reads a run that 'run -o' wrote. Baselines are JSON files in a folder.
      \(Specification.aboutFilters)
      """,
    options: [
      .init("--folder", value: "FOLDER", "The folder of baselines (default .rouse-bench)."),
      .init("--from", value: "FILE", "save: read the run from this file."),
      .init("--seconds", value: "N", "save: seconds of samples for each benchmark (default 1)."),
      .init("--instructions", "save: also count instructions under Callgrind."),
      .init("--force", "save: replace an existing baseline."),
      .init("--json", "show: print the run as JSON."),
    ] + SchedulerChoice.options)

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let store = BaselineStore(folder: arguments.value("--folder") ?? BaselineStore.defaultFolder)
    let action = arguments.operands[0]
    let others = Array(arguments.operands.dropFirst())
    try refuseIdleOptions(of: action, arguments)
    switch (action, others.count) {
    case ("list", 0):
      for name in try store.names() { Output.print("\(name)\n") }
    case ("save", 1...):
      try save(others[0], Array(others.dropFirst()), in: store, arguments)
    case ("show", 1):
      let run = try store.read(others[0])
      Output.print(arguments.has("--json") ? try RunFile.json(run) : RunReport.text(run))
    case ("delete", 1):
      try store.delete(others[0])
    case ("save", _), ("show", _), ("delete", _), ("list", _):
      throw arguments.usage("usage: rouse-bench baseline \(specification.operands)")
    default:
      throw arguments.usage("'\(action)' is neither save, list, show nor delete")
    }
    return .success
  }

  /// Throws if an option has no effect on an action.
  private static func refuseIdleOptions(
    of action: String, _ arguments: Arguments
  ) throws(UsageError) {
    let measuring = ["--seconds", "--instructions"] + SchedulerChoice.options.map(\.name)
    let isFromFile = arguments.has("--from")
    let useful: [String] =
      switch action {
      case "save": ["--from", "--force"] + (isFromFile ? [] : measuring)
      case "show": ["--json"]
      default: []
      }
    for (option, _) in arguments.given where option != "--folder" && !useful.contains(option) {
      let call = action == "save" && isFromFile ? "save --from" : action
      throw arguments.usage("\(option) has no effect on '\(call)'")
    }
  }

  private static func save(
    _ name: String, _ filters: [String], in store: BaselineStore, _ arguments: Arguments
  ) throws {
    // Fail before the measurement.
    try store.refuse(name, unlessForced: arguments.has("--force"))
    let run: BenchmarkRun
    if let file = arguments.value("--from") {
      guard filters.isEmpty else {
        throw arguments.usage("a run from a file is saved whole; leave out '\(filters[0])'")
      }
      run = try RunFile.readRun(file)
    } else {
      var settings = Measurer.Settings()
      if let seconds = try arguments.seconds() { settings.seconds = seconds }
      run = try RunCommand.measure(
        try Suites.chosen(.init(filters: filters, without: [.long])), settings,
        countsInstructions: arguments.has("--instructions"))
    }
    guard !run.hasFailure, !run.results.isEmpty else {
      throw BenchmarkFailure(
        "the baseline is not saved, as some of its benchmarks were not measured")
    }
    do {
      try store.write(run, as: name)
    } catch {
      // What took long is not lost.
      if !arguments.has("--from") { Output.print(RunReport.text(run)) }
      throw error
    }
  }
}

/// Runs in a folder, by name.
struct BaselineStore {
  static let defaultFolder = ".rouse-bench"

  var folder: String

  /// The names of all baselines, sorted. Other files in the folder are ignored.
  func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw BenchmarkFailure("\(folder): cannot be read as a folder of baselines")
    }
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.filter { name in
      var isFolder: ObjCBool = false
      guard let path = try? self.path(name) else { return false }
      return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  func read(_ name: String) throws -> BenchmarkRun {
    try RunFile.readRun(try existing(name))
  }

  func write(_ run: BenchmarkRun, as name: String) throws {
    try makeFolder()
    try OutputPath.write(try RunFile.json(run), to: try path(name))
  }

  func delete(_ name: String) throws {
    let path = try existing(name)
    guard unsafe unlink(path) == 0 else {
      throw BenchmarkFailure("\(path): cannot be deleted (\(Output.reason()))")
    }
  }

  /// Throws if a baseline cannot be written, or exists and must not be replaced.
  func refuse(_ name: String, unlessForced isForced: Bool) throws {
    let path = try path(name)
    if !isForced, FileManager.default.fileExists(atPath: path) {
      throw BenchmarkFailure("the baseline '\(name)' exists; --force replaces it")
    }
    try makeFolder()
    try OutputPath.refuse(path)
  }

  private func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw BenchmarkFailure("\(folder): cannot be created as a folder")
    }
  }

  private func existing(_ name: String) throws -> String {
    let path = try path(name)
    guard FileManager.default.fileExists(atPath: path) else {
      throw BenchmarkFailure("there is no baseline '\(name)' in \(folder)")
    }
    return path
  }

  private func path(_ name: String) throws -> String {
    guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), name == name.shown else {
      throw BenchmarkFailure("'\(name)' cannot be the name of a baseline")
    }
    return "\(folder)/\(name).json"
  }
}
