import Measurement
import WakeEvents
import WakeScheduling
import WakeTrace

/// How far the rows of a sweep are from the best (page Rules, 10).
///
/// What wakes could gain does not depend on the schedule, so one pass over the trace is enough for all rows under which
/// inputs forbid the same wakes.
final class SweepBound {
  /// The sums of one group of rows; its gains come from one thread.
  struct Sums {
    /// By row.
    var leastBehind: [Int: Int128] = [:]
    var gaps: Int128 = 0
    /// Gains in coarse buckets, by the least gain of each.
    var gains: [Int64: (count: Int, sum: Int128)] = [:]
  }

  private let setting: SweepRound.Setting
  private let boxes: [SweepRound.TallyBox?]
  private let threads: Int
  /// Rows by what the policy lets inputs forbid, with a policy for the pass.
  private var groups: [(rows: [Int], policy: Policy)] = []
  /// Apps that have the gains of another one, by that app.
  private var followers: [App: [App]] = [:]
  private var sums: [Sums] = []
  /// Nanoseconds of all threads.
  private(set) var time: UInt64 = 0

  init(
    _ setting: SweepRound.Setting, _ policies: [Policy], _ boxes: [SweepRound.TallyBox?],
    facts: InputFacts, threads: Int
  ) {
    self.setting = setting
    self.boxes = boxes
    self.threads = threads
    let hasLocks = facts.has(.lock) || facts.has(.reboot)
    var places: [[Bool]: Int] = [:]
    for row in boxes.indices where boxes[row] != nil {
      let policy = policies[row]
      let key = [
        hasLocks && policy.lockBlocksHealth,
        facts.has(.forceQuit) && policy.forceQuitBlocksHealth,
      ]
      if let place = places[key] {
        groups[place].rows.append(row)
      } else {
        places[key] = groups.count
        groups.append(([row], policy))
      }
    }
    for place in groups.indices {
      groups[place].policy = idle(groups[place].policy, mayMerge: !facts.namesApps)
    }
  }

  /// A policy with the same arrivals that wakes as little as can be.
  ///
  /// - Parameter mayMerge: Whether one app may stand for all that subscribe to the same types, as no input names an app.
  private func idle(_ policy: Policy, mayMerge: Bool) -> Policy {
    var idle = policy
    idle.caps = [:]
    idle.defaultCap = .weekly
    idle.budget = .init(window: 0, limit: 0, limitWithoutComplication: 0)
    guard mayMerge else { return idle }
    var types: [String: Set<ExactName>] = [:]
    for subscription in policy.subscriptions {
      types[subscription.app, default: []].insert(ExactName(subscription.type))
    }
    var leaders: [Set<ExactName>: App] = [:]
    var leading: Set<String> = []
    followers = [:]
    for subscription in policy.subscriptions where !leading.contains(subscription.app) {
      guard let set = types.removeValue(forKey: subscription.app) else { continue }
      let app = setting.symbols.apps.intern(subscription.app)
      if let leader = leaders[set] {
        followers[leader, default: []].append(app)
      } else {
        leaders[set] = app
        leading.insert(subscription.app)
      }
    }
    idle.subscriptions.removeAll { !leading.contains($0.app) }
    return idle
  }

  /// Replays the trace for its gains.
  func run() throws(TraceError) {
    guard !groups.isEmpty else { return }
    let boxes = groups.map { _ in SumsBox() }
    let (groups, tallies, followers) = (groups, self.boxes, followers)
    let round = SweepRound(
      setting, groups.map(\.policy), threads: threads,
      gainSink: { group, place, gains in
        for gains in gains {
          let apps = [gains.app] + (followers[gains.app] ?? [])
          boxes[group].sums.add(gains, of: apps, rows: groups[group].rows, place: place) {
            tallies[$0]
          }
        }
      })
    let outcome = try round.run()
    sums = boxes.map(\.sums)
    time = outcome.decodeTime + outcome.scheduleTime
  }

  /// Sums that one thread at a time changes.
  private final class SumsBox: @unchecked Sendable {
    var sums = Sums()
  }

  /// Nanoseconds for a row that was replayed.
  func leastBehind(_ row: Int) -> Int128 {
    sums.lazy.compactMap { $0.leastBehind[row] }.first ?? 0
  }

  /// The curve of the first group.
  var curve: [SweepResult.CurvePoint] {
    guard let sums = sums.first else { return [] }
    var (wakes, rest) = (0, sums.gaps)
    var points = [SweepResult.CurvePoint(wakes: 0, leastBehind: rest)]
    for (_, cell) in sums.gains.sorted(by: { $0.key > $1.key }) {
      wakes += cell.count
      rest -= cell.sum
      points.append(.init(wakes: wakes, leastBehind: rest))
    }
    return points
  }
}

extension SweepBound.Sums {
  mutating func add(
    _ gains: AppGains, of apps: [App], rows: [Int], place: Int,
    _ box: (Int) -> SweepRound.TallyBox?
  ) {
    for row in rows {
      let carried = box(row)?.tally.carried[place] ?? []
      // Apps alike mostly have as many wakes.
      var known: (wakes: Int, behind: Int64)?
      for app in apps {
        let index = Int(app.index)
        let wakes = index < carried.count ? Int(carried[index]) : 0
        let behind =
          known?.wakes == wakes ? known?.behind ?? 0 : gains.leastBehind(wakes: wakes)
        known = (wakes, behind)
        leastBehind[row, default: 0] += Int128(behind)
      }
    }
    gaps += Int128(gains.gaps) * Int128(apps.count)
    var coarse = GainBuckets(from: GainCounter.everything.lowerBound, bits: 5)
    for cell in gains.cells { coarse.add(cell) }
    for cell in coarse.cells {
      let sum = Int128(cell.sum) * Int128(apps.count)
      let known = self.gains[cell.values.lowerBound] ?? (0, 0)
      self.gains[cell.values.lowerBound] = (known.count + cell.count * apps.count, known.sum + sum)
    }
  }
}
