import CommandLineSupport
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

enum ExplainCommand: Command {
  static let specification = Specification(
    name: "explain",
    summary: "Tell why wakes of an app came no sooner, and what would change that.",
    operands: "TRACE… --app APP",
    operandCount: 1...(.max),
    discussion: """
      Tells what waited for a wake as a story: when it was saved, what held it until when, which wakes
      carried it, and whether the app answered. Reasons are those of the page Rules, 9.2. Without --at
      and --wake it tells the longest waits. Below each it says by how much sooner a wake would have
      come without the reasons that held longest: by replays --without them, with all that follows. Of
      each wait the 3 sets of reasons that held longest are tried, at most 6 in all. Of a time or a wake
      at most 100 waits are told, the longest.

      T is a time such as 2026-01-01 or 2026-01-01T08:00:00Z, or nanoseconds since 1970. Times are
      printed in UTC; --json has them as --times says.

      TRACE may be @LIST, a file with the path of a trace in each line.
      """,
    options: [
      .init("--app", value: "APP", "The app that was to be woken."),
      .init("--type", value: "TYPE", "Only what waited of this sample type."),
      .init(
        "--at", value: "T", "What waited at T; else the last wait before and the first after it."),
      .init("--wake", value: "N", "What wake N of its device carried (numbers as in --waits)."),
      .init("--longest", value: "N", "The N longest waits (default 3)."),
      .policy,
      .init("--device", value: "NAME", repeats: true, "Ignore other devices (repeatable)."),
      .init("--threads", value: "N", "Threads that decode and schedule (default 1)."),
      .init("--json", "Print the stories as JSON."),
      .times,
    ])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let question = StoryCollector.Question(
      app: try arguments.required("--app"), type: arguments.value("--type"),
      choice: try choice(arguments))
    let times = try arguments.times(in: "--json")
    var options = ReplayOptions()
    if let policy = try arguments.policy() { options.policy = policy }
    options.selection.devices = Set(arguments.all("--device").map { ExactName($0) })
    options.threads = try arguments.number("--threads", in: 1...1_024) ?? 1
    options.accelerations = try RunEnvironment.accelerations(for: specification.name)
    let files = try arguments.traces(arguments.paths())
    let explanation = try Progress.during("replaying", unit: "events") { progress in
      try Explanation(of: question, files: files, options: options) { done, _ in
        progress.update(Int64(done))
      }
    }
    if explanation.findings.devices > 0 { Remarks(options, files).tell(explanation.result) }
    if let problem = try mismatch(explanation, files, options) {
      Console.message(problem)
      return .failure
    }
    try Console.print(arguments.has("--json") ? explanation.json(times: times) : explanation.text)
    return .success
  }

  private static func choice(_ arguments: Arguments) throws -> StoryCollector.Question.Choice {
    let given = ["--at", "--wake", "--longest"].filter(arguments.has)
    guard given.count < 2 else {
      throw arguments.usage("\(given[0]) cannot be combined with \(given[1])")
    }
    if let time = try arguments.time("--at") { return .at(time.nanoseconds) }
    if let wake = try arguments.number("--wake", in: 1...(.max)) { return .wake(wake) }
    return .longest(try arguments.number("--longest", in: 1...100) ?? 3)
  }

  /// What was asked for and is not there, with the nearest that is; nil if all is there.
  private static func mismatch(
    _ explanation: Explanation, _ files: [TraceFile], _ options: ReplayOptions
  ) throws -> String? {
    let (question, findings) = (explanation.question, explanation.findings)
    guard let symbols = findings.symbols else {
      let devices = options.selection.devices.sorted().map(\.string)
      guard let wanted = devices.first else { return "the traces have no events" }
      let names = try files.flatMap { file in
        try TraceInfo(of: file, depth: .names).devices.compactMap(\.name)
      }
      return "no device is named '\(wanted.shown)'" + NearestNames.hint(to: wanted, among: names)
    }
    let apps = symbols.apps.names
    guard apps.contains(where: { ExactName($0) == ExactName(question.app) }) else {
      return "no input or policy names the app '\(question.app.shown)'"
        + NearestNames.hint(to: question.app, among: apps)
    }
    if findings.isEmpty {
      guard let type = question.type else {
        return "nothing waited on '\(question.app.shown)': outside the foreground no save reached "
          + "a subscription of it, no push was held for it, and no refresh was overdue"
      }
      let types = findings.types.map(symbols.types.name(of:))
      return "nothing of type '\(type.shown)' waited on '\(question.app.shown)'"
        + NearestNames.hint(to: type, among: types)
    }
    if case .wake(let number) = question.choice {
      if findings.devices > 1 {
        return "wakes are numbered on each device, and there are \(findings.devices): use --device"
      }
      if findings.stories.isEmpty {
        let app = "'\(question.app.shown)'"
        let near = [findings.lesserWake, findings.greaterWake].compactMap(\.self).map(String.init)
        let problem =
          if let owner = findings.otherApp {
            "wake \(number) is of '\(symbols.apps.name(of: owner).shown)'"
          } else if findings.hasWake {
            "wake \(number) of \(app) carried "
              + (question.type.map { "nothing of type '\($0.shown)'" } ?? "nothing that waited")
          } else {
            "there is no wake \(number)"
          }
        return problem
          + (near.isEmpty ? "" : "; the nearest wakes of \(app): " + near.joined(separator: ", "))
      }
    }
    return nil
  }
}
