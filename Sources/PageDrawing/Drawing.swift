/// An SVG picture within an HTML page. Its colours come from the page, by class.
package struct Drawing {
  package let width: Double
  package let height: Double
  /// A description for screen readers.
  package let label: String
  private var body = ""

  package init(width: Double, height: Double, label: String) {
    self.width = width
    self.height = height
    self.label = label
  }

  package enum Anchor: String {
    case start, middle, end
  }

  package mutating func line(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ style: String
  ) {
    body += "<line class=\"\(style)\" x1=\"\(Self.number(from.x))\" y1=\"\(Self.number(from.y))\""
    body += " x2=\"\(Self.number(to.x))\" y2=\"\(Self.number(to.y))\"/>"
  }

  /// A rectangle between two opposite corners.
  package mutating func rectangle(
    _ one: (x: Double, y: Double), _ other: (x: Double, y: Double), _ style: String,
    hint: String? = nil
  ) {
    body += "<rect class=\"\(style)\" x=\"\(Self.number(min(one.x, other.x)))\""
    body += " y=\"\(Self.number(min(one.y, other.y)))\""
    body += " width=\"\(Self.number((one.x - other.x).magnitude))\""
    body += " height=\"\(Self.number((one.y - other.y).magnitude))\"\(Self.end(hint, "rect"))"
  }

  package mutating func dot(
    _ place: (x: Double, y: Double), radius: Double, _ style: String, hint: String? = nil
  ) {
    body +=
      "<circle class=\"\(style)\" cx=\"\(Self.number(place.x))\" cy=\"\(Self.number(place.y))\""
    body += " r=\"\(Self.number(radius))\"\(Self.end(hint, "circle"))"
  }

  package mutating func path(
    _ points: [(x: Double, y: Double)], _ style: String, closed: Bool = false
  ) {
    guard let first = points.first else { return }
    var commands = "M\(Self.number(first.x)) \(Self.number(first.y))"
    for point in points.dropFirst() {
      commands += "L\(Self.number(point.x)) \(Self.number(point.y))"
    }
    body += "<path class=\"\(style)\" d=\"\(commands)\(closed ? "Z" : "")\"/>"
  }

  package mutating func text(
    _ text: String, _ place: (x: Double, y: Double), _ style: String = "tick",
    anchor: Anchor = .start
  ) {
    body += "<text class=\"\(style)\" x=\"\(Self.number(place.x))\" y=\"\(Self.number(place.y))\""
    body += " text-anchor=\"\(anchor.rawValue)\">\(HTML.escaped(text))</text>"
  }

  /// The element.
  package var element: String {
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
