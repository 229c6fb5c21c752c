import Foundation
public import WakeEvents
public import WakeScheduling

/// A worked case: a folder with a policy, inputs, and the wakes and summary that they must give.
public struct CaseFile {
  /// The folder's name.
  public let name: String
  /// The names in ``events``.
  public let symbols: Symbols
  /// The inputs of `input.jsonl`.
  public let events: [Event]
  /// The policy of `policy.json`.
  public let policy: Policy
  /// The lines of `wakes.jsonl`.
  public let wakes: [JSONValue]
  /// The lines of `waits.jsonl`.
  public let waits: [JSONValue]
  /// The object of `bounds.json`.
  public let bounds: JSONValue
  /// The object of `summary.json`.
  public let summary: JSONValue

  /// Reads the case in the folder at the path.
  public static func load(_ folder: String) throws -> CaseFile {
    func text(_ file: String) throws -> String {
      try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    }
    let symbols = Symbols()
    return CaseFile(
      name: URL(filePath: folder).lastPathComponent,
      symbols: symbols,
      events: try EventReader.events(ofLines: try text("input.jsonl"), symbols: symbols),
      policy: try PolicyReader.policy(of: try text("policy.json")),
      wakes: try text("wakes.jsonl").split(separator: "\n").map { try JSONReader.value(of: $0) },
      waits: try text("waits.jsonl").split(separator: "\n").map { try JSONReader.value(of: $0) },
      bounds: try JSONReader.value(of: try text("bounds.json")),
      summary: try JSONReader.value(of: try text("summary.json")))
  }
}
