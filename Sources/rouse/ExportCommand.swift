import CommandLineSupport
import WakeEvents
import WakeImport
import WakeReplay
import WakeTrace

enum ExportCommand: Command {
  /// The forms besides JSON Lines.
  private static let forms = ["csv"] + TimelineFormat.allCases.map(\.rawValue)

  static let specification = Specification(
    name: "export",
    summary: "Convert traces to JSON Lines, tables as CSV, or timelines.",
    operands: "[csv | perfetto | chrome] TRACE… [-o FILE]",
    operandCount: 1...(.max),
    operandValues: [.wordsOrFile(forms), .file],
    discussion: """
      Importing the lines gives the same trace again, if they have their times as ns. The streams of a
      device, in one trace or in several, are merged by time.

      With csv: a table of the trace or of its replay, as CSV (RFC 4180). Times are in UTC with nine
      digits of a fraction. NAME is one of:
        wakes    a row for each wake
        items    a row for each type, push or refresh that a wake carries
        waits    a row for each stretch of waiting with the same reasons, joined by +; each wait is told
                 once, when it is over for good
        samples  a row for each save and delete
        apps     a row for each app, all devices together

      With perfetto or chrome: a timeline of the replay, to be opened at https://ui.perfetto.dev: for each
      device its lock, power and network; for each app its state, its wakes by outcome, the oldest save of
      each with an arrow to it, the saves pending, and what held each type. perfetto is binary, and exact
      to the nanosecond; chrome is JSON for other viewers, its times from the first event on.

      A trace that is named csv is given as ./csv, and so on. TRACE may be @LIST, a file with the path of
      a trace in each line.
      """,
    options: [
      .init("--output", short: "-o", value: "FILE", "The file to write (default standard output)."),
      .init(
        "--table", value: "NAME", words: ReplayTable.allCases.map(\.rawValue),
        "With csv: the table."),
      .init(
        "--app", value: "APP", repeats: true, "With perfetto or chrome: only this app (repeatable)."
      ),
      .init(
        "--device", value: "NAME", repeats: true,
        "With perfetto or chrome: only this device (repeatable)."),
      .policy,
      .times,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let form = arguments.operands[0]
    let timeline = TimelineFormat(rawValue: form)
    try refuse(
      ["--table"], unless: form == "csv", "csv: rouse export csv TRACE --table NAME", arguments)
    try refuse(
      ["--policy"], unless: form == "csv" || timeline != nil,
      "csv, perfetto or chrome: rouse export csv TRACE --table NAME", arguments)
    try refuse(
      ["--app", "--device"], unless: timeline != nil,
      "perfetto or chrome: rouse export perfetto TRACE -o FILE", arguments)
    try refuse(
      ["--times"], unless: form != "csv" && timeline == nil, "JSON Lines: rouse export TRACE",
      arguments)
    let isLines = form != "csv" && timeline == nil
    guard isLines || arguments.operands.count > 1 else {
      throw arguments.usage("\(form) requires a trace")
    }
    let paths = try arguments.paths(behind: isLines ? 0 : 1)
    try Console.refuse(arguments.value("--output"), over: arguments.inputs(paths))
    if isLines { return try exportLines(paths, arguments) }
    if let timeline { return try export(timeline, paths, arguments) }
    return try exportTable(paths, arguments)
  }

  private static func refuse(
    _ options: [String], unless isApt: Bool, _ form: String, _ arguments: Arguments
  ) throws(UsageError) {
    guard !isApt else { return }
    for option in options where arguments.has(option) {
      throw arguments.usage("\(option) requires \(form)")
    }
  }

  /// The options of the replay of which a table or timeline is.
  static func replayOptions(_ arguments: Arguments) throws -> ReplayOptions {
    var options = ReplayOptions()
    if let policy = try arguments.policy() { options.policy = policy }
    options.selection.devices = Set(arguments.all("--device").map { ExactName($0) })
    options.measuresLatency = false
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    return options
  }

  private static func output(
    _ files: [TraceFile], _ arguments: Arguments
  ) throws(TraceError) -> FileOutput {
    try FileOutput(
      path: arguments.value("--output") ?? "-", isPrivate: arguments.hasPrivateInput(files))
  }

  private static func exportLines(
    _ paths: PathList, _ arguments: Arguments
  ) throws -> ExitStatus {
    let times = try arguments.times()
    let traces = try tracesToExport(paths, arguments)
    let export = try TraceExport(traces)
    let output = try output(traces, arguments)
    try Progress.during("exporting", total: Int64(export.eventCount), unit: "events") { progress in
      try export.run(to: output, times: times) { progress.update(Int64($0)) }
    }
    try output.commit()
    return .success
  }

  /// The traces to convert to JSON Lines.
  private static func tracesToExport(
    _ paths: PathList, _ arguments: Arguments
  ) throws -> [TraceFile] {
    do {
      return try arguments.traces(paths)
    } catch var error as TraceError {
      // The name of an unknown form, such as `svg`, was taken for that of a trace.
      let form = arguments.operands[0]
      if arguments.operands.count > 1, error.file == form, error.code == .inputOutput,
        !form.contains(where: { "./".contains($0) })
      {
        error.message += "; the forms are " + forms.joined(separator: ", ")
      }
      throw error
    }
  }

  private static func exportTable(
    _ paths: PathList, _ arguments: Arguments
  ) throws -> ExitStatus {
    let name = try arguments.required("--table")
    guard let table = ReplayTable(rawValue: name) else {
      let names = ReplayTable.allCases.map(\.rawValue).joined(separator: ", ")
      throw arguments.usage("--table: '\(name)' is not one of \(names)")
    }
    if table == .samples, arguments.has("--policy") {
      throw arguments.usage(
        "--policy does not change the table samples, which is of the trace alone")
    }
    let files = try arguments.traces(paths)
    switch table {
    case .samples: try exportSamples(files, arguments)
    case .wakes, .items, .waits, .apps: try exportReplay(table, files, arguments)
    }
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
    let options = try replayOptions(arguments)
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
        isPrivate: arguments.hasPrivateInput(files))
      let result = try replayer.run(observer: observer) { done, _ in
        progress.update(Int64(done))
      }
      try observer.commit()
      return result
    }
    Remarks(options, files).tell(result)
  }
}
