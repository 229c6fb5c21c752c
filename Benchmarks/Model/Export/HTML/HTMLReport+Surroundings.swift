import PageDrawing

extension HTMLReport {
  /// The growth of costs with the amount of work.
  var growth: String {
    guard let curves = run?.curves, !curves.isEmpty else { return "" }
    let cards = curves.map { curve in
      """
      <article class="card"><h3>\(Self.breakable(curve.name))</h3>
      <p class="figures">\(Self.growth(of: curve))<br><small>\(HTML.escaped(Self.meaning(of: curve)))\
      </small></p>
      <figure>\(GrowthChart.draw(curve) ?? "")</figure></article>

      """
    }
    return """
      <section id="growth"><h2>How costs grow</h2>
      <div class="cards">
      \(cards.joined())</div></section>

      """
  }

  private static func growth(of curve: ScalingCurve) -> String {
    let variable = "<i>\(HTML.escaped(curve.variable))</i>"
    return curve.isPower
      ? "cost an operation ∝ \(variable)<sup>\(HTML.escaped(curve.exponentText))</sup>"
      : "cost an operation ∝ no power of \(variable)"
  }

  /// An exponent in words: the change of an operation's cost for ten times the work.
  private static func meaning(of curve: ScalingCurve) -> String {
    guard curve.exponent.isFinite, curve.exponent.magnitude < 20 else { return "no fit" }
    let factor = exponential(curve.exponent * logarithm(10))
    let sizes = "\(curve.points.count) sizes"
    guard curve.isPower else { return "\(curve.missText); \(sizes)" }
    let error = curve.standardError == nil ? "" : "; ± is the exponent's standard error"
    return "ten times the \(curve.variable), \(ReportText.change(factor)) an operation; "
      + sizes + error
  }

  var hasNotMeasured: Bool {
    run.map { !MissingCounters.of($0).isEmpty || !$0.skipped.isEmpty } ?? false
      || comparison?.skipped.isEmpty == false
  }

  /// The measurements that are missing, with reasons.
  var notMeasured: String {
    guard hasNotMeasured else { return "" }
    var rows = ""
    func row(_ what: String, _ reason: String, _ whose: String) {
      rows += "<tr><th scope=\"row\">\(HTML.escaped(what))</th><td>\(HTML.escaped(reason))</td>"
      rows += "<td>\(HTML.escaped(whose))</td></tr>\n"
    }
    if let run {
      for missing in MissingCounters.of(run) {
        row(
          missing.counters.joined(separator: ", "), missing.reason,
          missing.benchmarksText(of: run))
      }
      for skip in run.skipped { row("the whole benchmark", skip.reason, skip.name) }
    }
    for skip in comparison?.skipped ?? [] { row("the comparison", skip.reason, skip.name) }
    return """
      <section id="not-measured"><h2>Not measured</h2>
      <div class="scroll" tabindex="0" role="region" aria-label="Not measured"><table class="plain">
      <thead><tr><th scope="col">What</th><th scope="col">Why not</th><th scope="col">Of</th></tr></thead>
      <tbody>\(rows)</tbody></table></div></section>

      """
  }

  /// The machine, the builds, and the rule of the verdicts.
  var surroundings: String {
    var cards: [(String, [(String, String)])] = []
    if let machine = comparison?.machine ?? run?.machine {
      cards.append(("Machine", ReportText.facts(of: machine).map { ($0.name, $0.value) }))
    }
    if let run, let comparison, run.machine.processor != comparison.machine.processor {
      cards.append(
        ("Machine of the run", ReportText.facts(of: run.machine).map { ($0.name, $0.value) }))
    }
    if let comparison {
      cards.append(("Build before", Self.facts(of: comparison.before)))
      cards.append(("Build after", Self.facts(of: comparison.after)))
      cards.append(
        ("Comparison", [("Started", comparison.startedAt), ("Seed", "\(comparison.seed)")]))
    }
    if let run {
      cards.append(("Build measured", Self.facts(of: run.build) + [("Started", run.startedAt)]))
    }
    let articles = cards.map {
      "<article class=\"card facts\"><h3>\($0.0)</h3>\(Self.list($0.1))</article>\n"
    }
    let rule = comparison.map {
      "<p class=\"rule\">\(HTML.escaped(ReportText.explanation(of: $0)))</p>"
    }
    return """
      <section id="machine"><h2>Machine and builds</h2>
      <div class="cards">
      \(articles.joined())</div>\(rule ?? "")</section>

      """
  }

  private static func facts(of build: BuildDescription) -> [(String, String)] {
    [("Label", build.label)] + (build.revision.map { [("Revision", $0)] } ?? [])
      + [("Compiler", build.compiler), ("Configuration", build.configuration)]
  }
}
