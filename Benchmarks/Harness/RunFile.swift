import Foundation
import Measurement

/// Runs and comparisons as JSON files.
enum RunFile {
  /// The JSON of a run or comparison, with a newline at its end.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  /// Reads a run, of the schema that this version knows.
  static func readRun(_ path: String) throws -> BenchmarkRun {
    let run = try read(BenchmarkRun.self, path, kind: "run")
    guard run.schemaVersion == BenchmarkRun.schemaVersion else {
      throw BenchmarkFailure(
        "\(path): schema version \(run.schemaVersion), and only \(BenchmarkRun.schemaVersion) is "
          + "known here")
    }
    return run
  }

  /// Reads a file of JSON.
  static func read<Value: Decodable>(
    _ type: Value.Type, _ path: String, kind: String
  ) throws -> Value {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw BenchmarkFailure("\(path): cannot be read")
    }
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      throw BenchmarkFailure("\(path): is no \(kind) of rouse-bench: \(reason(error))")
    }
  }

  private static func reason(_ error: DecodingError) -> String {
    let (context, text): (DecodingError.Context?, String) =
      switch error {
      case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context, context.debugDescription)
      @unknown default: (nil, "it cannot be read")
      }
    let path = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
    return path.isEmpty ? text : "\(path): \(text)"
  }
}

/// Why a command of the harness cannot go on: exit status 1.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension RunFile {
  /// Writes a file whole or not at all.
  static func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw BenchmarkFailure("\(path): cannot be written")
    }
  }
}
