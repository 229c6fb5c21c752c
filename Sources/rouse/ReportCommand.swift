import CommandLineSupport
import Measurement
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

enum ReportCommand: Command {
  static let specification = Specification(
    name: "report",
    summary: "Show a replay as an HTML page: a timeline, reasons, and how far from the best.",
    operands: "TRACE… -o FILE.html",
    operandCount: 1...(.max),
    discussion: """
      The page is one file, which needs no network. Its timeline shows of each app the state, the wakes
      and how they ended, what held each type (see the page Rules, 9.2), what was pending, and for how
      long the oldest had waited. A wake that is clicked on tells its story, as 'rouse explain' does.
      Below are tables of reasons, apps, types and days, and the wakes against the best (Rules, 10).
      Without scripts the tables and drawings show, too.

      The tables are of all devices. The timeline shows the busiest devices, as many as fit in about
      7 MB, or those that are chosen.

      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .init("--output", short: "-o", value: "FILE", "The page to write; '-' is standard output."),
      .policy,
      .init(
        "--device", value: "NAME", repeats: true,
        "Show this device in the timeline, and no other (repeatable)."),
      .init("--threads", value: "N", "Threads that decode and schedule (default 1)."),
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let path = try arguments.outputPage()
    let paths = try arguments.paths()
    try Console.refuse(path, over: arguments.inputs(paths))
    var options = ReplayOptions()
    let named = try arguments.namedPolicy()
    if let named { options.policy = named.policy }
    options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    let devices = Set(arguments.all("--device").map { ExactName($0) })
    let traces = try arguments.traces(paths)
    let output = try FileOutput(path: path, isPrivate: arguments.hasPrivateInput(traces))
    var heading = Report.Heading(
      policy: named.map { $0.words(as: arguments.value("--policy") ?? "") } ?? "ios",
      tool: "rouse \(Rouse.version)")
    heading.changes = (named?.policy.keys(preset: named?.preset ?? "") ?? []).compactMap { key in
      key.preset.map { (key.path, key.value, $0) }
    }
    var report = try Progress.during("replaying", unit: "events") { progress in
      try Report(heading, files: traces, options: options, devices: devices) { done, _ in
        progress.update(Int64(done))
      }
    }
    for notice in report.result.notices { Console.message(notice) }
    let remarks = Remarks(options, traces).messages(report.result)
    for remark in remarks { Console.message(remark) }
    // Those of the policy were told when it was read.
    report.heading.remarks = options.policy.faultySubscriptions + remarks
    let lacking = devices.subtracting(report.devicesShown.map { ExactName($0) })
    if !lacking.isEmpty {
      for problem in try TraceNames(traces).unmatched(devices: lacking.sorted().map(\.string)) {
        Console.message(problem)
      }
    }
    try output.write(report.html)
    try output.commit()
    Console.message(
      "\(path.shown): \(Quantity.counted(report.result.summary.wakes, "wake")) of "
        + "\(Quantity.counted(report.result.devices, "device")), \(report.devicesShown.count) in the "
        + "timeline, \(Quantity.bytes(output.length))")
    return .success
  }
}
