import FoundationEssentials
import WakeImport
import WakeReplay

/// Reads replay results from JSON (``ReplayResult/json``).
enum ResultFile {
  static func read(_ path: String) throws -> ReplayResult {
    let file = try InputFile(path: path)
    let bytes = try file.readAll(limit: 256 << 20)
    do {
      let result = try JSONDecoder().decode(ReplayResult.self, from: Data(bytes))
      guard let key = result.implausibleCount else { return result }
      throw ImportError(
        code: .outOfRange, file: file.name, field: key,
        message: "count is negative, too large or inconsistent")
    } catch let error as DecodingError {
      throw ImportError(
        code: .invalidJSON, file: file.name,
        message: "not a result of 'rouse replay --json': \(Self.reason(error))")
    }
  }

  private static func reason(_ error: DecodingError) -> String {
    let context =
      switch error {
      case .keyNotFound(let key, let context): (context, "\(key.stringValue) is missing")
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        (context, context.debugDescription)
      @unknown default: (nil as DecodingError.Context?, "invalid JSON")
      }
    let path = context.0?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
    return path.isEmpty ? context.1 : "\(path): \(context.1)"
  }
}
