import CommandLineSupport
import Measurement
import WakeEvents
import WakeReplay
import WakeScheduling
import WakeTrace

enum OptimumCommand: Command {
  static let specification = Specification(
    name: "optimum",
    summary: "Find how few wakes would do, and how much sooner data could be there.",
    operands: "TRACE…",
    operandCount: 1...(.max),
    discussion: """
      Holds the wakes of a replay against the best that any schedule could do (see the page Rules, 10).
      An app is behind while something that was saved for it waits for a wake. A row has the app's
      WAKES for sample types, and the FEWEST of them with which it would be behind for no longer; the
      time for which it was BEHIND, and the LEAST with as many wakes; and for each deadline the fewest
      wakes with which nothing waits longer, unless wakes are forbidden. Each figure is found device by
      device and added up.

      --json prints the same object as 'rouse replay --bounds -', times in nanoseconds. --curve writes
      JSON Lines: for each app the least time behind in nanoseconds ("leastBehind") with so many wakes
      on all devices together ("wakes"). Each line is exact, and there are up to 1,889 for an app.

      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .policy,
      .init(
        "--within", value: "LIST",
        "Deadlines such as 30s,15m,1h,7d (default 1m,5m,15m,1h,4h,1d)."),
      .init("--curve", value: "FILE", "Write the curves as JSON Lines; '-' is standard output."),
      .init("--json", "Print JSON: an object by app name."),
      .init("--threads", value: "N", "Threads that decode and schedule (default 1)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let curvePath = arguments.value("--curve")
    if arguments.has("--json"), curvePath == "-" {
      throw arguments.usage("--json and --curve - cannot both go to standard output")
    }
    let paths = try arguments.paths()
    try Console.refuse(curvePath, over: arguments.inputs(paths))
    var asked = ReplayOptions.Bounds()
    if let list = arguments.value("--within") {
      asked.deadlines = try deadlines(list, arguments)
    }
    asked.keepsCurve = curvePath != nil
    var options = ReplayOptions()
    if let policy = try arguments.policy() { options.policy = policy }
    options.bounds = asked
    options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    options.measuresLatency = false
    let traces = try arguments.traces(paths)
    let curve = try curvePath.map { path throws(TraceError) in
      try FileOutput(path: path, isPrivate: arguments.hasPrivateInput(traces))
    }
    let result = try Progress.during("replaying", unit: "events") { progress in
      try Replayer(files: traces, options: options).run { done, _ in
        progress.update(Int64(done))
      }
    }
    for notice in result.notices { Console.message(notice) }
    Remarks(options, traces).tell(result)
    guard let bounds = result.bounds else { return .failure }
    if let curve {
      try curve.write(Array(bounds.curveLines.utf8))
      try curve.commit()
    }
    let text = arguments.has("--json") ? bounds.json : table(bounds, asked.deadlines)
    if curvePath == "-" { Console.write(text) } else { try Console.print(text) }
    return .success
  }

  /// Deadlines in seconds, the shortest first.
  private static func deadlines(_ list: String, _ arguments: Arguments) throws -> [Int] {
    let second: Int64 = 1_000_000_000
    let seconds = try list.split(separator: ",", omittingEmptySubsequences: false).map { text in
      guard let length = DurationText.nanoseconds(String(text)), length > 0,
        length.isMultiple(of: second)
      else {
        throw arguments.usage(
          "--within: '\(text)' is not \(DurationText.form), of whole seconds from 1 to 10^9")
      }
      return Int(length / second)
    }
    return Set(seconds).sorted()
  }

  /// A row for each app, its name to the left and figures to the right.
  private static func table(_ bounds: ReplayResult.Bounds, _ deadlines: [Int]) -> String {
    let within = deadlines.map { Quantity.duration(nanoseconds: Int64($0) * 1_000_000_000) }
    var rows = [["APP", "WAKES", "FEWEST", "BEHIND", "LEAST"] + within.map { "WITHIN \($0)" }]
    for app in bounds.apps {
      rows.append(
        [
          app.app.shown, String(app.wakes), String(app.fewestWakes),
          Quantity.duration(nanoseconds: app.behind),
          Quantity.duration(nanoseconds: app.leastBehind),
        ] + app.fewestWakesWithin.map { String($0.wakes) })
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}
