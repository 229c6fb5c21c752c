import CEmbedded
import Measurement
import PageDrawing
import WakeEvents
import WakeJSON
import WakeScheduling

/// The page of a report. What needs no script is HTML already: figures, tables and drawings.
struct ReportPage {
  let report: Report
  var result: ReplayResult { report.result }

  init(_ report: Report) {
    self.report = report
  }

  /// The most rows of a table.
  static let mostRows = 500

  var bytes: [UInt8] {
    let style = unsafe String(cString: embedded_report_css())
    var bytes = Array(
      """
      \(HTML.beginning(title: title, style: style))\
      \(header)<main>
      \(timeline)\(waiting)\(bounds)\(apps)\(types)\(days)\(replayed)\(about)</main>
      <footer><p>Made by \(HTML.escaped(report.heading.tool)). The file holds everything it shows and asks for nothing \
      else.</p></footer>

      """.utf8)
    appendData(to: &bytes)
    let script = unsafe [
      embedded_ranges_js(), embedded_columns_js(), embedded_story_js(), embedded_timeline_js(),
      embedded_gestures_js(), embedded_main_js(),
    ].map { unsafe String(cString: $0) }.joined()
    bytes += Array("<script>\n\"use strict\";\n\(script)</script>\n</body>\n</html>\n".utf8)
    return bytes
  }

  /// The traces' names, the first few.
  var title: String {
    let names = result.traces.map(\.file.shown)
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "Wakes of " + names.prefix(3).joined(separator: ", ") + rest
  }

  private var header: String {
    let notices = (result.notices + report.heading.remarks).map {
      "<p class=\"notice\">\(HTML.escaped($0))</p>\n"
    }.joined()
    return """
      <header>
      <h1>\(HTML.escaped(title))</h1>
      <p class="source">\(source)</p>
      \(tiles)\(notices)<nav>\(navigation)</nav>
      </header>

      """
  }

  private var tiles: String {
    let summary = result.summary
    let tiles: [(Int, String, String)] = [
      (summary.wakes, summary.wakes == 1 ? "wake" : "wakes", ""),
      (summary.completed, "completed", "completed"),
      (summary.expired, "expired", "expired"), (summary.aborted, "aborted", "aborted"),
      (summary.open, "open", "open"),
      (summary.inputs, summary.inputs == 1 ? "input" : "inputs", ""),
      (summary.pendingAtEnd, "pending at the end", ""),
      (result.devices, result.devices == 1 ? "device" : "devices", ""),
    ]
    let items = tiles.map { count, name, style in
      "<li class=\"\(count > 0 ? style : "")\"><b>\(Quantity.count(count))</b> \(name)</li>"
    }
    return "<ul class=\"tiles\">\(items.joined())</ul>\n"
  }

  private var navigation: String {
    [
      ("Timeline", "timeline"), ("Why not sooner", "waiting"), ("How far from the best", "bounds"),
      ("Apps", "apps"), ("Types", "types"), ("Days", "days"), ("What was replayed", "policy"),
    ].map { HTML.link($0, to: $1) }.joined(separator: " ")
  }

  // MARK: - The timeline

  private var timeline: String {
    let devices = report.findings.devices
    let options = devices.enumerated().map { place, device in
      """
      <option value="\(place)">\(HTML.escaped(device.name.isEmpty ? "(no name)" : device.name.shown)) \
      – \(Self.counted(device.rank.wakes, "wake"))</option>
      """
    }
    let choice =
      switch (report.hasChoice, devices.isEmpty) {
      case (true, true): "as no device has a name that was chosen (<code>--device</code>)"
      case (true, false): "those that were chosen (<code>--device</code>)"
      case (false, true): "as their timelines are too long for a page"
      case (false, false):
        "those with the most wakes, as more do not fit (<code>--device</code> chooses others)"
      }
    let shown =
      devices.count == result.devices
      ? ""
      : """
      <p class="note">Of \(Self.counted(result.devices, "device")) it shows \
      \(devices.isEmpty ? "none" : Quantity.count(devices.count)), \(choice). The tables below are of all devices.</p>

      """
    return """
      <section id="timeline">
      <h2>Timeline</h2>
      <noscript><p class="note">The timeline needs a browser that runs scripts. The tables below need none.</p></noscript>
      \(shown)<div id="view" hidden>
      <div class="tools">
      <label>Device <select id="device">\(options.joined())</select></label>
      <span class="buttons"><button id="in" title="Zoom in (+)">+</button><button id="out" \
      title="Zoom out (−)">−</button><button id="all" title="Show everything (0)">All</button><button \
      id="previous" title="Previous wake (p)">‹ wake</button><button id="next" title="Next wake (n)">wake ›</button></span>
      <label><input type="checkbox" id="utc" checked> UTC</label>
      <span id="range" aria-live="off"></span>
      </div>
      <ul class="legend" id="legend"></ul>
      <div id="box"><canvas id="canvas" tabindex="0" role="application" aria-describedby="keys" aria-label="Timeline of \
      states, wakes and reasons. The tables below hold the figures."></canvas><div></div></div>
      <div id="story" aria-live="polite"></div>
      <p id="keys" class="note">Drag or arrow keys pan; Ctrl or ⌘ with the wheel, pinch or + and − zoom; 0 shows everything. \
      The wheel alone, or a swipe up or down, scrolls. Up and down keys choose an app, n and p a wake; a click on a wake or \
      Enter tells its story below the timeline. A click on an app's name opens or closes its types.</p>
      </div>
      </section>

      """
  }

  private func appendData(to bytes: inout [UInt8]) {
    var json = JSONWriter(.line)
    json.object { json in
      json.member("reasons", WaitReason.allCases) { $0.value($1.word) }
      json.member("outcomes", WakeOutcome.allCases) { $0.value($1.word) }
      json.member("devices", report.findings.devices) { json, device in device.write(to: &json) }
    }
    bytes += Array("<script type=\"application/json\" id=\"heads\">".utf8)
    for byte in json.bytes {
      // So that no name ends the element; it stands in strings only.
      if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
    }
    bytes += Array("</script>\n".utf8)
    for (place, device) in report.findings.devices.enumerated() {
      bytes += Array("<script type=\"text/plain\" id=\"columns-\(place)\">".utf8)
      Base64.append(device.bytes, to: &bytes)
      bytes += Array("</script>\n".utf8)
    }
  }
}

extension ReportPage {
  /// A table with the heads of its columns and rows of cells, which are HTML; the first cell of a row is its head.
  static func table(_ heads: [String], _ rows: [[String]], caption: String) -> String {
    let head = heads.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let body = rows.prefix(mostRows).map { cells in
      "<tr><th scope=\"row\">\(cells[0])</th>"
        + cells.dropFirst().map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }
    let rest =
      rows.count > mostRows
      ? "<p class=\"note\">and \(Quantity.count(rows.count - mostRows)) more rows</p>\n" : ""
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(HTML.escaped(caption))"><table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body.joined())</tbody>
      </table></div>
      \(rest)
      """
  }

  static func counted(_ count: Int, _ noun: String) -> String {
    "\(Quantity.count(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// A sample type without what names of HealthKit begin with, which its hint has.
  static func typeName(_ type: String) -> String {
    for prefix in ["Quantity", "Category", "Correlation", ""].map({ "HK\($0)TypeIdentifier" })
    where type.hasPrefix(prefix) && type.count > prefix.count {
      return "<span title=\"\(HTML.escaped(type.shown))\">"
        + HTML.escaped(String(type.dropFirst(prefix.count)).shown) + "</span>"
    }
    return HTML.escaped(type.shown)
  }

  static func duration(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { Quantity.duration(nanoseconds: $0) } ?? "–"
  }
}
