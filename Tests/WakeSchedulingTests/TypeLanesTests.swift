import CKernels
import Kernels
import Testing
import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

/// ``Accelerations/typeLanes``.
@Suite("Rows counted side by side")
struct TypeLanesTests {
  private static let paths = ProcessorPath.available

  @Test("wake as in the reference, on each path", arguments: paths, 0..<12 as Range<UInt64>)
  func randomRows(path: ProcessorPath, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let symbols = Symbols()
    let policy = Self.policy(using: &random)
    let events = Self.events(5_000, symbols, using: &random)
    let difference = Differential.difference(ofColumns: events, policy, symbols, on: path)
    #expect(difference == nil, "seed \(seed), \(path)")
  }

  @Test(
    "count what comes before a row that is more than a count, and leave that one", arguments: paths)
  func counts(path: ProcessorPath) {
    let symbols = Symbols()
    var policy = Policy.iOS
    policy.subscriptions = (0..<20).map { .init(app: "app", type: "type \($0)") }
    var scheduler = SchedulerCore(
      policy: policy, symbols: symbols, device: "", accelerations: .all)
    let others = 30 as UInt32
    for type in 0..<20 { scheduler.coalescer.typeCounts[type].attention = Attention() }
    scheduler.coalescer.typeCounts[17].attention = .observed
    guard kernels_counts_types(path.kernelsPath) else { return }
    var types = (0..<1_000).map { UInt32($0 % 3 == 0 ? 16 : $0 % 3 == 1 ? 5 : Int(others)) }
    types[900] = 17
    let row = scheduler.countInLanes(types.span, rows: 10..<1_000, path)
    #expect(row <= 900 && row > 884, "\(path): \(row)")
    for type in 0..<20 {
      let expected = types[10..<row].count { $0 == type }
      #expect(scheduler.coalescer.typeCounts[type].total == expected, "\(path), type \(type)")
    }
  }

  @Test("have counts as the kernels read them")
  func layout() {
    #expect(MemoryLayout<TypeCount>.stride == MemoryLayout<kernels_type_count>.stride)
    #expect(MemoryLayout<TypeCount>.offset(of: \.first) == 0)
    #expect(
      MemoryLayout<TypeCount>.offset(of: \.attention)
        == MemoryLayout<kernels_type_count>.offset(of: \.attention))
    #expect(MemoryLayout<Attention>.size == MemoryLayout<UInt32>.size)
  }

  @Test("are tried less often where runs are too short")
  func backOff() {
    var lanes = TypeLanes(isOn: true)
    #expect(lanes.firstRows == 32)
    for first in [64, 128, 256, 512, 1_024, 1_024] {
      lanes.note(0, types: 5)
      #expect(lanes.firstRows == first)
    }
    lanes.note(40, types: 5)
    #expect(lanes.firstRows == 1_024)
    lanes.note(41, types: 5)
    #expect(lanes.firstRows == 32)
    #expect(TypeLanes(isOn: false).firstRows == 0)
  }

  @Test(
    "are counted otherwise where there are more types, or without the acceleration",
    arguments: paths)
  func conditions(path: ProcessorPath) {
    let hasKernel = kernels_counts_types(path.kernelsPath)
    for (types, accelerations, expected) in [
      (TypeLanes.mostTypes, Accelerations.all, hasKernel), (TypeLanes.mostTypes + 1, .all, false),
      (1, .all.subtracting(.typeLanes), false),
    ] {
      var policy = Policy.iOS
      policy.subscriptions = (0..<types).map { .init(app: "app", type: "type \($0)") }
      let scheduler = SchedulerCore(
        policy: policy, symbols: Symbols(), device: "", accelerations: accelerations)
      let counts = scheduler.countsInLanes(path)
      #expect(counts == expected, "\(path), \(types) types")
    }
  }

  /// Few apps on few or many of the types, rarely woken, so that there are long runs.
  private static func policy(using random: inout SplitMix64) -> Policy {
    var policy = Policy.iOS
    policy.behaviour.completesAfter = random.pick([nil, 0, 2_000_000_000])
    policy.behaviour.ignoresEvery = random.pick([0, 3])
    policy.maxStrikes = random.pick([3, 1_000])
    let types = random.pick([1, 5, 8, 9, 17, TypeLanes.mostTypes, TypeLanes.mostTypes + 1])
    let often: Frequency = random.pick([.immediate, .hourly])
    for app in 0..<random.pick([1, 2, 4]) {
      for type in 0..<types {
        policy.subscriptions.append(
          .init(
            app: "app \(app)", type: "type \(type)",
            frequency: type == 0 ? often : random.pick([.hourly, .hourly, .daily])))
      }
    }
    return policy
  }

  private static func events(
    _ count: Int, _ symbols: Symbols, using random: inout SplitMix64
  ) -> [Event] {
    // The policy's types first, as in a replay.
    let types = (0..<50).map { symbols.types.intern("type \($0)") }
    let source = symbols.sources.intern("source")
    let app = symbols.apps.intern("app 0")
    let device = symbols.devices.intern("")
    let used = random.pick([1, 5, 20, 50])
    let step: Int64 = random.pick([1_000_000_000, 10_000_000_000])
    let rarity = random.pick([100, 2_000])
    var time: Int64 = 1_767_225_600_000_000_000
    return (0..<count).map { _ in
      time += step
      let type = types[random.below(used)]
      let input: Input =
        switch random.below(rarity) {
        case 0: .launch(app: app)
        case 1: .background(app: app)
        case 2, 3, 4: .delete(type: type, source: source)
        default: .save(Sample(type: type, source: source))
        }
      return Event(time: Timestamp(nanoseconds: time), device: device, input: input)
    }
  }
}
