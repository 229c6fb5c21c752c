/// An error within one JSON text, before the file and the line are known.
struct FieldError: Error {
  let code: ImportError.Code
  /// What is wrong, without the place.
  let message: String
  /// Where, in bytes from the beginning of the text, if the value that is wrong is at hand.
  var offset: Int?
  /// The keys and indices that lead to the value: `predicate.min`, `subscriptions[2].type`;
  /// nil if it is the whole text.
  var path: String?

  init(_ code: ImportError.Code, _ message: String, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// The same error, seen from outside of the member `key`.
  func inside(_ key: String) -> FieldError {
    var error = self
    error.path = path.map { $0.hasPrefix("[") ? key + $0 : key + "." + $0 } ?? key
    return error
  }

  /// The same error, seen from outside of the element `index`.
  func inside(_ index: Int) -> FieldError {
    inside("[\(index)]")
  }

  /// The same error, at `offset` if it has no place yet.
  func at(_ offset: Int) -> FieldError {
    var error = self
    error.offset = self.offset ?? offset
    return error
  }

  /// The error to report, for a text that begins at `line` of `file`.
  func located(in bytes: JSONBytes, file: String, line: Int) -> ImportError {
    let (newlines, column) = bytes.position(ofByteAt: offset ?? 0)
    let place = code == .invalidJSON ? "invalid JSON at byte \(column): " : ""
    return ImportError(
      code: code, file: file, line: line + newlines, field: path,
      message: place + message)
  }
}
