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
    try rules.append(replayOf: files, options)
    let (diff, questions) = Self.compare(
      rules, observed, within: within, shown: shown, asks: true)
    self = diff
    let answers = RulesAnswers(questions, names)
    if questions.count > 0 {
      _ = try Replayer(files: files, options: options).run(observer: answers, progress: nil)
    }
    let found = answers.answers
    reasons = WaitReason.allCases.compactMap { reason -> (reason: WaitReason, wakes: Int)? in
      let wakes = found.count { $0.contains(reason) }
      return wakes > 0 ? (reason, wakes) : nil
    }
    unwaited = found.count { $0.isEmpty }
    differences.answers = found
  }
}

/// The wakes that came earlier than the rules', or that the rules do not have: what held them back then?
struct RulesQuestions: Sendable {
  private let sides: DiffSides
  private var records: [ShownDifferences.Record] = []

  init(_ rules: DiffSide, _ observed: DiffSide) { sides = DiffSides(rules, observed) }

  var count: Int { records.count }

  /// Adds a question about a wake that moved or is alone if the rules were behind.
  ///
  /// - Returns: Whether they were.
  mutating func append(_ record: ShownDifferences.Record) -> Bool {
    let (rules, observed) = sides.wakes(of: record)
    guard let observed, rules.map({ observed.time < $0.time }) ?? true else { return false }
    records.append(record)
    return true
  }

  /// The time that is asked about.
  func time(_ place: Int) -> Int64 { sides.wakes(of: records[place]).second?.time ?? .max }

  /// The wake whose items were held back.
  func wake(_ place: Int) -> DiffWake? {
    let (rules, observed) = sides.wakes(of: records[place])
    return rules ?? observed
  }

  /// The questions of each device and app, which are in the order of time.
  var byApp: [Int: [Int: Range<Int>]] {
    var found: [Int: [Int: Range<Int>]] = [:]
    for (place, record) in records.enumerated() {
      let (device, app) = (Int(record.device), Int(record.app))
      let start = found[device]?[app]?.lowerBound ?? place
      found[device, default: [:]][app] = start..<place + 1
    }
    return found
  }
}

/// Answers questions by the waits of a replay.
private final class RulesAnswers: ReplayObserver {
  private let questions: RulesQuestions
  private let names: DiffNames
  private let sets: TypeSets
  private let asked: [Int: [Int: Range<Int>]]
  private let found: Mutex<[WaitReasons]>

  init(_ questions: RulesQuestions, _ names: DiffNames) {
    self.questions = questions
    self.names = names
    sets = names.with { $0.types }
    asked = questions.byApp
    found = Mutex(Array(repeating: WaitReasons(), count: questions.count))
  }

  var answers: [WaitReasons] { found.withLock { $0 } }

  func observer(ofDevice name: String, place: Int, _ symbols: Symbols) -> any DeviceObserver {
    OfDevice(self, asked[names.with { $0.devices.number(of: name) }] ?? [:], symbols)
  }

  private final class OfDevice: DeviceObserver {
    private let answers: RulesAnswers
    /// By the app's number.
    private let asked: [Int: Range<Int>]
    private let symbols: Symbols
    private var numbers = SymbolNumbers()
    private var found: [(question: Int, reasons: WaitReasons)] = []

    init(_ answers: RulesAnswers, _ asked: [Int: Range<Int>], _ symbols: Symbols) {
      (self.answers, self.asked, self.symbols) = (answers, asked, symbols)
    }

    func end(_ wake: borrowing Wake) {}

    func take(_ phase: WaitPhase, _ wait: borrowing Wait) {
      guard phase == .over, !asked.isEmpty else { return }
      guard let places = asked[numbers.app(wait.app, symbols, answers.names)] else { return }
      // The first question at or after the wait's beginning.
      var (low, high) = (places.lowerBound, places.upperBound)
      while low < high {
        let middle = (low + high) / 2
        if answers.questions.time(middle) < wait.since { low = middle + 1 } else { high = middle }
      }
      var stretch = 0
      var stretchEnd = wait.since
      while low < places.upperBound {
        let time = answers.questions.time(low)
        while stretch < wait.stretches.count,
          stretchEnd + wait.stretches[stretch].nanoseconds <= time
        {
          stretchEnd += wait.stretches[stretch].nanoseconds
          stretch += 1
        }
        guard stretch < wait.stretches.count else { return }
        if let wake = answers.questions.wake(low), concerns(wait.item, wake) {
          found.append((low, wait.stretches[stretch].reasons))
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
