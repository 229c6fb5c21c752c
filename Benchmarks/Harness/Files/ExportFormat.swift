import BenchmarkModel

/// The formats of exported runs and comparisons.
enum ExportFormat: String, CaseIterable {
  case json, csv, google, go, hdr, github, markdown, html

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  static let help = """
    FORMAT is json (everything, with raw samples), csv (a line a benchmark), google (Google
    Benchmark's JSON, for its compare.py), go (Go's benchmark text, for benchstat), hdr (HdrHistogram's
    percentiles, for its plotters), github (github-action-benchmark's JSON, customSmallerIsBetter),
    markdown, or html (a self-contained report).
    """

  /// The measurements in this format.
  func text(of subject: ExportSubject) throws -> String {
    switch self {
    case .json: try subject.json()
    case .csv: subject.comparison?.csv ?? subject.run?.csv ?? ""
    case .google: try subject.build(for: self).googleBenchmark
    case .go: try subject.goBenchmark()
    case .hdr: try subject.latencies().percentileDistribution
    case .github: try subject.build(for: self).gitHubAction
    case .markdown: subject.comparison?.markdown ?? subject.run?.markdown ?? ""
    case .html: HTMLReport(run: subject.run, comparison: subject.comparison).text
    }
  }
}

/// A run, a comparison, or both, and the part to export.
struct ExportSubject {
  var run: BenchmarkRun?
  var comparison: BenchmarkComparison?
  var side: MeasuredBuild.Side?
  var benchmark: String?

  /// Reads a run or a comparison, as the file holds.
  mutating func read(_ path: String) throws {
    let kind = "run or comparison"
    let data = try RunFile.data(path)
    let version = try RunFile.decode(Kind.self, data, of: path, kind: kind)
    try RunFile.refuse(schema: version.schemaVersion, of: path)
    if version.before != nil {
      guard comparison == nil else { throw BenchmarkFailure("\(path): is a second comparison") }
      comparison = try RunFile.read(BenchmarkComparison.self, data, of: path, kind: "comparison")
    } else {
      guard run == nil else { throw BenchmarkFailure("\(path): is a second run") }
      run = try RunFile.read(BenchmarkRun.self, data, of: path, kind: "run")
    }
  }

  /// The key that only a comparison has.
  private struct Kind: Decodable {
    var schemaVersion: Int
    var before: BuildDescription?
  }

  func json() throws -> String {
    if let comparison { return try RunFile.json(comparison) }
    return try RunFile.json(run)
  }

  func goBenchmark() throws -> String {
    if let comparison, side == nil { return comparison.goBenchmark }
    return try build(for: .go).goBenchmark
  }

  /// One build: the run's, or that of a comparison's side.
  func build(for format: ExportFormat) throws -> MeasuredBuild {
    if let run { return MeasuredBuild(run) }
    guard let comparison else { throw BenchmarkFailure("there is nothing to export") }
    guard let side else {
      throw BenchmarkFailure(
        "\(format.rawValue) holds one build, and a comparison has two: use --side before or after")
    }
    return MeasuredBuild(comparison, side)
  }

  /// The latencies of the chosen benchmark.
  func latencies() throws -> BenchmarkResult.Latencies {
    guard let run else { throw BenchmarkFailure("a comparison has no latencies; export a run") }
    let measured = run.results.filter { $0.latencies != nil }
    let wanted = benchmark.map { name in measured.filter { $0.name == name } } ?? measured
    guard let latencies = wanted.first?.latencies else {
      throw BenchmarkFailure(
        benchmark.map { "the run has no latencies of a benchmark '\($0)'" }
          ?? "the run has no latencies")
    }
    guard wanted.count == 1 else {
      let names = wanted.map(\.name).joined(separator: ", ")
      throw BenchmarkFailure(
        "the run has latencies of several benchmarks; choose one by --benchmark: \(names)")
    }
    return latencies
  }
}
