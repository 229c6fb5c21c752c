import BenchmarkModel
import Foundation
import Glibc

/// Runs, comparisons and thresholds as JSON files.
enum RunFile {
  /// The JSON of a value, with a newline at its end.
  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  /// The JSON of a value in one line, without spaces but in strings.
  static func line(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  /// Reads a run.
  static func readRun(_ path: String) throws -> BenchmarkRun {
    try read(BenchmarkRun.self, try data(path), of: path, kind: "run")
  }

  /// Reads measurements of the schema that this version knows, and checks that their figures are valid.
  static func read<Value: Decodable & Inspectable>(
    _ type: Value.Type, _ data: Data, of path: String, kind: String
  ) throws -> Value {
    // Another schema may lack the fields that are read here.
    try refuse(schema: try decode(Schema.self, data, of: path, kind: kind).schemaVersion, of: path)
    let value = try decode(type, data, of: path, kind: kind)
    if let objection = value.objection {
      throw BenchmarkFailure("\(path): is not a \(kind) of rouse-bench: \(oneLine(objection))")
    }
    return value
  }

  private struct Schema: Decodable {
    var schemaVersion: Int
  }

  /// Throws if a file's schema is unknown.
  static func refuse(schema: Int, of path: String) throws {
    guard schema == BenchmarkRun.schemaVersion else {
      throw BenchmarkFailure(
        "\(path): schema version \(schema), only version \(BenchmarkRun.schemaVersion) is supported"
      )
    }
  }

  /// The greatest length of a file: a stream may have no end.
  private static let greatestLength = 1 << 30

  /// The contents of a file or a stream.
  static func data(_ path: String) throws -> Data {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw BenchmarkFailure("\(path): cannot be read (\(Output.reason()))")
    }
    defer { close(descriptor) }
    var data = Data()
    var part = [UInt8](repeating: 0, count: 1 << 20)
    while data.count <= greatestLength {
      let count = unsafe Glibc.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw BenchmarkFailure("\(path): cannot be read (\(Output.reason()))")
      }
      if count == 0 { return data }
      data += part[..<count]
    }
    throw BenchmarkFailure("\(path): is longer than 1 GiB")
  }

  /// Decodes JSON, the contents of a file.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ data: Data, of path: String, kind: String
  ) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      let reason =
        UnfitNumber.find(in: data) ?? (error as? DecodingError).map(reason) ?? "it is not JSON"
      throw BenchmarkFailure("\(path): is not a \(kind) of rouse-bench: \(oneLine(reason))")
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
    let path = (context?.codingPath ?? []).reduce("") { path, key in
      if let place = key.intValue { return "\(path)[\(place)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
    return path.isEmpty ? text : "\(path): \(text)"
  }

  /// Without line breaks, as a name in a file may hold anything.
  private static func oneLine(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 300 ? "\(line.prefix(300))…" : line
  }
}

/// A failure of a command: exit status 1.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  /// The reason of an error of Foundation: that of the system call behind it, if there is one.
  static func reason(of error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
    guard let code = (cause as? POSIXError)?.code.rawValue else {
      return error.localizedDescription
    }
    return unsafe String(cString: strerror(code))
  }
}
