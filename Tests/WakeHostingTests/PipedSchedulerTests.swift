import Foundation
import Testing
import WakeEvents
import WakeHosting
import WakeScheduling
import WakeTestSupport

@Suite(
  "The plain scheduler in Python, over a pipe",
  .enabled(if: OtherPrograms.has("python3"), "needs Python"))
struct PipedSchedulerTests {
  private let scheduler = PipedScheduler(
    name: "exec:exec python3 '"
      + PackageFolder.root.appending(path: "Tests/Schedulers/plain.py").path() + "'",
    timeout: 30)

  @Test("gives the wakes and the summary of every worked case")
  func cases() throws {
    for folder in PackageFolder.cases {
      let given = try CaseFile.load(folder)
      let (wakes, summary) = try HostedRun(scheduler).run(
        given.events, policy: given.policy, symbols: given.symbols)
      let lines = wakes.map {
        JSONValue.wakeLine($0.wake, device: $0.device, symbols: given.symbols)
      }
      #expect(lines == given.wakes, "\(given.name)")
      let object = JSONValue.summaryObject(summary)
      #expect(object == given.summary, "\(given.name): \(object.text)")
    }
  }

  @Test("keeps the rules on random inputs and policies")
  func random() throws {
    var check = RulesCheck(scheduler)
    check.seeds = 0..<8
    check.inputsOfSeed = 200
    guard case .keeps(let runs, _) = try check.run() else {
      Issue.record("a departure is found")
      return
    }
    #expect(runs == 53)
  }
}
