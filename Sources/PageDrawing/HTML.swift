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

  /// A document from its type to the start of its body: a page that loads nothing, light or dark as the viewer is.
  ///
  /// - Parameters:
  ///   - title: Plain text.
  ///   - style: The style sheet, with a line feed at its end.
  package static func beginning(title: String, style: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
    script-src 'unsafe-inline'">
    <title>\(escaped(title))</title>
    <style>
    \(style)</style>
    </head>
    <body>

    """
  }

  package static func link(_ text: String, to target: String) -> String {
    "<a href=\"#\(target)\">\(escaped(text))</a>"
  }
}
