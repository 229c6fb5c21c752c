import CommandLineSupport
import WakeEvents

/// `rouse-bench list`
enum ListCommand: Command {
  static let specification = Specification.bench(
    "list", "List the benchmarks.", operands: "[FILTER…]", count: 0...(.max),
    values: [Specification.filters],
    discussion: Specification.aboutFilters,
    options: SchedulerChoice.options.filter { ["--scheduler", "--trace"].contains($0.name) })

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let benchmarks = try Suites.chosen(.init(filters: arguments.operands))
    let width = benchmarks.map(\.name.count).max() ?? 0
    for benchmark in benchmarks {
      let tags = Benchmark.Tag.allCases.filter(benchmark.tags.contains).map(\.rawValue)
      Output.print(
        "\(Output.padded(benchmark.name, width))  \(benchmark.summary) ".shown
          + "[\(tags.joined(separator: ", "))]\n")
    }
    return .success
  }
}

/// `rouse-bench digests`
enum DigestsCommand: Command {
  static let specification = Specification.bench(
    "digests", "Print the digest of each benchmark, for ExpectedDigests.swift.",
    operands: "[FILTER…]", count: 0...(.max), discussion: Specification.aboutFilters,
    options: [.init("--long", "Include benchmarks that take more than a few seconds.")])

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let choice = Suites.Choice(
      filters: arguments.operands, without: arguments.has("--long") ? [] : [.long])
    for benchmark in try Suites.chosen(choice) where benchmark.expectedDigest == nil {
      do {
        let digits = String(try Subject.digest(of: benchmark), radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        let groups = stride(from: 0, to: 16, by: 4).map { padded.dropFirst($0).prefix(4) }
        Output.print("    \"\(benchmark.name)\": 0x\(groups.joined(separator: "_")),\n")
      } catch let error as NotHere {
        Output.message("SKIPPED: \(benchmark.name): \(error)")
      }
    }
    return .success
  }
}
