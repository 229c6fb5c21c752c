import WakeEvents
import WakeTestSupport

@testable import WakeScheduling

/// Holds a scheduler whose wakes are only counted against one that tells all of each.
///
/// The first counts answers before they come, and takes rows by their counts where it can; who looks at wakes that
/// begin, at where apps stand and at the summary may not see that, at whatever time. With some seeds it keeps its wakes in a
/// history, from which those that have ended are taken now and then.
enum CountedRun {
  /// Compares both on the inputs of a seed.
  ///
  /// - Returns: nil if they agree; else the seed, the difference and the shrunk case.
  static func failure(seed: UInt64, inputs: Int) -> String? {
    let given = RandomInputs(seed: seed, count: inputs)
    return failure(given.events, given.policy, given.symbols, seed: seed)
  }

  /// Compares both on inputs.
  ///
  /// - Parameter seed: Of the times at which someone looks.
  /// - Returns: nil if they agree; else the seed, the difference and the shrunk case.
  static func failure(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols, seed: UInt64
  ) -> String? {
    shrunkFailure(events, policy, symbols, seed: seed) {
      difference($0, $1, symbols, seed: seed)
    }
  }

  /// The first difference in words, or nil.
  ///
  /// - Parameter seed: Of the times at which someone looks.
  static func difference(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols, seed: UInt64 = 0
  ) -> String? {
    for (device, events) in SchedulerRun.byDevice(events) {
      let name = symbols.devices.name(of: device)
      let found = difference(events, policy, symbols, device: name, seed: seed)
      if let found { return "device '\(name)', \(found)" }
    }
    return nil
  }

  /// The first difference on one device, in words.
  private static func difference(
    _ events: [Event], _ policy: Policy, _ symbols: Symbols, device: String, seed: UInt64
  ) -> String? {
    var random = SplitMix64(seed: seed)
    var telling = Side(
      policy: policy, symbols: symbols, device: device, tellsAll: true,
      accelerations: .drawn(by: &random))
    var counting = Side(
      policy: policy, symbols: symbols, device: device, tellsAll: false,
      inBatches: seed.isMultiple(of: 2),
      mostKept: seed % 4 < 2 ? random.pick([1, 4, 100, 16_384]) : nil,
      accelerations: .drawn(by: &random))
    var columns = InputColumns()
    for event in events { columns.append(event.input, at: event.time) }
    for rows in SchedulerRun.batches(of: columns.count) {
      telling.feed(columns, rows)
      if !random.chance(50) || !counting.takeQuietly(columns, rows) { counting.feed(columns, rows) }
      if let found = counting.difference(from: &telling) {
        return "after row \(rows.upperBound): \(found)"
      }
      if random.chance(30), let found = counting.takeWakes() {
        return "after row \(rows.upperBound): \(found)"
      }
      // As a daemon may call, before the next input or after the last.
      guard random.chance(20) else { continue }
      let ahead = 1 + Int64(random.below(20_000_000_000))
      let next = rows.upperBound < events.count ? events[rows.upperBound].time.nanoseconds : .max
      let time = Timestamp(nanoseconds: min(telling.scheduler.present + ahead, next))
      guard time.nanoseconds > telling.scheduler.present else { continue }
      telling.advance(to: time)
      counting.advance(to: time)
      if let found = counting.difference(from: &telling) {
        return "after row \(rows.upperBound), at \(time): \(found)"
      }
    }
    let (summary, expected) = (counting.close(), telling.close())
    if let found = counting.takeWakes(all: true) ?? counting.keptDifference(from: telling) {
      return found
    }
    guard summary != expected else { return nil }
    let (one, other) = (JSONValue.summaryObject(summary), JSONValue.summaryObject(expected))
    return "summary \(one.text)\nis \(other.text) where wakes are told"
  }

  /// One of the two schedulers, and what it has told.
  @safe
  private struct Side: ~Copyable {
    var scheduler: SchedulerCore
    private var hasher = WakeHasher()
    /// The wakes that have begun since someone looked, as far as both tell them.
    private var begun: [Beginning] = []
    /// Those that have ended, in the order in which they were told or taken out of the history.
    private let ended = EndedWakes()
    /// The rows of the last call. Those of the next replace them, as a decoder's do, so that the scheduler must keep what it
    /// needs of them.
    private var batch = InputColumns()
    /// Nil where wakes are not kept.
    private var history: UnsafeMutablePointer<WakeHistory>?

    init(
      policy: Policy, symbols: Symbols, device: String, tellsAll: Bool,
      inBatches: Bool = false, mostKept: Int? = nil, accelerations: Accelerations
    ) {
      scheduler = SchedulerCore(
        policy: policy, symbols: symbols, device: device, accelerations: accelerations)
      scheduler.reportsEnds = tellsAll
      scheduler.tellsInBatches = inBatches
      guard let mostKept else { return }
      let history = UnsafeMutablePointer<WakeHistory>.allocate(capacity: 1)
      unsafe history.initialize(
        to: WakeHistory(most: mostKept) { [ended] in ended.take(from: &$0, endedBefore: $1) })
      unsafe scheduler.keepWakes(in: history)
      unsafe self.history = history
    }

    deinit {
      guard let history = unsafe history else { return }
      unsafe history.deinitialize(count: 1)
      unsafe history.deallocate()
    }

    mutating func feed(_ columns: borrowing InputColumns, _ rows: Range<Int>) {
      var (begun, ended): ([Beginning], [EndedWake]) = ([], [])
      batch.removeAll()
      batch.append(contentsOf: columns, rows: rows)
      scheduler.take(batch, rows: 0..<rows.count, &hasher) { phase, wakes in
        switch phase {
        case .began: Beginning.add(wakes, to: &begun)
        case .ended: wakes.forEachWake { ended.append(EndedWake($0)) }
        }
      }
      self.begun += begun
      self.ended.wakes += ended
    }

    mutating func advance(to time: Timestamp) {
      var (begun, ended): ([Beginning], [EndedWake]) = ([], [])
      scheduler.advance(to: time, &hasher) { phase, wakes in
        switch phase {
        case .began: Beginning.add(wakes, to: &begun)
        case .ended: wakes.forEachWake { ended.append(EndedWake($0)) }
        }
      }
      self.begun += begun
      self.ended.wakes += ended
    }

    /// Takes rows by their counts, if that is exact; says whether it did.
    mutating func takeQuietly(_ columns: borrowing InputColumns, _ rows: Range<Int>) -> Bool {
      let times = columns.times[rows]
      guard let first = times.first, let last = times.last,
        zip(times, times.dropFirst()).allSatisfy(<=),
        columns.kinds[rows].allSatisfy({ $0 <= InputKind.delete.rawValue })
      else { return false }
      let events = Dictionary(grouping: columns.types[rows], by: { $0 }).mapValues(\.count)
      return scheduler.takeQuietly(
        SampleCounts(
          times: first...last, events: rows.count,
          deletes: columns.kinds[rows].count { $0 == InputKind.delete.rawValue },
          types: events.map { (SampleType(index: $0.key), $0.value) }))
    }

    /// What is seen otherwise than in the one that tells all.
    mutating func difference(from other: inout Side) -> String? {
      defer {
        begun = []
        other.begun = []
      }
      if scheduler.present != other.scheduler.present { return "the present differs" }
      if let pair = zip(begun, other.begun).first(where: { $0 != $1 }) {
        return "\(pair.0) began instead of \(pair.1)"
      }
      if begun.count != other.begun.count {
        return "\(begun.count) wakes began instead of \(other.begun.count)"
      }
      if let pair = zip(standings(), other.standings()).first(where: { $0 != $1 }) {
        return "an app stands as \(pair.0) instead of \(pair.1)"
      }
      return scheduler.brokenInvariant()
    }

    private func standings() -> [AppStanding] {
      var standings: [AppStanding] = []
      scheduler.forEachApp { standings.append($0) }
      return standings
    }

    /// Ends the run.
    mutating func close() -> Summary {
      var ended: [EndedWake] = []
      var summary = scheduler.close(&hasher) { phase, wakes in
        if phase == .ended { wakes.forEachWake { ended.append(EndedWake($0)) } }
      }
      self.ended.wakes += ended
      summary.stoppedApps.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      summary.digest.value = hasher.takeDigest()
      return summary
    }

    /// Takes wakes that have ended out of the history, if there is one; says what was wrong with those taken so far.
    mutating func takeWakes(all: Bool = false) -> String? {
      guard let history = unsafe history else { return nil }
      unsafe ended.take(from: &history.pointee, endedBefore: all ? nil : scheduler.present)
      return ended.objection
    }

    /// How the wakes that were kept differ from those that another one has told.
    func keptDifference(from other: borrowing Side) -> String? {
      guard unsafe history != nil else { return nil }
      let (ended, told) = (ended.wakes, other.ended.wakes.sorted { $0.number < $1.number })
      if let pair = zip(ended, told).first(where: { $0 != $1 }) {
        return "\(pair.0) was kept instead of \(pair.1)"
      }
      return ended.count == told.count
        ? nil : "\(ended.count) wakes were kept instead of \(told.count)"
    }
  }

  /// Wakes that have ended.
  private final class EndedWakes {
    var wakes: [EndedWake] = []
    /// What was wrong with a history.
    private(set) var objection: String?

    /// Takes wakes out of a history that have ended before a time, or all.
    func take(from history: inout WakeHistory, endedBefore time: Int64?) {
      let count = time.map { history.countEnded(before: $0) } ?? history.places.count
      let countBefore = history.count
      var taken = WakeHistory()
      if wakes.count.isMultiple(of: 3) {
        history.takeFirst(count, into: &taken)
      } else {
        taken.append(0..<count, of: history)
        // Sometimes its memory is kept.
        history.removeFirst(count, keepingUpTo: wakes.count.isMultiple(of: 2) ? 64 : 0)
      }
      if history.count + taken.count != countBefore || taken.places.count != count {
        objection =
          objection ?? "of \(countBefore) wakes \(taken.count) are taken, \(history.count) left"
      }
      for place in taken.places {
        let entry = taken.entries[place]
        for part in 0..<Int(entry.count) { add(taken.wake(part, of: entry), part, entry, taken) }
      }
    }

    /// Adds a wake that was taken: a part of an entry.
    private func add(
      _ alone: WakeHistory.Entry, _ part: Int, _ entry: WakeHistory.Entry,
      _ taken: borrowing WakeHistory
    ) {
      guard let wake = EndedWake(alone, of: taken, number: wakes.count + 1) else {
        objection = objection ?? "wake \(wakes.count + 1) has not ended"
        return
      }
      if alone.number != wake.number {
        objection = objection ?? "\(wake) has the number \(alone.number)"
      }
      if part > 0, !taken.haveEndedApart(entry), wakes.last?.isLike(wake) != true {
        objection = objection ?? "\(wake) is not like the one before"
      }
      wakes.append(wake)
    }
  }

  /// What a wake log has of a wake.
  private struct EndedWake: Equatable {
    let number: Int
    var app: App
    let time: Int64
    let types: [SampleType]
    let saves: Int
    let oldest: Int64?
    let push: String?
    let refresh: Bool
    let outcome: WakeOutcome
    let end: Int64?

    init(_ wake: borrowing Wake) {
      (number, app, time) = (wake.number, wake.app, wake.time.nanoseconds)
      (types, saves, oldest) = (wake.types, wake.saves, wake.oldest?.nanoseconds)
      (push, refresh, outcome) = (wake.push, wake.refresh, wake.outcome)
      end = wake.end?.nanoseconds
    }

    /// Nil if the wake is not known to have ended.
    init?(_ entry: WakeHistory.Entry, of wakes: borrowing WakeHistory, number: Int) {
      guard let outcome = entry.outcome else { return nil }
      (self.number, app, time) = (number, entry.app, entry.time)
      types =
        entry.typeCount == 1
        ? [SampleType(index: entry.firstType)]
        : (0..<Int(entry.typeCount)).map { wakes.type($0, of: entry) }
      let never = WakeHistory.Entry.never
      (saves, oldest) = (entry.saves, entry.oldest == never ? nil : entry.oldest)
      (push, refresh, self.outcome) = (wakes.push(of: entry), entry.hasRefresh, outcome)
      end = entry.end == never ? nil : entry.end
    }

    /// Whether another wake differs in its app and number only.
    func isLike(_ other: Self) -> Bool {
      time == other.time && types == other.types && saves == other.saves && oldest == other.oldest
        && push == other.push && refresh == other.refresh && outcome == other.outcome
        && end == other.end
    }
  }

  /// What is told of a wake as it begins.
  private struct Beginning: Equatable {
    let number: Int
    let time: Int64
    let app: App
    let saves: Int
    let waited: Int64
    let cause: Int

    private init(_ figures: WakeFigures, _ app: App, _ number: Int) {
      self.number = number
      time = figures.time
      self.app = app
      saves = figures.saves
      waited = figures.waited
      cause = figures.cause
    }

    /// Adds the wakes that begin, one or a batch of them.
    static func add(_ wakes: borrowing WakeView, to begun: inout [Beginning]) {
      for place in unsafe wakes.batch.indices {
        let figures = unsafe wakes.batch[place]
        begun.append(Self(figures, figures.app, figures.number))
      }
      guard unsafe wakes.batch.isEmpty else { return }
      let figures = wakes.figures
      wakes.forEachApp { begun.append(Self(figures, $0, $1)) }
    }
  }
}
