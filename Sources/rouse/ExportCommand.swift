import CommandLineSupport
import WakeImport
import WakeReplay
import WakeTrace

enum ExportCommand: Command {
  static let specification = Specification(
    name: "export",
    summary: "Convert traces to JSON Lines, or to tables as CSV.",
    operands: "[csv] TRACE… [-o FILE]",
    operandCount: 1...(.max),
    operandValues: [.wordsOrFile(["csv"]), .file],
    discussion: """
      Importing the lines gives the same trace again. The streams of a device, in one trace or in
      several, are merged by time.

      With csv: a table of the trace or of its replay, as CSV (RFC 4180). Times are in UTC with nine
      digits of a fraction. NAME is one of:
        wakes    a row for each wake
        items    a row for each type, push or refresh that a wake carries
        waits    a row for each stretch of waiting with the same reasons, joined by +; each wait is told
                 once, when it is over for good
        samples  a row for each save and delete
        apps     a row for each app, all devices together
      A trace that is named csv is given as ./csv.
      """,
    options: [
      .init("--output", short: "-o", value: "FILE", "The file to write (default standard output)."),
      .init(
        "--table", value: "NAME", words: ReplayTable.allCases.map(\.rawValue),
        "With csv: the table."),
      .policy,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try Console.refuse(arguments.value("--output"), over: arguments.inputs)
    let isTable = arguments.operands[0] == "csv"
    guard isTable else {
      for option in ["--table", "--policy"] where arguments.has(option) {
        throw arguments.usage("\(option) requires csv: rouse export csv TRACE --table NAME")
      }
      return try exportLines(arguments)
    }
    let name = try arguments.required("--table")
    guard let table = ReplayTable(rawValue: name) else {
      let names = ReplayTable.allCases.map(\.rawValue).joined(separator: ", ")
      throw arguments.usage("--table: '\(name)' is not one of \(names)")
    }
    guard arguments.operands.count > 1 else { throw arguments.usage("csv requires a trace") }
    if table == .samples, arguments.has("--policy") {
      throw arguments.usage(
        "--policy does not change the table samples, which is of the trace alone")
    }
    let files = try arguments.operands.dropFirst().map { path throws(TraceError) in
      try TraceFile(path: path)
    }
    switch table {
    case .samples: try exportSamples(files, arguments)
    case .wakes, .items, .waits, .apps: try exportReplay(table, files, arguments)
    }
    return .success
  }

  private static func output(
    _ files: [TraceFile], _ arguments: Arguments
  ) throws(TraceError) -> FileOutput {
    try FileOutput(
      path: arguments.value("--output") ?? "-", isPrivate: files.contains(where: \.isPrivate))
  }

  private static func exportLines(_ arguments: Arguments) throws -> ExitStatus {
    let traces = try arguments.traces()
    let export = try TraceExport(traces)
    let output = try output(traces, arguments)
    try Progress.during("exporting", total: Int64(export.eventCount), unit: "events") { progress in
      try export.run(to: output) { progress.update(Int64($0)) }
    }
    try output.commit()
    return .success
  }

  private static func exportSamples(_ files: [TraceFile], _ arguments: Arguments) throws {
    let export = try TraceExport(files)
    let output = try output(files, arguments)
    var rows = ReplayTable.samples.header
    try Progress.during("exporting", total: Int64(export.eventCount), unit: "events") { progress in
      try export.forEachEvent(progress: { progress.update(Int64($0)) }) {
        event throws(TraceError) in
        rows.row(event, export.symbols)
        if rows.bytes.count >= 1 << 18 { try output.write(rows.takeBytes()) }
      }
    }
    try output.write(rows.takeBytes())
    try output.commit()
  }

  private static func exportReplay(
    _ table: ReplayTable, _ files: [TraceFile], _ arguments: Arguments
  ) throws {
    var options = ReplayOptions()
    if let policy = try arguments.policy() { options.policy = policy }
    options.measuresLatency = false
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    let replayer = Replayer(files: files, options: options)
    let result = try Progress.during("replaying", unit: "events") { progress in
      guard table != .apps else {
        let output = try output(files, arguments)
        var rows = table.header
        let result = try replayer.run { done, _ in progress.update(Int64(done)) }
        for app in result.apps { rows.row(app) }
        try output.write(rows.takeBytes())
        try output.commit()
        return result
      }
      let observer = try TableObserver(
        table, path: arguments.value("--output") ?? "-",
        isPrivate: files.contains(where: \.isPrivate))
      let result = try replayer.run(observer: observer) { done, _ in
        progress.update(Int64(done))
      }
      try observer.commit()
      return result
    }
    Remarks(options, files).tell(result)
  }
}
