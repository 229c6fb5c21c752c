import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The scheduler and the worked cases")
struct CasesTests {
  @Test(
    "gives the wakes and the summary of the case",
    .enabled(if: !SharedFolder.cases.isEmpty, "no worked cases; set ROUSE_SHARED"),
    arguments: SharedFolder.cases, SchedulerRun.Feeding.allCases)
  func passes(folder: String, feeding: SchedulerRun.Feeding) throws {
    let given = try CaseFile.load(folder)
    let (wakes, summary) = SchedulerRun.run(
      events: given.events, policy: given.policy, symbols: given.symbols, feeding: feeding)

    let lines = wakes.map {
      JSONValue.wakeLine($0.wake, device: $0.device, symbols: given.symbols)
    }
    for (number, (line, expected)) in zip(lines, given.wakes).enumerated() where line != expected {
      Issue.record(
        """
        \(given.name), \(feeding), wake \(number + 1): is \(line.text), should be \(expected.text)
        """)
      break
    }
    #expect(lines.count == given.wakes.count, "\(given.name), \(feeding): number of wakes")
    let object = JSONValue.summaryObject(summary)
    #expect(
      object == given.summary,
      "\(given.name), \(feeding): is \(object.text), should be \(given.summary.text)")
  }
}
