import CRouse
import Foundation
import RulesScheduler
import Testing
import WakeEvents
import WakeHosting
import WakeReplay
import WakeScheduling
import WakeTestSupport
import WakeTrace

@Suite("Rouse's own scheduler behind the header")
struct RulesSchedulerTests {
  private let library: SchedulerLibrary

  init() throws {
    library = try unsafe SchedulerLibrary(path: "rules", table: rouse_scheduler())
  }

  @Test("gives the wakes and the summary of every worked case, in batches of any size")
  func cases() throws {
    for folder in PackageFolder.cases {
      let given = try CaseFile.load(folder)
      for batch in [1, 7, Int.max] {
        let (wakes, summary) = try HostedRun(library).run(
          given.events, policy: given.policy, symbols: given.symbols, batch: batch)
        let lines = wakes.map {
          JSONValue.wakeLine($0.wake, device: $0.device, symbols: given.symbols)
        }
        #expect(lines == given.wakes, "\(given.name), \(batch)")
        #expect(JSONValue.summaryObject(summary) == given.summary, "\(given.name), \(batch)")
      }
    }
  }

  /// `ROUSE_SEEDS` chooses seeds.
  @Test(
    "agrees with the reference on random inputs and policies, however they are given",
    arguments: HostedRun.Feeding.allCases)
  func random(feeding: HostedRun.Feeding) {
    HostedRun(library).expectAgreement(seeds: 40, feeding: feeding) { $0 % 2 == 0 ? 7 : .max }
  }

  @Test("has the digests of the built-in one on traces, with one thread and two")
  func digests() throws {
    let policy = try PolicyReader.policy(
      of: String(
        contentsOf: PackageFolder.root.appending(path: "Benchmarks/Policies/ten-apps-hourly.json"),
        encoding: .utf8))
    let files = try ["real/scoop-main", "fleet", "watch-day", "pushes"].map {
      try TraceFile(path: PackageFolder.root.appending(path: "Traces/\($0).wtrace").path())
    }
    for file in files {
      var options = ReplayOptions()
      options.policy = policy
      let own = try Replayer(files: [file], options: options).run()
      for threads in 1...2 {
        options.threads = threads
        options.tested = library.host(policy: policy, watch: nil, context: "")
        let other = try Replayer(files: [file], options: options).run()
        #expect(other.summary == own.summary)
        #expect(other.apps == own.apps)
        #expect(other.staleness == own.staleness)
      }
    }
  }

  /// Refreshes come as often as every second, and a wake may go unanswered a thousand times.
  @Test("may wake its apps as often as the rules do while time passes", arguments: [false, true])
  func manyWakes(areRefreshes: Bool) throws {
    var policy = Policy.iOS
    policy.minimumRefreshInterval = 1_000_000_000
    policy.behaviour.completesAfter = areRefreshes ? 0 : nil
    policy.completionTimeout = 1_000_000_000
    policy.maxStrikes = 1_000
    policy.backoffBase = 0
    policy.backoffMax = 0
    let symbols = Symbols()
    let apps = ["a", "b"].map(symbols.apps.intern)
    let type = symbols.types.intern("T")
    let source = symbols.sources.intern("s")
    let device = symbols.devices.intern("")
    var events: [Event] = []
    func add(_ second: Int64, _ input: Input) {
      events.append(
        Event(time: Timestamp(nanoseconds: second * 1_000_000_000), device: device, input: input))
    }
    for app in apps {
      if areRefreshes {
        add(0, .refreshInterval(app: app, .minimum))
      } else {
        add(0, .enable(app: app, type: type, frequency: .immediate))
      }
    }
    add(10, .save(Sample(type: type, source: source)))
    add(5_000, .save(Sample(type: type, source: source)))
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    #expect(expected.summary.wakes >= 2_000)
    let (_, summary) = try HostedRun(library).run(
      events, policy: policy, symbols: symbols, batch: 7)
    #expect(JSONValue.summaryObject(summary) == JSONValue.summaryObject(expected.summary))
  }

  /// Each type has a period of its own, so that all may come due one after the other before the next input.
  @Test("may wake an app for each of its types before the next input")
  func manyTypes() throws {
    var policy = Policy.iOS
    policy.carry = .due
    policy.behaviour.completesAfter = 0
    let symbols = Symbols()
    let source = symbols.sources.intern("s")
    let device = symbols.devices.intern("")
    let types = (0..<3_000).map { symbols.types.intern("T\($0)") }
    policy.subscriptions = types.map {
      .init(app: "a", type: symbols.types.name(of: $0), frequency: .hourly)
    }
    var events: [Event] = []
    // The second save of a type waits for its period.
    for (number, type) in (types + types).enumerated() {
      let time = Timestamp(nanoseconds: Int64(number) * 1_000_000)
      events.append(
        Event(time: time, device: device, input: .save(Sample(type: type, source: source))))
    }
    let last = Timestamp(nanoseconds: 7_200_000_000_000)
    events.append(
      Event(time: last, device: device, input: .save(Sample(type: types[0], source: source))))
    let expected = ReferenceScheduler.run(events: events, policy: policy, symbols: symbols)
    #expect(expected.summary.wakes > 5_000)
    let (_, summary) = try HostedRun(library).run(
      events, policy: policy, symbols: symbols, batch: 7)
    #expect(JSONValue.summaryObject(summary) == JSONValue.summaryObject(expected.summary))
  }

  /// The wake of the first save is answered ahead, and the app ends after that answer, before anything else is told.
  @Test("has the bounds of the built-in one where an app ends after an answer told ahead")
  func answeredBeforeAnEnd() throws {
    let symbols = Symbols()
    let app = symbols.apps.intern("a")
    let sample = Sample(type: symbols.types.intern("T"), source: symbols.sources.intern("s"))
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 25_000_000_000
    policy.subscriptions = [.init(app: "a", type: "T", frequency: .daily)]
    let folder = try ScratchFolder()
    for (name, end) in [("terminate", Input.terminate(app: app)), ("reboot", .reboot)] {
      let output = try FileOutput(path: folder.file(name))
      let writer = try TraceWriter(to: output, symbols: symbols)
      for (second, input) in [(0, Input.save(sample)), (60, end), (70, .lock)] {
        let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
        let device = symbols.devices.intern("")
        try writer.append(Event(time: time, device: device, input: input))
      }
      try writer.finish()
      try output.commit()
      var options = ReplayOptions()
      options.policy = policy
      options.bounds = .init()
      let files = [try TraceFile(path: folder.file(name))]
      let own = try Replayer(files: files, options: options).run()
      options.tested = library.host(policy: policy, watch: nil, context: "")
      let other = try Replayer(files: files, options: options).run()
      #expect(own.bounds != nil)
      #expect(other.bounds == own.bounds, "\(name)")
    }
  }
}
