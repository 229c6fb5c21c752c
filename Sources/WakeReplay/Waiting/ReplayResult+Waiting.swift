import WakeEvents
import WakeScheduling

extension ReplayResult {
  /// Why wakes came no sooner (page Rules, 9).
  ///
  /// Each wait counts once, when it is over for good: for the wake that carried it and did not give it back, or after
  /// the last input. So a wake that expires, and whose saves the next wake carries again, has no part in these figures.
  public struct Waiting: Codable, Hashable, Sendable {
    /// Times for one reason, in nanoseconds. A sum beyond `Int64` stays at its greatest value.
    public struct Sums: Codable, Hashable, Sendable {
      /// All the time in which the reason held. Several reasons hold at a time, so these overlap.
      public var any: Int64 = 0
      /// The time in which no other reason held.
      public var alone: Int64 = 0
      /// Whole waits, each given to the first reason, in the order of the page's table, of its last stretch. Over all
      /// reasons these add up to all waiting.
      public var last: Int64 = 0

      mutating func add(_ other: Sums) {
        any.addClamped(other.any)
        alone.addClamped(other.alone)
        last.addClamped(other.last)
      }
    }

    /// Waits that ended without a wake.
    public struct Dropped: Codable, Hashable, Sendable {
      /// How many.
      public var waits = 0
      /// Saves and deletes that waited.
      public var saves = 0
      /// Nanoseconds that all of them had waited together. A sum beyond `Int64` stays at its greatest value.
      public var waited: Int64 = 0

      mutating func add(_ other: Dropped) {
        waits += other.waits
        saves += other.saves
        waited.addClamped(other.waited)
      }
    }

    /// What waited, and why.
    public struct Part: Codable, Hashable, Sendable {
      /// The app's bundle identifier; nil for all together.
      public var app: String?
      /// `type`, `push` or `refresh`; nil for all together.
      public var item: String?
      /// The sample type, if `item` is `type`.
      public var type: String?
      /// Saves and deletes that waited.
      public var saves = 0
      /// Waits that a wake ended.
      public var wakes = 0
      /// Waits that the last input left.
      public var waitingAtEnd = 0
      /// Nanoseconds that the oldest save, the push or the refresh of each wait had waited.
      public var waited: Distribution
      /// By reason; a reason that never held is left out.
      public var reasons: [String: Sums] = [:]
      /// Waits that ended without a wake, which no other figure here counts, by what ended them: `deliveredLive` (at a
      /// launch), `disabled`, `discarded`, `superseded` or `notOverdue`. Nil if there are none.
      public var dropped: [String: Dropped]?
    }

    /// Everything together.
    public var all: Part
    /// By app and item, sorted by app, item and type.
    public var items: [Part]

    fileprivate static func sorted(_ parts: [Part]) -> [Part] {
      parts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    func isPlausible(upTo limit: Int) -> Bool {
      // Only one of each may be added up with those of other files.
      guard Set(items.map(\.key)).count == items.count else { return false }
      return ([all] + items).allSatisfy { part in
        [part.saves, part.wakes, part.waitingAtEnd].allSatisfy((0...limit).contains)
          && part.waited.isPlausible(upTo: limit)
          && part.reasons.values.allSatisfy { $0.any >= 0 && $0.alone >= 0 && $0.last >= 0 }
          && (part.dropped ?? [:]).values.allSatisfy {
            (0...limit).contains($0.waits) && (0...limit).contains($0.saves) && $0.waited >= 0
          }
      }
    }
  }
}

extension ReplayResult.Waiting {
  init(_ tally: WaitTally, _ symbols: Symbols) {
    var everything = WaitTally.Sums()
    var parts: [Part] = []
    tally.forEach { key, sums in
      everything.add(sums)
      var part = Part(sums)
      part.app = symbols.apps.name(of: key.app)
      part.item = key.kind.word
      if case .type(let type) = key.kind { part.type = symbols.types.name(of: type) }
      parts.append(part)
    }
    all = Part(everything)
    items = Self.sorted(parts)
  }
}

extension ReplayResult.Waiting.Part {
  init(_ sums: borrowing WaitTally.Sums) {
    saves = sums.saves
    wakes = sums.wakes
    waitingAtEnd = sums.waitingAtEnd
    waited = Distribution(sums.waited)
    for reason in WaitReason.allCases {
      let reasonSums = sums.reasons[Int(reason.rawValue)]
      if reasonSums.any > 0 { reasons[reason.word] = reasonSums }
    }
    for (ending, waits) in sums.dropped {
      dropped = dropped ?? [:]
      dropped?[ending.word] = waits
    }
  }

  /// What parts are grouped and sorted by.
  var key: [ExactName] { [app, item, type].map { ExactName($0 ?? "") } }
}

extension ReplayResult.Waiting {
  /// The waiting of results of different devices, added up.
  struct Summing {
    private let all = PartSum()
    private var items: [[ExactName]: PartSum] = [:]

    /// Adds plausible waiting; returns whether all counts are at most `limit`.
    mutating func add(_ waiting: ReplayResult.Waiting, upTo limit: Int) -> Bool {
      var fits = all.add(waiting.all) <= limit
      for item in waiting.items {
        let sum = items[item.key] ?? PartSum()
        items[item.key] = sum
        fits = sum.add(item) <= limit && fits
      }
      return fits
    }

    var waiting: ReplayResult.Waiting {
      ReplayResult.Waiting(
        all: all.sum, items: ReplayResult.Waiting.sorted(items.values.map(\.sum)))
    }
  }

  /// Parts with the same key, added up.
  fileprivate final class PartSum {
    private var part: Part?
    private var waited = DistributionSum()

    /// Adds a part; returns the greatest count.
    func add(_ other: Part) -> Int {
      waited.add(other.waited)
      guard var sum = part.take() else {
        part = other
        return 0
      }
      sum.saves += other.saves
      sum.wakes += other.wakes
      sum.waitingAtEnd += other.waitingAtEnd
      for (reason, sums) in other.reasons { sum.reasons[reason, default: .init()].add(sums) }
      for (ending, waits) in other.dropped ?? [:] {
        sum.dropped = sum.dropped ?? [:]
        sum.dropped?[ending, default: .init()].add(waits)
      }
      part = sum
      let dropped = sum.dropped?.values.map { max($0.waits, $0.saves) }.max() ?? 0
      return max(max(sum.saves, sum.wakes), max(sum.waitingAtEnd, waited.count), dropped)
    }

    var sum: Part {
      var sum = part ?? Part(waited: waited.distribution)
      sum.waited = waited.distribution
      return sum
    }
  }
}
