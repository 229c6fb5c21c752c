import Foundation
import WakeEvents
import WakeScheduling

/// The cost of scheduling events of several kinds relative to plain ones, each of which adds one to a count of
/// pending saves. There are no wakes.
enum SchedulerLimits {
  /// A scheduler, and events of a kind that it takes repeatedly.
  private final class Workload {
    private var scheduler: SchedulerCore
    private var hasher = WakeHasher()
    private let columns: InputColumns

    init(_ scheduler: consuming SchedulerCore, _ columns: InputColumns) {
      self.scheduler = scheduler
      self.columns = columns
    }

    func run() {
      scheduler.take(columns, rows: 0..<columns.count, &hasher) { _, _ in }
    }
  }

  /// How events differ from plain ones.
  private enum Kind: String, CaseIterable {
    case plain
    /// Each save is compared with a predicate of its source, which every second one matches.
    case filtered
    /// With a predicate of its start.
    case filteredByTime = "filtered by time"
    /// With a predicate of its value, which every second one matches; only saves of this kind have values.
    case filteredByValue = "filtered by value"
    /// Live deliveries.
    case foreground
    case late
    /// A thousand apps subscribe to every type.
    case thousand = "1000 subscriptions on every type"
  }

  private struct Figures: Encodable {
    /// Nanoseconds an event, by kind: medians over rounds.
    var nanoseconds: [String: Double]
    /// The cost relative to a plain event, by kind.
    var overPlain: [String: Double]
  }

  private static let events = 1 << 18
  private static let types = 120

  /// Measures and returns the figures as JSON.
  static func measure(rounds text: String) throws -> String {
    guard let count = Int(text), count > 0 else { throw LimitsError(RouseLimits.usage) }
    let rounds = try Rounds(
      Kind.allCases.map { kind in
        let workload = workload(kind)
        return Stage(name: kind.rawValue) {
          for _ in 0..<4 { workload.run() }
          return 0
        }
      }, count: count)
    var figures = Figures(nanoseconds: [:], overPlain: [:])
    for kind in Kind.allCases.map(\.rawValue) {
      let times = (rounds.times[kind]?.processor ?? []).sorted()
      figures.nanoseconds[kind] = times[times.count / 2] / Double(4 * events) * 1e9
      figures.overPlain[kind] = rounds.speed("plain", over: kind, by: \.processor)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(figures), as: UTF8.self)
  }

  /// Makes a scheduler whose subscriptions each have a pending save that may wake in a week, and events within an
  /// hour.
  private static func workload(_ kind: Kind) -> Workload {
    let symbols = Symbols()
    let types = (0..<Self.types).map { symbols.types.intern("type \($0)") }
    let sources = ["phone", "watch"].map { symbols.sources.intern($0) }
    var policy = Policy.iOS
    policy.behaviour.completesAfter = 0
    var scheduler = SchedulerCore(policy: policy, symbols: symbols)
    var hasher = WakeHasher()
    func take(_ input: Input, at second: Int, _ scheduler: inout SchedulerCore) {
      scheduler.take(input, at: time(second), &hasher) { _, _ in }
    }
    for number in 0..<(kind == .thousand ? 1_000 : 1) {
      let app = symbols.apps.intern("app \(number)")
      for type in types {
        take(.enable(app: app, type: type, frequency: .weekly), at: 0, &scheduler)
      }
    }
    for second in 1...2 {
      for type in types {
        take(.save(Sample(type: type, source: sources[0])), at: second, &scheduler)
      }
    }
    let app = symbols.apps.intern("app 0")
    let predicate: WakeEvents.Predicate? =
      switch kind {
      case .filtered: Predicate(source: sources[0])
      case .filteredByTime: Predicate(start: time(0))
      case .filteredByValue: Predicate(min: 1)
      default: nil
      }
    if let predicate {
      for type in types {
        let query = symbols.queries.intern("query \(type.index)")
        let input = Input.execute(app: app, query: query, type: type, predicate: predicate)
        take(input, at: 3, &scheduler)
      }
    }
    if kind == .foreground { take(.launch(app: app), at: 3, &scheduler) }
    if kind == .late {
      take(.save(Sample(type: types[0], source: sources[0])), at: 7_200, &scheduler)
    }
    var columns = InputColumns()
    var random: UInt64 = 1
    for _ in 0..<events {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let type = types[Int(random >> 33) % types.count]
      let source = sources[Int(random >> 62) & 1]
      // All at one time, so that none of them is late in a repetition.
      var sample = Sample(type: type, source: source)
      if kind == .filteredByValue { sample.value = Double(random >> 61 & 1) }
      columns.append(.save(sample), at: time(3_600))
    }
    return Workload(scheduler, columns)
  }

  private static func time(_ second: Int) -> Timestamp {
    Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(second) * 1_000_000_000)
  }
}
