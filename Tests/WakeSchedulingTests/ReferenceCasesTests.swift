import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("The reference scheduler and the worked cases")
struct ReferenceCasesTests {
  @Test(
    "gives the wakes and the summary of the case",
    arguments: PackageFolder.cases)
  func passes(folder: String) throws {
    let given = try CaseFile.load(folder)
    let (wakes, summary) = ReferenceScheduler.run(
      events: given.events, policy: given.policy, symbols: given.symbols)

    let lines = wakes.map {
      JSONValue.wakeLine($0.wake, device: $0.device, symbols: given.symbols)
    }
    for (number, (line, expected)) in zip(lines, given.wakes).enumerated() where line != expected {
      Issue.record(
        "\(given.name), wake \(number + 1): is \(line.text), should be \(expected.text)")
      break
    }
    #expect(lines.count == given.wakes.count, "\(given.name): number of wakes")
    let object = JSONValue.summaryObject(summary)
    #expect(
      object == given.summary,
      "\(given.name): is \(object.text), should be \(given.summary.text)")
  }
}
