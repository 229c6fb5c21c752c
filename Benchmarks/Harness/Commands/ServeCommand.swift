import BenchmarkModel
import CommandLineSupport
import RegionHooks
import WakeHosting
import WakeScheduling

/// `rouse-bench serve`: the server for a comparison. Another `rouse-bench` sends requests, one a line, on standard
/// input; each is answered by one line.
///
///     list                    names NAME…
///     keep PROCESSOR          kept | failed MESSAGE
///     prepare NAME            ready UNIT DIGEST OPERATIONS [WAKES] | absent REASON | failed MESSAGE
///     calibrate NANOSECONDS   iterations N | failed MESSAGE
///     load                    loaded | failed MESSAGE
///     measure NAME SECONDS    measured JSON | absent REASON | failed MESSAGE
///     meet FIFO FIFO          met | failed MESSAGE
///     play ROLE TURNS N       played OPERATIONS (AT NANOSECONDS PROCESSOR-NANOSECONDS)… | failed MESSAGE
///
/// `meet` names the FIFOs that the turn is received from and passed to. `play` takes a sample of N iterations at
/// each character of TURNS that equals ROLE, such as `a` in `abbabaab`, and waits at the others.
///
/// `ready` returns the DIGEST of an iteration, which each sample must have, and its number of OPERATIONS. Builds in
/// which these differ do different work. Older builds return the UNIT only. A scheduler under test, which `load` loads,
/// may do any work, and returns its number of WAKES.
///
/// `measure` measures a benchmark as `run` does, as JSON in one line; without samples but one if SECONDS is 0.
///
/// The server ends at the end of its input. What a scheduler under test prints goes to standard error.
enum ServeCommand: Command {
  static let specification = Specification.bench(
    "serve", "Run benchmarks for another rouse-bench.",
    options: SchedulerChoice.options + [
      .init("--watch", value: "FILE", "Note the calls of the scheduler in this file.")
    ])

  /// The first line of output. Builds with another protocol cannot be compared with this one.
  static let greeting = "rouse-bench protocol 1"

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try Output.keepFromLibraries()
    rouse_keep_freed_memory()
    if let path = arguments.value("--watch") { try HostedWatch.use(path) }
    Output.print(greeting + "\n")
    var subject: Subject?
    var turns: Turns?
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      do {
        Output.print(try answer(words, &subject, &turns) + "\n")
      } catch let error as NotHere {
        Output.print("absent \(oneLine("\(error)"))\n")
      } catch {
        Output.print("failed \(oneLine("\(error)"))\n")
      }
    }
    return .success
  }

  private static func answer(
    _ words: [String], _ subject: inout Subject?, _ turns: inout Turns?
  ) throws -> String {
    switch (words.first, words.count) {
    case ("list", 1):
      return "names " + Suites.all.map(\.name).joined(separator: " ")
    case ("keep", 2):
      guard let processor = Int32(words[1]) else { break }
      guard rouse_keep_on(processor) == 0 else {
        throw BenchmarkFailure("the system does not allow it to run on processor \(processor)")
      }
      return "kept"
    case ("prepare", 2):
      // Free the memory of the previous benchmark first.
      subject = nil
      guard let benchmark = Suites.named(words[1]) else { throw NotHere("the build lacks it") }
      let ready = try Subject(benchmark)
      subject = ready
      let digest = Digest(value: ready.expected)
      return "ready \(benchmark.unit) \(digest) \(ready.prepared.operations)"
        + (ready.prepared.wakes.map { " \($0())" } ?? "")
    case ("load", 1):
      if let scheduler = Suites.scheduler { _ = try SchedulerLibrary(path: scheduler.library) }
      return "loaded"
    case ("measure", 3):
      guard let benchmark = Suites.named(words[1]), let seconds = Double(words[2]) else { break }
      var settings = Measurer.Settings()
      settings.seconds = seconds
      settings.isExact = seconds == 0
      return "measured " + (try RunFile.line(try Measurer(settings).measure(benchmark)))
    case ("calibrate", 2):
      guard let subject, let nanoseconds = Double(words[1]) else { break }
      return "iterations \(try subject.iterations(lasting: nanoseconds))"
    case ("meet", 3):
      turns = try Turns(from: words[1], to: words[2])
      return "met"
    case ("play", 4):
      guard let subject, let turns, let role = words[1].utf8.first,
        let iterations = Int(words[3]), iterations > 0
      else { break }
      let samples = try turns.play(role, in: Array(words[2].utf8)) {
        try subject.sample(iterations: iterations, since: 0)
      }
      return "played \(iterations * subject.prepared.operations)"
        + samples.map { " \($0.at) \($0.nanoseconds) \($0.processorNanoseconds)" }.joined()
    default: break
    }
    throw BenchmarkFailure("unknown request: \(words.joined(separator: " "))")
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
