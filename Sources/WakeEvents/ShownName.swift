extension String {
  /// The name for a message: control characters, which a terminal would obey, are escaped as `\\u{…}`.
  package var shown: String {
    guard unicodeScalars.contains(where: Self.isControl) else { return self }
    var shown = ""
    for scalar in unicodeScalars {
      if Self.isControl(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
  }
}
