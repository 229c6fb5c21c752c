import Testing
import WakeEvents
import WakeScheduling

// What callers see of the scheduler beside the wakes and the summary, which other tests compare.
@Suite("The scheduler's interface")
struct SchedulerInterfaceTests {
  private let symbols = Symbols()
  private let start = Timestamp(nanoseconds: 0)

  private func enable(_ type: String) -> Input {
    .enable(
      app: symbols.apps.intern("app"), type: symbols.types.intern(type), frequency: .immediate)
  }

  @Test("says why enable was rejected, the lack of the entitlement first")
  func rejections() {
    let app = symbols.apps.intern("app")
    var scheduler = Scheduler(policy: .iOS, symbols: symbols)
    func check(_ input: Input, _ expected: RegistrationError.Code?, _ name: Comment = "") {
      let rejection = scheduler.take(input, at: start) { _, _ in }
      #expect(rejection?.code == expected, name)
    }
    for correlation in ["HKCorrelationTypeIdentifier", "HKCorrelationTypeIdentifierFood"] {
      check(enable(correlation), .invalidArgument, "\(correlation)")
    }
    for other in ["HKCorrelationTypeIdentifie", "hkCorrelationTypeIdentifierFood", ""] {
      check(enable(other), nil, "\(other)")
    }
    check(.entitlement(app: app, isGranted: false), nil)
    check(enable("HKWorkoutTypeIdentifier"), .authorizationDenied)
    check(enable("HKCorrelationTypeIdentifierFood"), .authorizationDenied)
    check(.entitlement(app: app, isGranted: true), nil)
    check(enable("HKWorkoutTypeIdentifier"), nil)
  }

  @Test("tells of a wake as it begins, open, and as it ends")
  func phases() {
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    let save = Input.save(Sample(type: type, source: symbols.sources.intern("source")))
    var scheduler = Scheduler(policy: .iOS, symbols: symbols)
    var told: [(phase: WakePhase, wake: Wake)] = []
    func take(_ input: Input, at nanoseconds: Int64, _ scheduler: inout Scheduler) {
      scheduler.take(input, at: Timestamp(nanoseconds: nanoseconds)) { phase, wake in
        told.append((phase, copy wake))
      }
    }
    take(enable("type"), at: 0, &scheduler)
    take(save, at: 1, &scheduler)
    #expect(told.map(\.phase) == [.began])
    take(save, at: 2, &scheduler)
    take(.complete(app: app, item: .everything, result: nil), at: 3, &scheduler)
    #expect(told.map(\.phase) == [.began, .ended, .began], "the save during the wake waited")
    let summary = scheduler.finish { phase, wake in told.append((phase, copy wake)) }
    #expect(told.map(\.phase) == [.began, .ended, .began, .ended])
    #expect(told.map(\.wake.number) == [1, 1, 2, 2])
    #expect(told.map(\.wake.outcome) == [.open, .completed, .open, .open])
    #expect(told.map(\.wake.end) == [nil, Timestamp(nanoseconds: 3), nil, nil])
    #expect(told.map(\.wake.types) == [[type], [type], [type], [type]])
    #expect(told.map(\.wake.saves) == [1, 1, 1, 1])
    #expect(summary.wakes == 2 && summary.completed == 1 && summary.open == 1)
  }

  @Test("numbers no app for the name that means every app")
  func everyone() {
    let type = symbols.types.intern("type")
    let apps = ["b", "*", "a"].map(symbols.apps.intern)
    var scheduler = Scheduler(policy: .iOS, symbols: symbols)
    var woken: [App] = []
    scheduler.take(.refreshStatus(app: nil, .denied), at: start) { _, _ in }
    for app in apps {
      scheduler.take(.enable(app: app, type: type, frequency: .immediate), at: start) { _, _ in }
    }
    let save = Input.save(Sample(type: type, source: symbols.sources.intern("source")))
    scheduler.take(save, at: start) { _, wake in woken.append(wake.app) }
    #expect(woken == apps, "numbers go by first appearance")
  }

  @Test("asks for the details of samples while a query has a predicate")
  func details() {
    let app = symbols.apps.intern("app")
    let type = symbols.types.intern("type")
    let query = symbols.queries.intern("query")
    var scheduler = Scheduler(policy: .iOS, symbols: symbols)
    func needsDetails(after input: Input) -> Bool {
      scheduler.take(input, at: start) { _, _ in }
      return scheduler.needsSampleDetails
    }
    func execute(_ predicate: Predicate?) -> Input {
      .execute(app: app, query: query, type: type, predicate: predicate)
    }
    let needsDetailsAtFirst = scheduler.needsSampleDetails
    #expect(!needsDetailsAtFirst)
    #expect(!needsDetails(after: execute(nil)))
    #expect(needsDetails(after: execute(Predicate(min: 1))), "replaced by one with a predicate")
    #expect(!needsDetails(after: execute(nil)), "replaced by one without")
    #expect(needsDetails(after: execute(Predicate())))
    #expect(!needsDetails(after: .stop(app: app, query: query)))
  }

  @Test("the end of time comes, with apps and without")
  func endOfTime() {
    let symbols = Symbols()
    var nobody = Scheduler(policy: .iOS, symbols: symbols)
    nobody.advance(to: Timestamp(nanoseconds: .max)) { _, _ in }
    #expect(nobody.nextDue == nil)
    var policy = Policy.iOS
    policy.subscriptions = [.init(app: "app", type: "type", frequency: .immediate)]
    var scheduler = Scheduler(policy: policy, symbols: symbols)
    var wakes = 0
    scheduler.advance(to: Timestamp(nanoseconds: .max)) { _, _ in wakes += 1 }
    #expect(wakes == 0 && scheduler.nextDue == nil)
  }

  @Test("stops at a type that is foreign to its symbols, as an input or in columns")
  func foreignTypes() async {
    await #expect(processExitsWith: .failure, "an input") {
      let symbols = Symbols()
      let known = SampleType(index: symbols.types.intern("known").index)
      var scheduler = Scheduler(policy: .iOS, symbols: symbols)
      let first = Input.save(Sample(type: known, source: Source(index: 0)))
      scheduler.take(first, at: Timestamp(nanoseconds: 0)) { _, _ in }
      let save = Input.save(Sample(type: SampleType(index: 1), source: Source(index: 0)))
      scheduler.take(save, at: Timestamp(nanoseconds: 0)) { _, _ in }
    }
    await #expect(processExitsWith: .failure, "columns") {
      var scheduler = Scheduler(policy: .iOS, symbols: Symbols())
      var columns = InputColumns()
      let save = Input.save(Sample(type: SampleType(index: .max), source: Source(index: 0)))
      columns.append(save, at: Timestamp(nanoseconds: 0))
      scheduler.take(columns, rows: 0..<1) { _, _ in }
    }
    await #expect(processExitsWith: .failure, "an app") {
      var scheduler = Scheduler(policy: .iOS, symbols: Symbols())
      scheduler.take(.launch(app: App(index: 7)), at: Timestamp(nanoseconds: 0)) { _, _ in }
    }
  }
}
