import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

/// What becomes of completions that are counted ahead, beside their results (``CountedWakesTests``).
@Suite("Wakes that are answered ahead")
struct AnswersAheadTests {
  private let symbols = Symbols()

  /// A scheduler that only counts, of an app with an immediate subscription that answers after 10 s.
  private func makeScheduler() -> SchedulerCore {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 10_000_000_000
    policy.subscriptions = [
      Policy.Subscription(app: "app", type: "type", frequency: .immediate)
    ]
    var scheduler = SchedulerCore(policy: policy, symbols: symbols)
    scheduler.reportsEnds = false
    scheduler.tellsInBatches = true
    return scheduler
  }

  private func save() -> Input {
    .save(Sample(type: symbols.types.intern("type"), source: symbols.sources.intern("source")))
  }

  @Test("stay so at inputs that neither end a wake nor ask whether there is one, and no others")
  func keptAnswers() {
    let (app, type) = (symbols.apps.intern("app"), symbols.types.intern("type"))
    let query = symbols.queries.intern("query")
    let keeping: [Input] = [
      .push(app: app, Push(id: "p")), .stop(app: app, query: query),
      .execute(app: app, query: query, type: type, predicate: nil),
      .refreshInterval(app: app, .minimum), .refreshStatus(app: app, .denied),
      .complication(app: app, isActive: true), .entitlement(app: app, isGranted: false), save(),
    ]
    let others: [Input] = [
      .complete(app: app, item: .push, result: nil), .launch(app: app), .terminate(app: app),
      .forceQuit(app: app), .background(app: app), .disable(app: app, type: type),
      .disableAll(app: app), .enable(app: app, type: type, frequency: .hourly), .reboot,
    ]
    for (input, isKept) in keeping.map({ ($0, true) }) + others.map({ ($0, false) }) {
      var scheduler = makeScheduler()
      var hasher = WakeHasher()
      _ = scheduler.take(save(), at: Timestamp(nanoseconds: 0), &hasher) { _, _ in }
      let wasAhead = scheduler.isAnsweredAhead(0)
      _ = scheduler.take(input, at: Timestamp(nanoseconds: 1_000_000_000), &hasher) { _, _ in }
      let isAhead = scheduler.isAnsweredAhead(0)
      #expect(wasAhead && isAhead == isKept, "\(input)")
    }
  }
}
