public import WakeEvents
public import WakeScheduling

// How far the wakes are from the best (rules, 10), found by trying wakes at all instants that could matter: dynamic
// programs, which know nothing of gains.

extension ReferenceScheduler {
  /// The figures of each app with an arrival or a wake with a type.
  public func bounds(deadlines: [Int64]) -> [BoundsFigures] {
    owedApps.map { number, debts, wakeCount in
      let episodes = episodes(of: number)
      // By the number of wakes.
      let least = episodes.reduce([0]) { combined($0, $1.leastBehind()) }
      let behind = length(ofUnion: debts)
      return BoundsFigures(
        app: apps[number].app, wakes: wakeCount, behind: behind,
        leastBehind: least[min(wakeCount, least.count - 1)],
        fewestWakes: least.firstIndex { $0 <= behind } ?? -1,
        within: deadlines.map { deadline in
          episodes.reduce(0) { $0 + $1.fewestWakes(within: deadline) }
        })
    }
  }

  /// The longest for which anything was owed to each of these apps.
  public func longestOwed() -> [(app: App, longest: Int64)] {
    owedApps.map { number, debts, _ in
      (apps[number].app, debts.map { $0.until - $0.since }.max() ?? 0)
    }
  }

  /// The figures of all devices.
  public static func bounds(
    events: [Event], policy: Policy, symbols: Symbols
  ) -> [(device: Device, figures: BoundsFigures)] {
    SchedulerRun.byDevice(events).flatMap { device, events in
      var scheduler = ReferenceScheduler(policy: policy, symbols: symbols, device: device)
      for event in events { scheduler.take(event.input, at: event.time) }
      return scheduler.bounds(deadlines: BoundsFigures.deadlines).map { (device, $0) }
    }
  }

  private typealias Owed = (since: Int64, until: Int64)

  /// What was owed to each app with an arrival or a wake with a type, and the number of these wakes.
  private var owedApps: [(number: Int, debts: [Owed], wakes: Int)] {
    apps.indices.compactMap { number in
      let debts = owing.debts.filter { $0.number == number }
        .map { (since: $0.since, until: $0.until ?? present) }
      let app = apps[number].app
      let wakes = wakes.count { $0.app == app && !$0.types.isEmpty }
      return debts.isEmpty && wakes == 0 ? nil : (number, debts, wakes)
    }
  }

  /// The least sums for each number of wakes that are divided between two episodes.
  private func combined(_ one: [Int64], _ other: [Int64]) -> [Int64] {
    (0..<one.count + other.count - 1).map { wakes in
      (0...wakes).filter { one.indices.contains($0) && other.indices.contains(wakes - $0) }
        .map { one[$0] + other[wakes - $0] }.min() ?? 0
    }
  }

  private func length(ofUnion debts: [Owed]) -> Int64 {
    var (length, end) = (Int64(0), Int64.min)
    for debt in debts.sorted(by: { $0.since < $1.since }) where debt.until > end {
      length += debt.until - max(debt.since, end)
      end = debt.until
    }
    return length
  }

  private func episodes(of number: Int) -> [Episode] {
    let forbidden = forbidden(number)
    var episodes: [Episode] = []
    var arrivals: [Int64] = []
    for mark in (owing.marks[number] ?? []) + [.end(present)] {
      switch mark {
      case .arrival(let time): arrivals.append(time)
      case .end(let time):
        if !arrivals.isEmpty {
          episodes.append(Episode(arrivals: arrivals, end: time, forbidden: forbidden))
        }
        arrivals = []
      }
    }
    return episodes
  }

  /// The times strictly within which inputs forbid wakes (rule 10.3).
  private func forbidden(_ number: Int) -> [(start: Int64, end: Int64)] {
    var times: [(start: Int64, end: Int64)] = []
    var start: Int64?
    for state in owing.states {
      let isForbidden =
        state.isLocked && policy.lockBlocksHealth
        || state.forceQuit.contains(number) && policy.forceQuitBlocksHealth
      if let began = start, !isForbidden {
        times.append((began, state.time))
        start = nil
      } else if start == nil, isForbidden {
        start = state.time
      }
    }
    if let start { times.append((start, .max)) }
    return times
  }
}

/// An episode of arrivals (rule 10.2).
private struct Episode {
  let arrivals: [Int64]
  let end: Int64
  let forbidden: [(start: Int64, end: Int64)]

  /// The forbidden time strictly within which an instant is.
  private func around(_ time: Int64) -> (start: Int64, end: Int64)? {
    forbidden.first { $0.start < time && time < $0.end }
  }

  /// The first allowed instant from a time on; the greatest number if there is none.
  private func firstAllowed(_ time: Int64) -> Int64 { around(time)?.end ?? time }

  /// The least time behind with 0, 1, 2 … wakes, until more change nothing.
  ///
  /// - Complexity: O(wakes × instants²).
  func leastBehind() -> [Int64] {
    // Between two of these instants, an earlier wake is no worse: it carries the same.
    let instants = Set(arrivals + forbidden.flatMap { [$0.start, $0.end] })
      .filter { arrivals[0] <= $0 && $0 < end && around($0) == nil }.sorted()
    // What arrives first after each instant; the end, if nothing does.
    let next = instants.map { instant in arrivals.first { $0 > instant } ?? end }
    // By the instant of the last wake: the least time behind before it.
    var best = instants.map { $0 - arrivals[0] }
    var least = [end - arrivals[0]]
    while let with = instants.indices.map({ best[$0] + end - next[$0] }).min(),
      with < least[least.count - 1]
    {
      least.append(with)
      var better = best
      for last in instants.indices {
        // The wake before it.
        for before in 0..<last {
          let behind = instants[last] > next[before] ? instants[last] - next[before] : 0
          if best[before] + behind < better[last] { better[last] = best[before] + behind }
        }
      }
      best = better
    }
    return least
  }

  /// The fewest instants such that each arrival has one from it up to its deadline (rule 10.5).
  func fewestWakes(within deadline: Int64) -> Int {
    let spans = arrivals.map { (from: $0, to: max($0 + deadline, firstAllowed($0))) }
      .filter { $0.to < end }
    guard !spans.isEmpty else { return 0 }
    let instants = Set(spans.map { around($0.to)?.start ?? $0.to }).sorted()
    // The earliest deadline of what arrives after each instant.
    let due = instants.map { instant in spans.filter { $0.from > instant }.map(\.to).min() ?? .max }
    let firstDue = spans.map(\.to).min() ?? .max
    // By the instant of the last wake: the fewest wakes that meet all deadlines before it.
    var fewest: [Int?] = []
    for (last, instant) in instants.enumerated() {
      var wakes: Int? = firstDue < instant ? nil : 1
      for before in 0..<last where due[before] >= instant {
        if let earlier = fewest[before] { wakes = min(wakes ?? .max, earlier + 1) }
      }
      fewest.append(wakes)
    }
    return zip(due, fewest).compactMap { due, wakes in due == .max ? wakes : nil }.min() ?? -1
  }
}
