import CKernels
import Kernels
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

/// ``Accelerations/subscribedRows``.
@Suite("Rows of types with subscriptions")
struct SubscribedRowsTests {
  private static let paths = ProcessorPath.available
  private static let start: Int64 = 1_767_225_600_000_000_000

  @Test("wake as in the reference, on each path", arguments: paths, 0..<16 as Range<UInt64>)
  func randomRows(path: ProcessorPath, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let (policy, types) = Self.policy(symbols, using: &random)
    let events = Self.events(6_000, of: types, symbols, using: &random)
    let difference = Differential.difference(ofColumns: events, policy, symbols, on: path)
    #expect(difference == nil, "seed \(seed), \(path)")
  }

  @Test("are found one after the other, and then the end", arguments: paths)
  func found(path: ProcessorPath) {
    let symbols = Symbols()
    var scheduler = Self.scheduler(["a", "b"], symbols)
    let (a, b, other) = (Self.type("a", symbols), Self.type("b", symbols), Self.type("o", symbols))
    let places = [3: a, 64: b, 70: a, 639: b, 650: a]
    let columns = Self.columns(700, symbols) { places[$0] ?? other }
    columns.withRowColumns { columns in
      var found = SubscribedRows(
        &scheduler.coalescer, columns, rows: 10..<640, path)
      var row = 10
      var rows: [Int] = []
      while let next = found?.next(from: row, in: columns, path), next < 640 {
        rows.append(next)
        row = next + 1
      }
      #expect(rows == [64, 70, 639], "\(path)")
      #expect(found?.areFew == true, "\(path)")
    }
  }

  @Test("are looked for unless more than three quarters of all are of such types", arguments: paths)
  func conditions(path: ProcessorPath) {
    for (share, isFound) in [(0, true), (4, true), (6, true), (7, false), (8, false)] {
      let symbols = Symbols()
      var scheduler = Self.scheduler(["a"], symbols)
      let (a, other) = (Self.type("a", symbols), Self.type("o", symbols))
      let columns = Self.columns(600, symbols) { $0 % 8 < share ? a : other }
      columns.withRowColumns { columns in
        let found = SubscribedRows(
          &scheduler.coalescer, columns, rows: 0..<600, path)
        #expect((found != nil) == isFound, "\(path), \(share) of 8 rows")
      }
    }
  }

  @Test("let happen what is due by the time of those behind the last of them")
  func due() {
    for accelerations in [Accelerations.all, .all.subtracting(.subscribedRows), []] {
      let symbols = Symbols()
      let (a, other) = (Self.type("a", symbols), Self.type("o", symbols))
      var scheduler = Self.scheduler(["a"], symbols, accelerations)
      // The wake expires while nobody looks at rows, and the app is woken again.
      let columns = Self.columns(1_000, symbols) { $0 == 0 ? a : other }
      var hasher = WakeHasher()
      var told: [WakePhase] = []
      scheduler.take(columns, rows: 0..<1_000, &hasher) { phase, _ in told.append(phase) }
      #expect(told == [.began, .ended, .began, .ended, .began, .ended], "\(accelerations.names)")
      let summary = scheduler.close(&hasher) { _, _ in }
      #expect(summary.saves == 1_000 && summary.wakes == 3, "\(accelerations.names)")
    }
  }

  @Test("are of as many types as have subscriptions, which come and go")
  func subscribedTypes() {
    let symbols = Symbols()
    let app = symbols.apps.intern("app 0")
    let type = Self.type("c", symbols)
    var scheduler = Self.scheduler(["a", "b"], symbols)
    var hasher = WakeHasher()
    var time = Self.start
    #expect(scheduler.coalescer.subscribedTypes == 2)
    let inputs: [(Input, subscribed: Int)] = [
      (.enable(app: app, type: type, frequency: .hourly), 3),
      (.enable(app: app, type: type, frequency: .daily), 3),
      (.disable(app: app, type: type), 2), (.disableAll(app: app), 0),
    ]
    for (input, subscribed) in inputs {
      time += 1
      scheduler.take(input, at: Timestamp(nanoseconds: time), &hasher) { _, _ in }
      #expect(scheduler.coalescer.subscribedTypes == subscribed, "\(input)")
    }
    let other = SchedulerCore(like: scheduler, device: nil, hash: 0)
    #expect(other.coalescer.subscribedTypes == 0)
  }

  @Test("are found as many at a time, and of a set as large, as the kernels take")
  func layout() {
    #expect(KERNELS_FOUND_ROWS == UInt64.bitWidth)
    #expect(
      Int(KERNELS_TYPE_SET_WORDS) * MemoryLayout<UInt32>.size
        == MemoryLayout<SubscribedRows.TypeSet>.size)
  }

  private static func type(_ name: String, _ symbols: Symbols) -> SampleType {
    symbols.types.intern(name)
  }

  /// One app that never answers, on some types.
  private static func scheduler(
    _ types: [String], _ symbols: Symbols, _ accelerations: Accelerations = .all
  ) -> SchedulerCore {
    var policy = Policy.iOS
    policy.subscriptions = types.map { .init(app: "app 0", type: $0, frequency: .immediate) }
    var scheduler = SchedulerCore(
      policy: policy, symbols: symbols, device: "", accelerations: accelerations)
    scheduler.reserveTypes(symbols.types.count)
    return scheduler
  }

  /// Saves, ten seconds apart.
  private static func columns(
    _ count: Int, _ symbols: Symbols, type: (Int) -> SampleType
  ) -> InputColumns {
    var columns = InputColumns()
    let source = symbols.sources.intern("source")
    for row in 0..<count {
      columns.append(
        .save(Sample(type: type(row), source: source)),
        at: Timestamp(nanoseconds: start + Int64(row) * 10_000_000_000))
    }
    return columns
  }

  /// Few apps on some of the types, of which few or most rows are.
  private static func policy(
    _ symbols: Symbols, using random: inout SplitMix64
  ) -> (policy: Policy, types: [SampleType]) {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = random.pick([nil, 0, 2_000_000_000, 40_000_000_000])
    policy.behaviour.ignoresEvery = random.pick([0, 3])
    policy.maxStrikes = random.pick([3, 1_000])
    policy.carry = random.pick([.due, .always, .launch])
    // Types of a number beyond 255 share a bit with others.
    let known = random.pick([20, 90, 300])
    let types = (0..<known).map { symbols.types.intern("type \($0)") }
    let step = random.pick([2, 5, 15])
    for app in 0..<random.pick([1, 2, 4]) {
      for place in stride(from: random.below(step), to: known, by: step) {
        policy.subscriptions.append(
          .init(
            app: "app \(app)", type: "type \(place)",
            frequency: random.pick([.immediate, .hourly, .daily])))
      }
    }
    return (policy, types)
  }

  /// Saves and deletes, with a few inputs of other kinds, among them some that subscribe and end a subscription, and queries.
  private static func events(
    _ count: Int, of types: [SampleType], _ symbols: Symbols, using random: inout SplitMix64
  ) -> [Event] {
    let source = symbols.sources.intern("source")
    let apps = (0..<5).map { symbols.apps.intern("app \($0)") }
    let query = symbols.queries.intern("query")
    let device = symbols.devices.intern("")
    let step: Int64 = random.pick([100_000_000, 10_000_000_000])
    let rarity = random.pick([200, 2_000, 20_000])
    var time = start
    let areEqual = random.pick([0, 2, 50])
    return (0..<count).map { _ in
      if random.below(areEqual + 1) == 0 { time += step }
      let (type, app) = (random.pick(types), random.pick(apps))
      let input: Input =
        switch random.below(rarity) {
        case 0: .launch(app: app)
        case 1: .background(app: app)
        case 2: .enable(app: app, type: type, frequency: .immediate)
        case 3: .disable(app: app, type: type)
        case 4:
          .execute(
            app: app, query: query, type: type, predicate: Predicate(source: source))
        case 5: .lock
        case 6: .unlock
        case 7...10: .delete(type: type, source: source)
        default: .save(Sample(type: type, source: source))
        }
      return Event(time: Timestamp(nanoseconds: time), device: device, input: input)
    }
  }
}
