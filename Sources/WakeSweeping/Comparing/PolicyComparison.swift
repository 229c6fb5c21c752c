import Measurement
import Synchronization
package import WakeEvents
import WakeJSON
import WakeReplay
package import WakeScheduling
package import WakeTrace

/// Replays traces under two policies and compares: which wakes moved, and what each reason for waiting gained.
package struct PolicyComparison: Sendable {
  /// What became of the wakes of an app, or of all.
  package struct Counts: Hashable, Sendable {
    package var first = 0
    package var second = 0
    package var same = 0
    /// At the same time, with other contents or another end.
    package var changed = 0
    package var earlier = 0
    package var later = 0
    package var missing = 0
    package var extra = 0
    /// Nanoseconds by which wakes moved, later ones above 0, added up.
    package var shift: Int128 = 0

    var moved: Int { earlier + later }
  }

  /// A single difference.
  package struct Example: Sendable {
    package var device: String
    package var app: String
    /// `changed`, `moved`, `missing` or `extra`.
    package var what: String
    package var first: Timestamp?
    package var second: Timestamp?
  }

  /// The time for which a reason held waits back, in nanoseconds, as in ``ReplayResult/Waiting/Sums``.
  package struct Held: Hashable, Sendable {
    package var any: Int64 = 0
    package var alone: Int64 = 0
    package var last: Int64 = 0
  }

  /// The time for which a reason held waits back under each policy.
  package struct ReasonGain: Sendable {
    package var reason: String
    package var first: Held
    package var second: Held
  }

  package var all = Counts()
  /// By app, sorted by name.
  package var apps: [(app: String, counts: Counts)] = []
  package var reasons: [ReasonGain] = []
  /// The first differences by device, a few.
  package var examples: [Example] = []
  package var digests: (first: Digest, second: Digest)
  package var inputs: Int
  package var devices: Int

  package static let mostExamples = 10

  /// Compares.
  ///
  /// - Complexity: O(events). Memory grows with the wakes of the first policy, 48 bytes for each.
  package init(
    files: [TraceFile], _ policy: Policy, against other: Policy, threads: Int,
    accelerations: Accelerations
  ) throws(TraceError) {
    let names = AppNames()
    let firsts = WakeCollector(names)
    let first = try Self.replay(files, policy, threads, accelerations, firsts)
    let seconds = WakeCollector(names)
    let second = try Self.replay(files, other, threads, accelerations, seconds)
    digests = (first.digest, second.digest)
    inputs = first.summary.inputs
    devices = first.devices
    let (before, after) = (firsts.devices, seconds.devices)
    var byApp: [Int: Counts] = [:]
    for place in Set(before.keys).union(after.keys).sorted() {
      add(before[place], after[place], names, to: &byApp)
    }
    apps = byApp.map { (names.name($0.key), $0.value) }.sorted {
      $0.app.utf8.lexicographicallyPrecedes($1.app.utf8)
    }
    for reason in WaitReason.allCases {
      let sums = [first, second].map { result in
        result.waiting?.all.reasons[reason.word].map {
          Held(any: $0.any, alone: $0.alone, last: $0.last)
        } ?? Held()
      }
      guard sums != [Held(), Held()] else { continue }
      reasons.append(ReasonGain(reason: reason.word, first: sums[0], second: sums[1]))
    }
  }

  private static func replay(
    _ files: [TraceFile], _ policy: Policy, _ threads: Int, _ accelerations: Accelerations,
    _ collector: WakeCollector
  ) throws(TraceError) -> ReplayResult {
    var options = ReplayOptions()
    options.policy = policy
    options.threads = threads
    options.accelerations = accelerations
    options.measuresLatency = false
    options.sumsWaits = true
    return try Replayer(files: files, options: options).run(observer: collector, progress: nil)
  }

  private mutating func add(
    _ first: WakeCollector.Device?, _ second: WakeCollector.Device?, _ names: AppNames,
    to byApp: inout [Int: Counts]
  ) {
    let name = first?.name ?? second?.name ?? ""
    let (one, other) = (first?.byApp ?? [:], second?.byApp ?? [:])
    var found: [WakeAlignment.Difference] = []
    for app in Set(one.keys).union(other.keys).sorted() {
      let wakes = (one[app] ?? [], other[app] ?? [])
      let alignment = WakeAlignment(wakes.0, wakes.1)
      var counts = Counts()
      (counts.first, counts.second) = (wakes.0.count, wakes.1.count)
      counts.same = alignment.same
      for difference in alignment.differences { counts.add(difference) }
      byApp[app, default: Counts()].add(counts)
      all.add(counts)
      if examples.count < Self.mostExamples { found += alignment.differences }
    }
    guard examples.count < Self.mostExamples else { return }
    found.sort { $0.time < $1.time }
    for difference in found.prefix(Self.mostExamples - examples.count) {
      examples.append(difference.example(device: name, names))
    }
  }
}

extension PolicyComparison.Counts {
  fileprivate mutating func add(_ difference: WakeAlignment.Difference) {
    switch difference {
    case .changed: changed += 1
    case .moved(let one, let other):
      if other.time > one.time { later += 1 } else { earlier += 1 }
      shift += Int128(other.time) - Int128(one.time)
    case .missing: missing += 1
    case .extra: extra += 1
    }
  }

  fileprivate mutating func add(_ other: Self) {
    first += other.first
    second += other.second
    same += other.same
    changed += other.changed
    earlier += other.earlier
    later += other.later
    missing += other.missing
    extra += other.extra
    shift += other.shift
  }
}

extension WakeAlignment.Difference {
  fileprivate var time: Int64 {
    switch self {
    case .changed(let one, _), .missing(let one): one.time
    case .moved(let one, let other): min(one.time, other.time)
    case .extra(let other): other.time
    }
  }

  fileprivate func example(device: String, _ names: AppNames) -> PolicyComparison.Example {
    func of(_ what: String, _ one: ComparedWake?, _ other: ComparedWake?)
      -> PolicyComparison.Example
    {
      .init(
        device: device, app: names.name(Int(one?.app ?? other?.app ?? 0)), what: what,
        first: one.map { Timestamp(nanoseconds: $0.time) },
        second: other.map { Timestamp(nanoseconds: $0.time) })
    }
    return switch self {
    case .changed(let one, let other): of("changed", one, other)
    case .moved(let one, let other): of("moved", one, other)
    case .missing(let one): of("missing", one, nil)
    case .extra(let other): of("extra", nil, other)
    }
  }
}

/// Numbers for the names of apps, the same in several replays.
final class AppNames: Sendable {
  private let names = Mutex<(numbers: [ExactName: Int], names: [String])>(([:], []))

  func number(_ name: String) -> Int {
    names.withLock { names in
      if let number = names.numbers[ExactName(name)] { return number }
      names.numbers[ExactName(name)] = names.names.count
      names.names.append(name)
      return names.names.count - 1
    }
  }

  func name(_ number: Int) -> String { names.withLock { $0.names[number] } }
}

/// Collects the wakes of a replay.
final class WakeCollector: ReplayObserver {
  struct Device: Sendable {
    var name: String
    /// By app's number, in the order of their times.
    var byApp: [Int: [ComparedWake]]
  }

  private let names: AppNames
  private let collected = Mutex<[Int: Device]>([:])

  init(_ names: AppNames) {
    self.names = names
  }

  /// By place.
  var devices: [Int: Device] { collected.withLock { $0 } }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    OfDevice(self, name, place, symbols)
  }

  private final class OfDevice: DeviceObserver {
    private let collector: WakeCollector
    private let name: String
    private let place: Int
    private let symbols: Symbols
    /// By ``App/index``.
    private var wakes: [UInt32: [ComparedWake]] = [:]

    init(_ collector: WakeCollector, _ name: String, _ place: Int, _ symbols: Symbols) {
      self.collector = collector
      self.name = name
      self.place = place
      self.symbols = symbols
    }

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {}

    func end(_ wake: borrowing Wake) {
      // An app has one wake at a time, so its wakes end in the order in which they began.
      wakes[wake.app.index, default: []].append(ComparedWake(wake, app: 0, symbols))
    }

    func handOver(isLast: Bool) throws(TraceError) {
      guard isLast else { return }
      var byApp: [Int: [ComparedWake]] = [:]
      for (app, wakes) in wakes {
        let number = collector.names.number(symbols.apps.name(of: App(index: app)))
        byApp[number] = wakes.map { wake in
          var wake = wake
          wake.app = Int32(number)
          return wake
        }
      }
      let device = Device(name: name, byApp: byApp)
      collector.collected.withLock { $0[place] = device }
    }
  }
}
