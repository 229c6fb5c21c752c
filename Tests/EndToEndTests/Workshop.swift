import Foundation
import Testing
import WakeTestSupport

/// A folder in which the command is run on small files.
struct Workshop {
  private let scratch: ScratchFolder
  var path: String { scratch.path }

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Runs the command in the folder.
  func rouse(
    _ arguments: String..., stdin input: [UInt8] = []
  ) throws -> RouseCommand.Result {
    try RouseCommand.run(arguments, stdin: input, folder: path)
  }

  /// Runs a line of the shell in the folder; `$ROUSE` is the command.
  func shell(_ line: String, stdin input: [UInt8] = []) throws -> RouseCommand.Result {
    try RouseCommand.shell(line, stdin: input, folder: path)
  }

  /// Runs the command in the folder, with arguments as in a line of the shell; it writes into a pipe without a reader.
  func rouseWithoutReader(_ arguments: String) throws -> RouseCommand.Result {
    // The reader closes the pipe, and says so before the command starts.
    try shell(
      """
      { until [ -e gone ]; do sleep 0.01; done; "$ROUSE" \(arguments); echo $? > status; } \
      | { exec 0<&-; touch gone; }
      read status < status; rm -f gone status; exit $status
      """)
  }

  /// Writes a file.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: scratch.file(name)))
  }

  /// Writes a file.
  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a program.
  ///
  /// Another process makes it: what a process of this one, started by another test, still has open for writing
  /// cannot be run.
  func writeProgram(_ text: String, to name: String) throws {
    try write(text, to: name + ".text")
    let made = try shell("cp '\(name).text' '\(name)' && chmod +x '\(name)' && rm '\(name).text'")
    try #require(made.status == .exited(0), "\(made.errors)")
  }

  /// The bytes of a file.
  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: scratch.file(name))))
  }

  /// The files in the folder, sorted.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// Imports JSON Lines, which must succeed, and returns the bytes of the trace.
  @discardableResult
  func importing(
    _ lines: String, as name: String, _ options: String...,
    at place: SourceLocation = #_sourceLocation
  ) throws -> [UInt8] {
    try write(lines, to: "\(name).jsonl")
    let result = try RouseCommand.run(
      ["import", "jsonl", "\(name).jsonl", "-o", "\(name).wtrace"] + options, folder: path)
    try #require(result.status == .exited(0), "import: \(result.errors)", sourceLocation: place)
    return try read("\(name).wtrace")
  }

  /// Lines of saves, a second apart.
  static func saves(
    _ count: Int, device: String = "watch", from second: Int = 0, types: Int = 3
  ) -> String {
    (0..<count).map { number in
      """
      {"t":\((second + number) * 1_000_000_000),"device":"\(device)","k":"save",\
      "type":"T\(number % types)","source":"S","value":\(number)}\n
      """
    }.joined()
  }

  /// A policy by which one app wants all of these saves, hourly, and answers within a second.
  static let policy = """
    {"subscriptions":[{"app":"app","type":"T0","frequency":"immediate"},
    {"app":"app","type":"T1","frequency":"hourly"}],"behaviour":{"completesAfter":0.5}}
    """
}
