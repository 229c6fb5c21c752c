import CEmbedded
import Measurement
import PageDrawing
import WakeEvents
import WakeScheduling

/// The page of a sweep: rows by wakes and time behind, the front, the bound's curve, and a slider for each parameter.
struct SweepPage {
  let result: SweepResult
  let tool: String

  private static let (width, height) = (960.0, 460.0)
  private static let hour = 3_600e9

  var html: String {
    let style = unsafe String(cString: embedded_sweep_css())
    let script = unsafe String(cString: embedded_sweep_js())
    let title = "A sweep over " + result.parameters.map(\.shown).joined(separator: ", ")
    return """
      \(HTML.beginning(title: title, style: style))<header>
      <h1>\(HTML.escaped(title))</h1>
      <p class="note">\(HTML.escaped(result.traces.map(\.shown).joined(separator: ", "))): \
      \(HTML.escaped(result.denominators))</p>
      </header>
      <main>
      <div class="card chart">\(chart)</div>
      <p class="note">A dot is a row; those on the front are not both worse than another. No schedule is below the curve \
      of the bound, on which as many wakes of all devices together are spread as is best.</p>
      <section id="tool" class="card" hidden>
      <div class="sliders">\(sliders)</div>
      <p id="chosen" aria-live="polite"></p>
      </section>
      \(sensitivities)<h2>Rows</h2>
      <div class="table card">\(table)</div>
      </main>
      <footer><p>Made by \(HTML.escaped(tool)). The file holds everything it shows and asks for nothing else.</p></footer>
      <script>
      "use strict";
      \(script)</script>
      </body>
      </html>

      """
  }

  // MARK: - The chart

  private var chart: String {
    let wakes = result.rows.map { Double($0.summary.wakes) }
    let behind = result.rows.map { Double($0.behind) / Self.hour }
    let (least, most) = (wakes.min() ?? 0, wakes.max() ?? 0)
    let room = max((most - least) * 0.08, most * 0.02, 1)
    let x = Axis(max(0, least - room), most + room, from: 70, to: Self.width - 16)
    // The curve as far as it is beside the rows.
    let curve = result.curve.map { (Double($0.wakes), Double($0.leastBehind) / Self.hour) }
      .filter { x.shows($0.0) }
    let heights = behind + curve.map(\.1)
    let top = (heights.max() ?? 1) * 1.04
    let bottom = max(0, (heights.min() ?? 0) - top * 0.05)
    let y = Axis(bottom, top, from: Self.height - 40, to: 12)
    var drawing = Drawing(
      width: Self.width, height: Self.height,
      label: "Rows by their wakes and the hours for which apps were behind, with the bound")
    for tick in x.ticks(8) {
      drawing.line((x.place(tick), y.start), (x.place(tick), y.end), "grid")
      drawing.text(
        DecimalText.shortest(tick), (x.place(tick), y.start + 16), anchor: .middle)
    }
    for tick in y.ticks(6) {
      drawing.line((x.start, y.place(tick)), (x.end, y.place(tick)), "grid")
      drawing.text(DecimalText.shortest(tick), (x.start - 6, y.place(tick) + 4), anchor: .end)
    }
    drawing.text("wakes", (x.end, y.start + 34), anchor: .end)
    drawing.text("hours behind", (x.start + 6, y.end + 10))
    drawing.path(curve.map { (x.place($0.0), y.place($0.1)) }, "curve")
    let front = result.rows.indices.filter { result.rows[$0].standing == .onFront }
      .sorted { wakes[$0] < wakes[$1] }
    drawing.path(front.map { (x.place(wakes[$0]), y.place(behind[$0])) }, "steps")
    for (place, row) in result.rows.enumerated() {
      drawing.dot(
        (x.place(wakes[place]), y.place(behind[place])), radius: 5,
        row.standing == .onFront ? "row best" : "row",
        hint: "Row \(place + 1): \(row.values.map(\.shown).joined(separator: ", "))")
    }
    return drawing.element
  }

  // MARK: - Parameters and rows

  /// The values of each parameter, in the order given.
  private var values: [[String]] {
    result.parameters.indices.map { parameter in
      result.rows.reduce(into: []) { values, row in
        if !values.contains(row.values[parameter]) { values.append(row.values[parameter]) }
      }
    }
  }

  private var sliders: String {
    zip(result.parameters, values).map { parameter, values in
      let texts = values.map { "<span hidden>\(HTML.escaped($0.shown))</span>" }.joined()
      return """
        <label>\(HTML.escaped(parameter.shown)) <output></output>\(texts)\
        <input type="range" min="0" max="\(values.count - 1)" step="1" value="0"></label>

        """
    }.joined()
  }

  private var sensitivities: String {
    let lines = result.sensitivities.map { "<li>\(HTML.escaped($0.inWords))</li>" }
    return lines.isEmpty ? "" : "<h2>Parameters</h2>\n<ul>\(lines.joined())</ul>\n"
  }

  private var table: String {
    let (heads, words, rows) = result.cells
    let head = zip(heads, words).map { head, isWord in
      "<th\(isWord ? " class=\"word\"" : "")>\(HTML.escaped(head))</th>"
    }
    let values = values
    let body = zip(rows, result.rows).map { cells, row in
      let places = row.values.enumerated().map { parameter, value in
        String(values[parameter].firstIndex(of: value) ?? 0)
      }
      let texts = zip(cells, words).enumerated().map { column, cell in
        let style = column == cells.count - 1 ? "word why" : cell.1 ? "word" : ""
        return "<td\(style.isEmpty ? "" : " class=\"\(style)\"")>\(HTML.escaped(cell.0))</td>"
      }
      return """
        <tr data-values="\(places.joined(separator: ","))"\
        \(row.standing == .onFront ? " class=\"front\"" : "")>\(texts.joined())</tr>

        """
    }
    return
      "<table><thead><tr>\(head.joined())</tr></thead>\n<tbody>\n\(body.joined())</tbody></table>"
  }
}

extension SweepResult {
  /// The sweep as a page that loads nothing.
  ///
  /// - Parameter tool: What made it: `rouse 0.1.0`.
  package func html(tool: String) -> String { SweepPage(result: self, tool: tool).html }
}
