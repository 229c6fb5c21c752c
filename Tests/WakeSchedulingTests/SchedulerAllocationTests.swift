import Testing
import WakeEvents
import WakeScheduling
import WakeTestSupport

@Suite("What the scheduler allocates", .enabled(if: AllocationCounter.isAvailable))
struct SchedulerAllocationTests {
  /// A device whose saves come as columns, a second apart.
  private struct Device: ~Copyable {
    let symbols = Symbols()
    let types: [SampleType]
    let source: Source
    let apps: [App]
    var scheduler: Scheduler
    var columns = InputColumns()
    var time: Int64 = 0
    var wakes = 0

    init(_ policy: Policy = .iOS, apps: Int) {
      types = ["a", "b", "c", "d", "e"].map(symbols.types.intern)
      source = symbols.sources.intern("source")
      self.apps = (0..<apps).map { [symbols] in symbols.apps.intern("app\($0)") }
      scheduler = Scheduler(policy: policy, symbols: symbols)
    }

    mutating func take(_ input: Input) {
      scheduler.take(input, at: Timestamp(nanoseconds: time)) { _, _ in }
    }

    mutating func enableEverything(_ frequency: Frequency) {
      for app in apps {
        for type in types { take(.enable(app: app, type: type, frequency: frequency)) }
      }
    }

    /// Fills the columns with saves; each `lateEvery`th is late, each `deleteEvery`th is a delete.
    mutating func fill(
      _ count: Int, every step: Int64, lateEvery: Int = .max, deleteEvery: Int = .max,
      value: Double? = nil
    ) {
      columns.removeAll()
      for row in 1...count {
        time += step
        let late: Int64 = row.isMultiple(of: lateEvery) ? 1_000_000_000_000 : 0
        let type = types[row % types.count]
        columns.append(
          row.isMultiple(of: deleteEvery)
            ? .delete(type: type, source: source)
            : .save(Sample(type: type, source: source, value: value)),
          at: Timestamp(nanoseconds: time - late))
      }
    }

    /// The allocations of taking all columns in one call.
    mutating func allocationsOfTaking() -> Int {
      wakes = 0
      return AllocationCounter.allocations {
        scheduler.take(columns, rows: 0..<columns.count) { phase, _ in
          if phase == .began { wakes += 1 }
        }
      }.count
    }
  }

  private static let rows = 100_000

  /// Unoptimised, generic code of the standard library allocates on its own account (the frames of
  /// coroutines behind `Array.insert` and `for`), so that only optimised builds are held to nothing.
  private static func none(unoptimised bound: Int) -> Int {
    #if DEBUG
      bound
    #else
      0
    #endif
  }

  @Test("is nothing for saves and deletes, on time or late, that nobody subscribed to")
  func unsubscribed() {
    var device = Device(apps: 0)
    device.fill(Self.rows, every: 1_000, lateEvery: 7, deleteEvery: 5)
    #expect(device.allocationsOfTaking() <= 12, "room for the types")
    device.fill(Self.rows, every: 1_000, lateEvery: 7, deleteEvery: 5)
    #expect(device.allocationsOfTaking() == 0)
  }

  @Test("is nothing for saves that wait for their period, whoever subscribed", arguments: [1, 30])
  func waiting(apps: Int) {
    var device = Device(apps: apps)
    device.enableEverything(.weekly)
    for _ in 0..<2 {
      device.fill(10, every: 1)
      _ = device.allocationsOfTaking()
      device.time += 40_000_000_000
    }
    device.fill(Self.rows, every: 1_000, lateEvery: 7, deleteEvery: 5)
    #expect(device.allocationsOfTaking() == 0)
    #expect(device.wakes == 0, "quiet saves")
  }

  @Test("is nothing for saves delivered live")
  func live() {
    var device = Device(apps: 5)
    device.enableEverything(.immediate)
    for app in device.apps { device.take(.launch(app: app)) }
    device.fill(Self.rows, every: 1_000, lateEvery: 7, deleteEvery: 5)
    #expect(device.allocationsOfTaking() == 0)
    let summary = device.scheduler.finish { _, _ in }
    #expect(summary.liveDeliveries == 5 * Self.rows)
  }

  @Test("is nothing for saves held against predicates", arguments: [0.0, 5.0])
  func filtered(value: Double) {
    var device = Device(apps: 5)
    device.enableEverything(.weekly)
    for (number, app) in device.apps.enumerated() {
      for type in device.types {
        let query = device.symbols.queries.intern("query \(type.index)")
        let predicate = Predicate(start: Timestamp(nanoseconds: Int64(number)), min: 1)
        device.take(.execute(app: app, query: query, type: type, predicate: predicate))
      }
    }
    // Five types and each sixth row a delete: so deletes come to every type.
    for _ in 0..<2 {
      device.fill(1_000, every: 1_000_000_000, deleteEvery: 6, value: value)
      _ = device.allocationsOfTaking()
    }
    device.fill(Self.rows / 5, every: 1_000, lateEvery: 7, deleteEvery: 6, value: value)
    let allocations = device.allocationsOfTaking()
    #expect(allocations <= Self.none(unoptimised: 6 * 5 * device.columns.count))
    #expect(device.wakes == 0, "quiet saves")
  }

  @Test(
    "is nothing for wakes of a warm scheduler",
    arguments: [Policy.Carry.launch, .due, .always], [Frequency.immediate, .hourly])
  func wakes(carry: Policy.Carry, frequency: Frequency) {
    var policy = Policy.iOS
    policy.carry = carry
    policy.behaviour = .init(completesAfter: 1_000_000_000, coldStart: 5, ignoresEvery: 7)
    policy.backoffBase = 1
    policy.budget = .init(window: 3_600_000_000_000, limit: 60, limitWithoutComplication: 60)
    var device = Device(policy, apps: 10)
    device.enableEverything(frequency)
    for app in device.apps { device.take(.refreshInterval(app: app, .minimum)) }
    device.fill(Self.rows / 5, every: 5_000_000_000)
    _ = device.allocationsOfTaking()
    device.fill(Self.rows / 5, every: 5_000_000_000)
    let allocations = device.allocationsOfTaking()
    #expect(
      allocations <= Self.none(unoptimised: 10 * device.wakes), "in \(device.wakes) wakes")
    #expect(device.wakes > 10_000 / (frequency == .hourly ? 10 : 1))
  }

  @Test("is nothing for what an app's life brings to a warm scheduler")
  func life() {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 1_000_000_000
    var device = Device(policy, apps: 5)
    device.enableEverything(.immediate)
    let query = device.symbols.queries.intern("query")
    func live(_ device: inout Device) -> Int {
      device.columns.removeAll()
      for round in 0..<200 {
        let app = device.apps[round % device.apps.count]
        let type = device.types[round % device.types.count]
        let save = Input.save(Sample(type: type, source: device.source))
        let inputs: [Input] = [
          save, .push(app: app, Push(id: "short")), .complete(app: app, item: .push, result: nil),
          .lock, save, .unlock, .complete(app: app, item: .type(type), result: .newData),
          .execute(app: app, query: query, type: type, predicate: Predicate(min: 1)), save,
          .stop(app: app, query: query), .launch(app: app),
          .enable(app: app, type: type, frequency: .immediate), save, .background(app: app), save,
          .terminate(app: app), save, .forceQuit(app: app), save, .launch(app: app),
          .background(app: app), .reboot, .unlock, .network(isGood: false), .power(isGood: true),
        ]
        for input in inputs {
          device.time += 1_000_000_000
          device.columns.append(input, at: Timestamp(nanoseconds: device.time))
        }
      }
      return device.allocationsOfTaking()
    }
    _ = live(&device)
    let allocations = live(&device)
    #expect(
      allocations <= Self.none(unoptimised: 4 * device.columns.count),
      "in 200 rounds with \(device.wakes) wakes")
    #expect(device.wakes > 200)
  }
}
