import Measurement
import PageDrawing

extension HTMLReport {
  /// The table of all benchmarks, which the page's script sorts and filters.
  var summary: String {
    guard !entries.isEmpty else {
      return """
        <section id="summary"><h2>Summary</h2><p class="empty">Nothing was measured.</p></section>

        """
    }
    let table = comparison.map(comparisonTable) ?? runTable
    let legend = comparison == nil ? "" : Self.legend
    let caveats = (comparison?.remarks ?? []).map {
      "<p class=\"legend\"><strong>\(HTML.escaped($0))</strong></p>\n"
    }
    return """
      <section id="summary"><h2>Summary</h2>
      <p class="tools" hidden><label>Show <input type="search" id="filter" placeholder="names with …" \
      autocomplete="off"></label> <span id="shown" role="status"></span></p>
      <div class="scroll" tabindex="0" role="region" aria-label="Summary"><table class="sortable">
      \(table)</table></div>
      \(legend)\(caveats.joined())</section>

      """
  }

  private static let legend = """
    <p class="legend"><span class="swatch floor"></span> noise floor \
    <span class="swatch line"></span> confidence interval of the change, with its median; to the right \
    is slower</p>

    """

  private static func head(_ columns: [(name: String, kind: String)]) -> String {
    let cells = columns.map { name, kind in
      "<th scope=\"col\" class=\"\(kind)\" aria-sort=\"none\">"
        + "<button type=\"button\">\(HTML.escaped(name))</button></th>"
    }
    return "<thead><tr>\(cells.joined())</tr></thead>\n"
  }

  /// A cell; `key` is the sort key, by default the text.
  private static func cell(_ text: String, key: Double?) -> String {
    let key = key.flatMap { $0.isFinite ? DecimalText.shortest($0) : nil } ?? ""
    return "<td data-key=\"\(key)\">\(HTML.escaped(text))</td>"
  }

  private static func nameCell(_ name: String, _ index: Int) -> String {
    "<th scope=\"row\" data-key=\"\(HTML.escaped(name))\"><a href=\"#b\(index)\">"
      + "\(breakable(name))</a></th>"
  }

  /// A name with optional line breaks after slashes.
  static func breakable(_ name: String) -> String {
    HTML.escaped(name).replacing("/", with: "/<wbr>")
  }

  private func comparisonTable(_ comparison: BenchmarkComparison) -> String {
    let bar = IntervalBar(comparison)
    let rows = entries.enumerated().compactMap { index, entry in
      entry.compared.map { row($0, index: index, bar: bar) }
    }
    return Self.head([
      ("Benchmark", "name"), ("Verdict", ""), ("Change", ""), ("Interval", "wide"),
      ("Before", ""), ("After", ""), ("p", ""), ("Pairs", ""),
    ]) + "<tbody>\(rows.joined())</tbody>\n"
  }

  private func row(_ result: BenchmarkComparison.Result, index: Int, bar: IntervalBar) -> String {
    let judgement = result.judgement
    let before = Statistics.median(of: result.pairs.map(\.before))
    let after = Statistics.median(of: result.pairs.map(\.after))
    let weight = Verdict.byWeight.firstIndex(of: judgement.verdict) ?? 0
    return """
      <tr>\(Self.nameCell(result.name, index))\
      <td data-key="\(weight)">\(Self.pill(judgement.verdict))</td>\
      \(Self.cell(Self.change(result), key: judgement.ratio))\
      <td class="wide" data-key="\(DecimalText.shortest(judgement.lower ?? 0))">\(bar.draw(judgement))</td>\
      \(Self.cell(ReportText.time(before), key: before))\
      \(Self.cell(ReportText.time(after), key: after))\
      \(Self.cell(ReportText.probability(judgement.pValue), key: judgement.pValue))\
      \(Self.cell(Quantity.count(result.pairs.count), key: Double(result.pairs.count)))</tr>

      """
  }

  static func change(_ result: BenchmarkComparison.Result) -> String {
    result.pairs.isEmpty ? "–" : ReportText.change(result.judgement.ratio)
  }

  static func pill(_ verdict: Verdict) -> String {
    """
    <span class="pill \(verdict.rawValue)"><span aria-hidden="true">\(verdict.sign)</span> \
    \(verdict.rawValue)</span>
    """
  }

  private var runTable: String {
    let rows = entries.enumerated().compactMap { index, entry in
      entry.measured.map { Self.row($0, index: index) }
    }
    return Self.head([
      ("Benchmark", "name"), ("Time", ""), ("Spread", ""), ("Throughput", ""),
      ("Allocations", ""), ("Instructions", ""), ("Samples", ""),
    ]) + "<tbody>\(rows.joined())</tbody>\n"
  }

  private static func row(_ result: BenchmarkResult, index: Int) -> String {
    let spread = ReportText.spread(result.samples.map(\.nanosecondsPerOperation))
    let allocations = result.value(of: .allocations)
    let instructions =
      result.value(of: .instructions) ?? result.value(of: .simulatedInstructions)
    let time = result.medianNanoseconds
    return """
      <tr>\(nameCell(result.name, index))\
      \(cell(time.map { "\(ReportText.time($0))/\(result.unit)" } ?? "–", key: time))\
      \(cell(spread.map { "±\(Quantity.percentage($0))" } ?? "–", key: spread))\
      \(cell(result.operationsPerSecond.map { Quantity.rate(perSecond: $0) } ?? "–", key: result.operationsPerSecond))\
      \(cell(allocations.map(ReportText.count) ?? "–", key: allocations))\
      \(cell(instructions.map(ReportText.count) ?? "–", key: instructions))\
      \(cell(Quantity.count(result.samples.count), key: Double(result.samples.count)))</tr>

      """
  }
}
