/// An SVG picture within an HTML page. Its colours come from the page, by class.
struct Drawing {
  let width: Double
  let height: Double
  /// A description for screen readers.
  let label: String
  private var body = ""

  init(width: Double, height: Double, label: String) {
    self.width = width
    self.height = height
    self.label = label
  }

  enum Anchor: String {
    case start, middle, end
  }

  mutating func line(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ style: String
  ) {
    body += "<line class=\"\(style)\" x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\""
    body += " x2=\"\(Self.number(to.x))\" y2=\"\(Self.number(to.y))\"/>"
  }

  /// A rectangle between two opposite corners.
  mutating func rectangle(
    _ one: (x: Double, y: Double), _ other: (x: Double, y: Double), _ style: String,
    hint: String? = nil
  ) {
    body += "<rect class=\"\(style)\" x=\"\(Self.number(min(one.x, other.x)))\""
    body += " y=\"\(Self.number(min(one.y, other.y)))\""
    body += " width=\"\(Self.number((one.x - other.x).magnitude))\""
    body += " height=\"\(Self.number((one.y - other.y).magnitude))\"\(Self.end(hint, "rect"))"
  }

  mutating func dot(
    _ place: (x: Double, y: Double), radius: Double, _ style: String, hint: String? = nil
  ) {
    body +=
      "<circle class=\"\(style)\" cx=\"\(Self.number(place.x))\" cy=\"\(Self.number(place.y))\""
    body += " r=\"\(Self.number(radius))\"\(Self.end(hint, "circle"))"
  }

  mutating func path(_ points: [(x: Double, y: Double)], _ style: String, closed: Bool = false) {
    guard let first = points.first else { return }
    var commands = "M\(Self.number(first.x)) \(Self.number(first.y))"
    for point in points.dropFirst() {
      commands += "L\(Self.number(point.x)) \(Self.number(point.y))"
    }
    body += "<path class=\"\(style)\" d=\"\(commands)\(closed ? "Z" : "")\"/>"
  }

  mutating func text(
    _ text: String, _ place: (x: Double, y: Double), _ style: String = "tick",
    anchor: Anchor = .start
  ) {
    body += "<text class=\"\(style)\" x=\"\(Self.number(place.x))\" y=\"\(Self.number(place.y))\""
    body += " text-anchor=\"\(anchor.rawValue)\">\(HTML.escaped(text))</text>"
  }

  /// The element.
  var element: String {
    """
    <svg viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
    aria-label="\(HTML.escaped(label))">\(body)</svg>
    """
  }

  private static func end(_ hint: String?, _ name: String) -> String {
    hint.map { "><title>\(HTML.escaped($0))</title></\(name)>" } ?? "/>"
  }

  /// Coordinates in tenths of a pixel.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    let text = DecimalText.fixed(max(-1e6, min(1e6, value)), decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

/// Functions for HTML.
enum HTML {
  /// Escapes text for elements and attributes.
  static func escaped(_ text: String) -> String {
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
  static func entity(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    default: nil
    }
  }

  static func link(_ text: String, to target: String) -> String {
    "<a href=\"#\(target)\">\(escaped(text))</a>"
  }
}
