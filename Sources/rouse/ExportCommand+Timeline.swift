import CommandLineSupport
import Glibc
import Measurement
import WakeEvents
import WakeReplay
import WakeTrace

// `rouse export perfetto` and `rouse export chrome`.
extension ExportCommand {
  static func export(
    _ format: TimelineFormat, _ paths: PathList, _ arguments: Arguments
  ) throws -> ExitStatus {
    let path = arguments.value("--output") ?? "-"
    if format == .perfetto, Console.isTerminal(path) {
      throw arguments.usage(
        "a Perfetto trace is binary and not written to a terminal; add -o FILE or redirect it")
    }
    let files = try arguments.traces(paths)
    let options = try replayOptions(arguments)
    let apps = arguments.all("--app")
    let (base, first) = try firstTime(of: files)
    guard format != .perfetto || base.nanoseconds >= 0 else {
      throw TraceError(
        code: .invalidEvent, file: first,
        message: "begins at \(base.iso8601), and Perfetto has no times before 1970; use "
          + "'rouse export chrome', whose times begin at 0")
    }
    let observer = try TimelineExport(
      format, base: base, apps: Set(apps.map { ExactName($0) }), path: path,
      isPrivate: arguments.hasPrivateInput(files))
    let result = try Progress.during("replaying", unit: "events") { progress in
      try Replayer(files: files, options: options).run(observer: observer) { done, _ in
        progress.update(Int64(done))
      }
    }
    try observer.commit()
    for notice in result.notices { Console.message(notice) }
    Remarks(options, files).tell(result)
    for app in apps where !result.apps.contains(where: { ExactName($0.app) == ExactName(app) }) {
      Console.message(
        "the replay knows no app '\(app.shown)'"
          + NearestNames.hint(to: app, among: result.apps.map(\.app)))
    }
    let counts = observer.counts
    Console.message(
      "\(path == "-" ? "standard output" : path.shown): "
        + [
          Quantity.counted(counts.slices, "slice"), Quantity.counted(counts.flows, "flow"),
          Quantity.counted(counts.values, "counter value"),
        ].joined(separator: ", ") + " on \(Quantity.counted(counts.tracks, "track"))")
    return .success
  }

  /// The time of the first event, and the trace that has it.
  private static func firstTime(
    of files: [TraceFile]
  ) throws -> (time: Timestamp, file: String) {
    let times = try files.compactMap { file in
      try TraceInfo(of: file, depth: .headers).earliest.map { (time: $0, file: file.name) }
    }
    return times.min { $0.time < $1.time } ?? (Timestamp(nanoseconds: 0), "")
  }
}
