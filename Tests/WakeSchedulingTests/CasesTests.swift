import Kernels
import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The scheduler and the worked cases")
struct CasesTests {
  @Test(
    "gives the wakes and the summary of the case",
    arguments: PackageFolder.cases, SchedulerRun.Feeding.allCases)
  func passes(folder: String, feeding: SchedulerRun.Feeding) throws {
    let given = try CaseFile.load(folder)
    for accelerations in Accelerations.bisecting {
      for path in ProcessorPath.available {
        var hasher = WakeHasher()
        hasher.path = path
        let outcome = SchedulerRun.run(
          events: given.events, policy: given.policy, symbols: given.symbols, feeding: feeding,
          accelerations: accelerations, hasher: hasher)
        compare(outcome, with: given, "\(given.name), \(feeding), \(accelerations.names)")
      }
    }
  }

  private func compare(_ outcome: Differential.Outcome, with given: CaseFile, _ what: String) {
    let (wakes, summary) = outcome
    let lines = wakes.map {
      JSONValue.wakeLine($0.wake, device: $0.device, symbols: given.symbols)
    }
    for (number, (line, expected)) in zip(lines, given.wakes).enumerated() where line != expected {
      Issue.record(
        """
        \(what), wake \(number + 1): is \(line.text), should be \(expected.text)
        """)
      break
    }
    #expect(lines.count == given.wakes.count, "\(what): number of wakes")
    let object = JSONValue.summaryObject(summary)
    #expect(
      object == given.summary,
      "\(what): is \(object.text), should be \(given.summary.text)")
  }
}
