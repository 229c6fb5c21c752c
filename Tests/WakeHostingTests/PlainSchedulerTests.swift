import Testing
import WakeEvents
import WakeHosting
import WakeScheduling
import WakeTestSupport

@Suite(
  "The plain scheduler in C", .enabled(if: SchedulerPrograms.hasCompiler, "needs a C compiler"))
struct PlainSchedulerTests {
  private let scratch: ScratchFolder
  private let library: SchedulerLibrary

  init() throws {
    scratch = try ScratchFolder()
    try SchedulerPrograms.compile("plain.c", to: scratch.file("plain.so"))
    library = try SchedulerLibrary(path: scratch.file("plain.so"))
  }

  @Test("gives the wakes and the summary of every worked case")
  func cases() throws {
    for folder in PackageFolder.cases {
      let given = try CaseFile.load(folder)
      let (wakes, summary) = try HostedRun(library).run(
        given.events, policy: given.policy, symbols: given.symbols)
      let lines = wakes.map {
        JSONValue.wakeLine($0.wake, device: $0.device, symbols: given.symbols)
      }
      #expect(lines == given.wakes, "\(given.name)")
      let object = JSONValue.summaryObject(summary)
      #expect(object == given.summary, "\(given.name): \(object.text)")
    }
  }

  /// `ROUSE_SEEDS` chooses seeds.
  @Test("agrees with the reference on random inputs and policies")
  func random() {
    HostedRun(library).expectAgreement(seeds: 100, feeding: .mixed) { seed in
      seed % 3 == 0 ? 1 : seed % 3 == 1 ? 7 : .max
    }
  }
}
