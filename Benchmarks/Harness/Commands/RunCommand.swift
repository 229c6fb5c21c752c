import BenchmarkModel
import CommandLineSupport
import Foundation

/// `rouse-bench run`
enum RunCommand: Command {
  static let specification = Specification.bench(
    "run", "Measure benchmarks.", operands: "[FILTER…]", count: 0...(.max),
    values: [Specification.filters],
    discussion: """
      \(Specification.aboutFilters) Without a filter, all but the long ones are measured.
      \(SchedulerChoice.help)

      The run fails if a result is wrong or nothing is measured. The other results are still printed, and
      written to files unless there are none.

      ± is the median absolute deviation of the samples from their median.
      """,
    options: [
      .init("--json", "Print the run as JSON: raw samples, counters, the machine.")
    ] + ExportRequests.options + [
      .init("--seconds", value: "N", "Seconds of samples for each benchmark (default 1)."),
      .init("--instructions", "Count instructions under Callgrind: slow, but repeatable."),
      .init("--long", "Include benchmarks that take more than a few seconds."),
    ] + SchedulerChoice.options)

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    var settings = Measurer.Settings()
    if let seconds = try arguments.seconds() { settings.seconds = seconds }
    let choice = Suites.Choice(
      filters: arguments.operands, without: arguments.has("--long") ? [] : [.long])
    let benchmarks = try Suites.chosen(choice)
    let exports = try ExportRequests(arguments, for: .run(benchmarks))
    let run = try measure(
      benchmarks, settings, countsInstructions: arguments.has("--instructions"))
    if run.results.isEmpty { Output.message("nothing could be measured") }
    let isWritten = exports.tell(
      arguments.has("--json") ? try RunFile.json(run) : RunReport.text(run),
      run.results.isEmpty ? nil : ExportSubject(run: run))
    return isWritten && !run.hasFailure && !run.results.isEmpty ? .success : .failure
  }

  /// Measures benchmarks, and reports the skipped ones.
  static func measure(
    _ benchmarks: [Benchmark], _ settings: Measurer.Settings, countsInstructions: Bool
  ) throws -> BenchmarkRun {
    #if DEBUG
      Output.message("built without optimisation: times are not meaningful")
    #endif
    var run = BenchmarkRun(
      tool: RouseBench.tool, startedAt: Surroundings.timeNow(), machine: Surroundings.machine(),
      build: Surroundings.build(label: Suites.scheduler?.library ?? "this build"))
    func leaveOut(_ skip: BenchmarkRun.Skip) {
      Output.progress(nil)
      Output.message(skip.line)
      run.skipped.append(skip)
    }
    let measurer = try BenchmarkMeasurer(settings)
    defer { measurer.end() }
    for (number, benchmark) in benchmarks.enumerated() {
      Output.progress("[\(number + 1)/\(benchmarks.count)] \(benchmark.name)")
      do {
        run.results.append(try measurer.measure(benchmark))
      } catch let error as NotHere {
        leaveOut(.init(name: benchmark.name, reason: error.description))
      } catch {
        // The other benchmarks are still measured.
        leaveOut(.init(name: benchmark.name, reason: "\(error)", isFailure: true))
      }
    }
    if countsInstructions {
      Output.progress("counting instructions")
      let counts = try InstructionCount.count(run.results.map(\.name))
      for place in run.results.indices {
        run.results[place].counters.append(
          counts[run.results[place].name]
            ?? BenchmarkCounter(.simulatedInstructions, unavailable: "it was not counted"))
      }
    } else {
      for place in run.results.indices {
        run.results[place].counters.append(
          BenchmarkCounter(.simulatedInstructions, unavailable: "--instructions was not given"))
      }
    }
    Output.progress(nil)
    run.curves = Measurer.curves(run.results)
    return run
  }
}
