/// Functions for HTML.
package enum HTML {
  /// Escapes text for elements and attributes.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if let entity = entity(of: scalar) {
        escaped += entity
        continue
      }
      switch scalar {
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      // HTML allows these not even escaped.
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The escape of a character that would begin or end markup, in Markdown too; nil for any other.
  package static func entity(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    default: nil
    }
  }

  package static func link(_ text: String, to target: String) -> String {
    "<a href=\"#\(target)\">\(escaped(text))</a>"
  }
}
