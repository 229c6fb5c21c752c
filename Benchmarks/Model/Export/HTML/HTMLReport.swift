import Measurement
import PageDrawing

/// A report of a run, a comparison, or both, as a self-contained HTML file for large and small screens, light and dark
/// modes, and print.
public struct HTMLReport: Sendable {
  /// The run, if there is one.
  public var run: BenchmarkRun?
  /// The comparison, if there is one.
  public var comparison: BenchmarkComparison?

  /// Makes a report. Benchmarks that are in both have one section.
  public init(run: BenchmarkRun? = nil, comparison: BenchmarkComparison? = nil) {
    self.run = run
    self.comparison = comparison
  }

  /// The file's text.
  ///
  /// - Complexity: O(samples); densities take 120 steps for each sample.
  public var text: String {
    """
    \(HTML.beginning(title: title, style: Self.style))\
    \(header)<main>
    \(summary)\(benchmarks)\(growth)\(notMeasured)\(surroundings)</main>
    \(footer)<script>
    \(Self.script)</script>
    </body>
    </html>

    """
  }

  private var title: String {
    if let comparison {
      return "Benchmarks: \(comparison.before.label) → \(comparison.after.label)"
    }
    return "Benchmarks: \(run?.build.label ?? "nothing")"
  }

  private var header: String {
    let heading: String
    if let comparison {
      heading = """
        <span class="build before">\(HTML.escaped(comparison.before.label))</span> \
        <span class="arrow">→</span> \
        <span class="build after">\(HTML.escaped(comparison.after.label))</span>
        """
    } else {
      heading = "<span class=\"build\">\(HTML.escaped(run?.build.label ?? "Nothing"))</span>"
    }
    let source = [
      (comparison?.tool ?? run?.tool), (comparison?.startedAt ?? run?.startedAt),
      (comparison?.machine ?? run?.machine).map { $0.processor ?? $0.architecture },
    ].compactMap { $0 }.filter { !$0.isEmpty }
    return """
      <header>
      <p class="kind">Benchmarks</p>
      <h1>\(heading)</h1>
      <p class="source">\(HTML.escaped(source.joined(separator: " · ")))</p>
      \(tiles)<nav>\(navigation)</nav>
      </header>

      """
  }

  /// The headline figures.
  private var tiles: String {
    var tiles: [(value: String, name: String, style: String)] = []
    if let comparison {
      for verdict in Verdict.byWeight {
        let count = comparison.results.count { $0.judgement.verdict == verdict }
        tiles.append(
          (
            Quantity.count(count), "\(verdict.sign) \(verdict.rawValue)",
            count > 0 ? verdict.rawValue : "none"
          ))
      }
    }
    if let run {
      if comparison == nil {
        tiles.append((Quantity.count(run.results.count), "benchmarks", ""))
        let samples = run.results.reduce(0) { $0 + $1.samples.count }
        tiles.append((Quantity.count(samples), "samples", ""))
      }
      if !run.curves.isEmpty {
        tiles.append((Quantity.count(run.curves.count), "growth curves", ""))
      }
      if !run.skipped.isEmpty {
        tiles.append((Quantity.count(run.skipped.count), "left out", ""))
      }
    }
    let items = tiles.map {
      "<li class=\"\($0.style)\"><b>\($0.value)</b> \(HTML.escaped($0.name))</li>"
    }
    return "<ul class=\"tiles\">\(items.joined())</ul>\n"
  }

  private var navigation: String {
    var links = [HTML.link("Summary", to: "summary")]
    if !entries.isEmpty { links.append(HTML.link("Benchmarks", to: "benchmarks")) }
    if run?.curves.isEmpty == false { links.append(HTML.link("Growth", to: "growth")) }
    if hasNotMeasured { links.append(HTML.link("Not measured", to: "not-measured")) }
    links.append(HTML.link("Machine", to: "machine"))
    return links.joined(separator: " ")
  }

  private var footer: String {
    """
    <footer><p>Made by \(HTML.escaped(comparison?.tool ?? run?.tool ?? "rouse-bench")), schema version \
    \(BenchmarkRun.schemaVersion). The file holds everything it shows and asks for nothing else.</p></footer>

    """
  }
}

extension HTMLReport {
  /// A benchmark of the report.
  struct Entry {
    var name: String
    var unit: String
    var measured: BenchmarkResult?
    var compared: BenchmarkComparison.Result?
  }

  /// All benchmarks: the compared ones in their order, then those that were only measured.
  var entries: [Entry] {
    let compared = comparison?.results ?? []
    var entries = compared.map { result in
      Entry(
        name: result.name, unit: result.unit, measured: run?.result(named: result.name),
        compared: result)
    }
    let names = Set(compared.map(\.name))
    for result in run?.results ?? [] where !names.contains(result.name) {
      entries.append(Entry(name: result.name, unit: result.unit, measured: result))
    }
    return entries
  }
}
