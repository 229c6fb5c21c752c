import Synchronization
import WakeEvents
package import WakeReplay
import WakeScheduling
package import WakeTrace

extension WakeDiff {
  /// Compares what a real system did with the rules, under the policy of the options.
  ///
  /// - Parameters:
  ///   - rules: The first side, empty.
  ///   - files: The inputs.
  ///   - observed: The second side: what the system did.
  /// - Complexity: O(events), twice if wakes came early or are extra. Memory grows with the wakes.
  package init(
    rules: DiffSide, of files: [TraceFile], _ options: ReplayOptions,
    observed: DiffSide, within: Int64, shown: Int?
  ) throws(TraceError) {
    var rules = rules
    let names = rules.names
    let collector = DiffCollector(names)
    _ = try Replayer(files: files, options: options).run(observer: collector, progress: nil)
    for (_, device) in collector.takeDevices().sorted(by: { $0.key < $1.key }) {
      rules.append(device.byApp, device: device.number)
    }
    let (diff, questions) = Self.compare(
      rules, observed, within: within, shown: shown, asks: true)
    self = diff
    let answers = RulesAnswers(questions, names)
    if !questions.isEmpty {
      _ = try Replayer(files: files, options: options).run(observer: answers, progress: nil)
    }
    let found = answers.answers
    reasons = WaitReason.allCases.compactMap { reason -> (reason: WaitReason, wakes: Int)? in
      let wakes = found.count { $0.contains(reason) }
      return wakes > 0 ? (reason, wakes) : nil
    }
    unwaited = found.count { $0.isEmpty }
    for place in differences.indices {
      guard let question = differences[place].question else { continue }
      differences[place].reasons = Array(found[question])
    }
  }
}

/// Collects the wakes of a replay.
private final class DiffCollector: ReplayObserver {
  struct Device: Sendable {
    var number: Int
    /// By the app's number, in the order of their times.
    var byApp: [Int: [DiffWake]]
  }

  let names: DiffNames
  /// By place.
  private let collected = Mutex<[Int: Device]>([:])

  init(_ names: DiffNames) { self.names = names }

  func takeDevices() -> [Int: Device] {
    collected.withLock { collected in
      defer { collected = [:] }
      return collected
    }
  }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    OfDevice(self, names.with { $0.devices.number(of: name) }, place, symbols)
  }

  private final class OfDevice: DeviceObserver {
    private let collector: DiffCollector
    private let number: Int
    private let place: Int
    private let symbols: Symbols
    private var numbers = SymbolNumbers()
    private var wakes: [Int: [DiffWake]] = [:]

    init(_ collector: DiffCollector, _ number: Int, _ place: Int, _ symbols: Symbols) {
      (self.collector, self.number, self.place, self.symbols) = (collector, number, place, symbols)
    }

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {}

    func end(_ wake: borrowing Wake) {
      var kept = DiffWake(
        time: wake.time.nanoseconds, types: numbers.types(wake.types, symbols, collector.names))
      kept.oldest = wake.oldest?.nanoseconds ?? DiffWake.none
      kept.end = wake.end?.nanoseconds ?? DiffWake.none
      kept.push = wake.push.map { NameHash.of($0) } ?? 0
      kept.saves = Int32(clamping: wake.saves)
      kept.refresh = wake.refresh ? 1 : 0
      kept.outcome = wake.outcome.rawValue
      // An app has one wake at a time, so its wakes end in the order in which they began.
      wakes[numbers.app(wake.app, symbols, collector.names), default: []].append(kept)
    }

    func handOver(isLast: Bool) throws(TraceError) {
      guard isLast else { return }
      let device = Device(number: number, byApp: wakes)
      collector.collected.withLock { $0[place] = device }
    }
  }
}

/// A wake that came earlier than the rules', or that the rules do not have: what held it back then?
struct RulesQuestion: Sendable {
  var device: Int
  var app: Int
  var time: Int64
  /// The wake whose items were held back.
  var wake: DiffWake

  /// Nil where the rules were not behind.
  init?(_ difference: DiffAlignment.Difference, device: Int, app: Int) {
    switch difference {
    case .moved(let rules, let observed, _) where observed.time < rules.time:
      (time, wake) = (observed.time, rules)
    case .extra(let observed): (time, wake) = (observed.time, observed)
    default: return nil
    }
    (self.device, self.app) = (device, app)
  }
}

/// Answers questions by the waits of a replay.
private final class RulesAnswers: ReplayObserver {
  private let questions: [RulesQuestion]
  private let names: DiffNames
  private let sets: TypeSets
  /// The indices of questions by device, then by app, in the order of time.
  private let asked: [Int: [Int: [Int]]]
  private let found: Mutex<[WaitReasons]>

  init(_ questions: [RulesQuestion], _ names: DiffNames) {
    self.questions = questions
    self.names = names
    sets = names.with { $0.types }
    var asked: [Int: [Int: [Int]]] = [:]
    for (place, question) in questions.enumerated() {
      asked[question.device, default: [:]][question.app, default: []].append(place)
    }
    self.asked = asked.mapValues { apps in
      apps.mapValues { places in places.sorted { questions[$0].time < questions[$1].time } }
    }
    found = Mutex(Array(repeating: WaitReasons(), count: questions.count))
  }

  var answers: [WaitReasons] { found.withLock { $0 } }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    OfDevice(self, asked[names.with { $0.devices.number(of: name) }] ?? [:], symbols)
  }

  private final class OfDevice: DeviceObserver {
    private let answers: RulesAnswers
    /// By the app's number.
    private let asked: [Int: [Int]]
    private let symbols: Symbols
    private var numbers = SymbolNumbers()
    private var found: [(question: Int, reasons: WaitReasons)] = []

    init(_ answers: RulesAnswers, _ asked: [Int: [Int]], _ symbols: Symbols) {
      (self.answers, self.asked, self.symbols) = (answers, asked, symbols)
    }

    func end(_ wake: borrowing Wake) {}

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
      guard phase == .over, !asked.isEmpty else { return }
      guard let places = asked[numbers.app(wait.app, symbols, answers.names)] else { return }
      // The first question at or after the wait's beginning.
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if answers.questions[places[middle]].time < wait.since {
          low = middle + 1
        } else {
          high = middle
        }
      }
      var stretch = 0
      var stretchEnd = wait.since
      while low < places.count {
        let question = answers.questions[places[low]]
        while stretch < wait.stretches.count,
          stretchEnd + wait.stretches[stretch].nanoseconds <= question.time
        {
          stretchEnd += wait.stretches[stretch].nanoseconds
          stretch += 1
        }
        guard stretch < wait.stretches.count else { return }
        if concerns(wait.item, question.wake) {
          found.append((places[low], wait.stretches[stretch].reasons))
        }
        low += 1
      }
    }

    /// Whether an item is one of those that a wake carries. What else waits is no reason for it.
    private func concerns(_ item: Wait.Item, _ wake: DiffWake) -> Bool {
      switch item {
      case .type(let type): answers.sets.contains(symbols.types.hash(of: type), in: wake.types)
      case .push(let id):
        wake.push == DiffWake.unknownPush || wake.push == NameHash.of(id)
      case .refresh: wake.refresh != 0
      }
    }

    func handOver(isLast: Bool) throws(TraceError) {
      answers.found.withLock { all in
        for (question, reasons) in found {
          for reason in reasons { all[question].insert(reason) }
        }
      }
      found.removeAll()
    }
  }
}
