import CommandLineSupport

/// `rouse-bench count`: the command that runs under Callgrind; see ``InstructionCount``.
enum CountCommand: Command {
  static let specification = Specification.bench(
    "count", "Enter the measured region twice for each benchmark.", operands: "NAME…",
    count: 1...(.max), options: SchedulerChoice.options)

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    try Output.keepFromLibraries()
    for name in arguments.operands {
      guard let benchmark = Suites.named(name) else {
        throw BenchmarkFailure("no benchmark is named '\(name)'")
      }
      let subject = try Subject(benchmark)
      // The first iteration allocates buffers that later ones reuse.
      for _ in 0..<2 { _ = try subject.sample(iterations: 1, since: 0) }
      Output.print("\(subject.prepared.operations) \(name)\n")
    }
    return .success
  }
}
