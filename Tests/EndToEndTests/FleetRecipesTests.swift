import Foundation
import Testing
import WakeTestSupport

@Suite("The recipes of the page Fleets")
struct FleetRecipesTests {
  private let shop: Workshop
  private let page: [String]
  /// The summary of one replay.
  private let expected: JSONValue?

  init() throws {
    shop = try Workshop()
    let path = "Sources/WakeReplay/WakeReplay.docc/Fleets.md"
    page = try String(contentsOf: PackageFolder.root.appending(path: path), encoding: .utf8)
      .components(separatedBy: "\n")
    let trace = PackageFolder.root.appending(path: "Traces/fleet.wtrace").path()
    try shop.write(trace + "\n", to: "list")
    expected = try shop.rouse("replay", trace, "--json").json()["summary"]
  }

  /// The lines of the section with a heading.
  private func section(_ heading: String) -> [String] {
    Array(page.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") })
  }

  /// Runs a script in the folder, where `rouse` is the command.
  private func run(_ script: String) throws -> RouseCommand.Result {
    let result = try shop.shell(
      "mkdir -p bin; ln -sf \"$ROUSE\" bin/rouse; PATH=$PWD/bin:$PATH; \(script)")
    #expect(result.status == .exited(0), "\(script): \(result.errors)")
    return result
  }

  private func checkResults(_ count: Int) throws {
    let merged = try run("rouse merge --complete --json $(seq -f %g.jsonl \(count))").json()
    #expect(merged["summary"] == expected && merged["devices"] == .integer(200))
  }

  @Test(
    "for GNU parallel gives the result of one replay",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")))
  func parallel() throws {
    let lines = section("GNU parallel").filter { $0.hasPrefix("    ") }
    try #require(lines.count == 2)
    let report = try run(lines.joined(separator: "\n"))
    #expect(report.output.contains("of 200 devices"))
    try checkResults(64)
  }

  @Test("for Slurm does, with the variables of a job array")
  func slurm() throws {
    let lines = section("Slurm")
    let script = lines.drop { $0 != "```bash" }.dropFirst().prefix { $0 != "```" }
    try #require(script.first == "#!/bin/bash")
    try shop.write(script.joined(separator: "\n"), to: "fleet.sh")
    for task in 1...3 {
      _ = try run(
        "SLURM_ARRAY_TASK_ID=\(task) SLURM_ARRAY_TASK_COUNT=3 SLURM_CPUS_PER_TASK=2 bash -e fleet.sh"
      )
    }
    try checkResults(3)
  }

  @Test("for Kubernetes does, with the index of a pod")
  func kubernetes() throws {
    let lines = section("Kubernetes")
    let command = try #require(lines.first { $0.hasPrefix("            - rouse replay") })
      .dropFirst("            - ".count)
      .replacingOccurrences(of: "/traces/list", with: "list")
      .replacingOccurrences(
        of: "/results/$JOB_COMPLETION_INDEX", with: "$((JOB_COMPLETION_INDEX + 1))"
      )
      .replacingOccurrences(of: "/64", with: "/3")
    for index in 0..<3 { _ = try run("JOB_COMPLETION_INDEX=\(index); \(command)") }
    try checkResults(3)
  }
}
