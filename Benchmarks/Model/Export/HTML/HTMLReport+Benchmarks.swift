import Measurement
import PageDrawing

extension HTMLReport {
  /// A card for each benchmark.
  var benchmarks: String {
    guard !entries.isEmpty else { return "" }
    let cards = entries.enumerated().map { index, entry in card(entry, index: index) }
    return """
      <section id="benchmarks"><h2>Benchmarks</h2>
      <div class="cards">
      \(cards.joined())</div></section>

      """
  }

  private func card(_ entry: Entry, index: Int) -> String {
    var figures = ""
    let label = entry.compared == nil ? "time of \(indefinite(entry.unit))" : "times of both builds"
    if let drawing = DistributionChart.draw(series(of: entry), name: entry.name) {
      figures += Self.figure("Distribution: \(label)", drawing)
    }
    if let compared = entry.compared, let comparison,
      let drawing = PairsChart.draw(compared, rule: comparison.rule)
    {
      figures += Self.figure("Change of each pair, in the order of time", drawing)
    }
    if let latencies = entry.measured?.latencies {
      figures += self.latencies(latencies, name: entry.name)
    }
    let verdict = entry.compared.map { Self.pill($0.judgement.verdict) } ?? ""
    return """
      <article class="card" id="b\(index)" data-name="\(HTML.escaped(entry.name))">
      <h3>\(Self.breakable(entry.name)) \(verdict)</h3>
      \(sentence(of: entry))\(figures)\(counters(of: entry))</article>

      """
  }

  private func indefinite(_ unit: String) -> String {
    (unit.first.map { "aeiou".contains($0) } ?? false ? "an " : "a ") + unit
  }

  private func series(of entry: Entry) -> [DistributionChart.Series] {
    if let compared = entry.compared {
      return [
        .init(label: "before", style: "before", values: compared.pairs.map(\.before)),
        .init(label: "after", style: "after", values: compared.pairs.map(\.after)),
      ]
    }
    let times = entry.measured?.samples.map(\.nanosecondsPerOperation) ?? []
    return [.init(label: "", style: "only", values: times)]
  }

  private func sentence(of entry: Entry) -> String {
    if let compared = entry.compared {
      guard !compared.pairs.isEmpty else { return "<p class=\"figures\">no pairs</p>\n" }
      let before = ReportText.time(Statistics.median(of: compared.pairs.map(\.before)))
      let after = ReportText.time(Statistics.median(of: compared.pairs.map(\.after)))
      let judgement = compared.judgement
      let interval: String
      if let text = judgement.intervalText, let confidence = judgement.confidence {
        interval = "\(text) with \(ReportText.confidence(confidence)) confidence"
      } else {
        interval = "too few rounds for an interval"
      }
      return """
        <p class="figures"><b>\(HTML.escaped(Self.change(compared)))</b> \(HTML.escaped(before)) → \
        \(HTML.escaped(after)) <span class="unit">/ \(HTML.escaped(entry.unit))</span><br>\
        <small>\(HTML.escaped(interval)); \(Quantity.count(compared.pairs.count)) pairs in \
        \(Quantity.count(judgement.rounds.count)) rounds</small></p>

        """
    }
    guard let measured = entry.measured, let time = measured.medianNanoseconds else {
      return "<p class=\"figures\">no samples</p>\n"
    }
    let rate = measured.operationsPerSecond.map { Quantity.rate(perSecond: $0) } ?? ""
    let times = measured.samples.map(\.nanosecondsPerOperation)
    let extremes =
      times.count > 1
      ? "\(ReportText.time(times.min())) to \(ReportText.time(times.max())) in "
        + "\(Quantity.count(times.count)) samples"
      : "one sample"
    return """
      <p class="figures"><b>\(HTML.escaped(ReportText.time(time)))</b> \
      <span class="unit">/ \(HTML.escaped(entry.unit))</span> \(HTML.escaped(rate))<br>\
      <small>\(HTML.escaped(extremes))</small></p>

      """
  }

  private func latencies(_ latencies: BenchmarkResult.Latencies, name: String) -> String {
    guard let drawing = LatencyChart.draw(latencies, name: name) else { return "" }
    let percentiles: [(String, Double)] = [("p50", 50), ("p99", 99), ("p99.9", 99.9)]
    let figures =
      percentiles.map { name, percentile in
        (name, Quantity.duration(nanoseconds: latencies.value(atPercentile: percentile)))
      } + [("max", Quantity.duration(nanoseconds: latencies.maximum))]
    return Self.figure("Latency of single operations by percentile", drawing)
      + Self.list(figures)
  }

  private func counters(of entry: Entry) -> String {
    guard let measured = entry.measured else { return "" }
    var items = measured.counters.compactMap { counter in
      counter.value.map { (counter.name.words, ReportText.value($0, of: counter.name)) }
    }
    if !measured.digest.isEmpty { items.append(("digest", measured.digest)) }
    return Self.list(items)
  }

  private static func figure(_ caption: String, _ drawing: String) -> String {
    "<figure><figcaption>\(HTML.escaped(caption))</figcaption>\(drawing)</figure>\n"
  }

  static func list(_ items: [(String, String)]) -> String {
    guard !items.isEmpty else { return "" }
    let parts = items.map {
      "<div><dt>\(HTML.escaped($0.0))</dt><dd>\(HTML.escaped($0.1))</dd></div>"
    }
    return "<dl>\(parts.joined())</dl>\n"
  }
}
