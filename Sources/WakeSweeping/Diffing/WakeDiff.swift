package import WakeEvents
package import WakeScheduling

/// How two lists of wakes differ: two wake logs, or the rules and what a real system did.
package struct WakeDiff {
  /// What became of the wakes of an app, or of all.
  package struct Counts: Hashable, Sendable {
    package var first = 0
    package var second = 0
    package var same = 0
    /// At the same time, with other types, another push or refresh.
    package var otherItems = 0
    /// At the same time with the same items, with other saves or another end.
    package var otherDetails = 0
    package var earlier = 0
    package var later = 0
    package var missing = 0
    package var extra = 0
    /// Nanoseconds by which wakes moved, later ones above 0, added up.
    package var shift: Int128 = 0

    package var moved: Int { earlier + later }
    package var different: Int { otherItems + otherDetails + moved + missing + extra }
  }

  /// A wake of one side, as far as a difference shows it.
  package struct Side: Sendable {
    package var time: Timestamp
    package var types: [String]
    package var saves: Int?
    package var refresh: Bool?
    package var outcome: WakeOutcome?
    package var end: Timestamp?
  }

  /// A single difference.
  package struct Difference: Sendable {
    package enum What: String, Sendable {
      case otherItems, otherDetails, moved, missing, extra
    }

    package var device: String
    package var app: String
    package var what: What
    /// The keys of the wake log that differ beside the time.
    package var fields: [String]
    package var first: Side?
    package var second: Side?
    /// What held the later wake back under the rules at the time of the earlier; nil if that is not known. Empty if nothing
    /// waited then.
    package var reasons: [WaitReason]?
    /// Its index among the questions for reasons.
    var question: Int?
  }

  /// What the sides are, in a word each.
  package var labels: (first: String, second: String)
  /// The tolerance of times in nanoseconds.
  package var within: Int64
  package var all = Counts()
  /// By app, sorted by name.
  package var apps: [(app: String, counts: Counts)] = []
  /// Devices with wakes on each side, and on one alone.
  package var devices = (first: 0, second: 0, firstOnly: 0, secondOnly: 0)
  /// The first differences, by device and time.
  package var differences: [Difference] = []
  /// Of the wakes that came too early for the rules, how many each reason held back; nil if the rules were not asked.
  package var reasons: [(reason: WaitReason, wakes: Int)]?
  /// Those for which nothing waited under the rules.
  package var unwaited = 0
  /// Devices of the trace that were not watched, and left out.
  package var unwatchedDevices = 0

  /// Whether there is no difference.
  package var isSame: Bool { all.different == 0 }

  /// Compares.
  ///
  /// - Parameters:
  ///   - shown: How many ``differences`` to keep; nil keeps all.
  ///   - asks: Whether to note what to ask the rules about.
  /// - Returns: The diff, and what to ask.
  static func compare(
    _ first: DiffSide, _ second: DiffSide, within: Int64, shown: Int?, asks: Bool
  ) -> (diff: WakeDiff, questions: [RulesQuestion]) {
    let (one, other) = (first.sorted(), second.sorted())
    let names = one.names.with { $0 }
    var diff = WakeDiff(labels: ("A", "B"), within: within)
    var questions: [RulesQuestion] = []
    var byApp: [Int: Counts] = [:]
    for device in one.devices + other.devices.filter({ one.wakes[$0] == nil }) {
      let (before, after) = (one.wakes[device], other.wakes[device])
      diff.devices.first += before == nil ? 0 : 1
      diff.devices.second += after == nil ? 0 : 1
      diff.devices.firstOnly += after == nil ? 1 : 0
      diff.devices.secondOnly += before == nil ? 1 : 0
      var found: [(time: Int64, difference: Difference)] = []
      for app in Set((before ?? [:]).keys).union((after ?? [:]).keys).sorted() {
        let wakes = (before?[app] ?? [], after?[app] ?? [])
        let alignment = DiffAlignment(wakes.0, wakes.1, within: within, names.types)
        var counts = Counts()
        (counts.first, counts.second) = (wakes.0.count, wakes.1.count)
        counts.same = alignment.same
        let keeps = shown.map { diff.differences.count < $0 } ?? true
        for difference in alignment.differences {
          counts.add(difference)
          var question: Int?
          if asks, let asked = RulesQuestion(difference, device: device, app: app) {
            question = questions.count
            questions.append(asked)
          }
          guard keeps else { continue }
          var described = difference.described(names.types)
          described.device = names.devices.names[device]
          described.app = names.apps.names[app]
          described.question = question
          found.append((difference.time, described))
        }
        byApp[app, default: Counts()].add(counts)
        diff.all.add(counts)
      }
      guard !found.isEmpty else { continue }
      let order = found.indices.sorted { (found[$0].time, $0) < (found[$1].time, $1) }
      let room = shown.map { $0 - diff.differences.count } ?? order.count
      diff.differences += order.prefix(max(0, room)).map { found[$0].difference }
    }
    diff.apps = byApp.map { (names.apps.names[$0.key], $0.value) }.sorted {
      $0.app.utf8.lexicographicallyPrecedes($1.app.utf8)
    }
    return (diff, questions)
  }

  private init(labels: (first: String, second: String), within: Int64) {
    self.labels = labels
    self.within = within
  }

  /// Compares two wake logs.
  package init(
    _ one: DiffSide, _ other: DiffSide, within: Int64, shown: Int?
  ) {
    self = Self.compare(one, other, within: within, shown: shown, asks: false).diff
  }

  /// Two empty sides for the same selection of wakes.
  package static func sides(_ selection: DiffSide.Selection) -> (DiffSide, DiffSide) {
    let names = DiffNames()
    return (DiffSide(names, selection), DiffSide(names, selection))
  }
}

extension WakeDiff.Counts {
  fileprivate mutating func add(_ difference: DiffAlignment.Difference) {
    switch difference {
    case .changed(_, _, let fields):
      if fields.isDisjoint(with: .items) { otherDetails += 1 } else { otherItems += 1 }
    case .moved(let one, let other, _):
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
    otherItems += other.otherItems
    otherDetails += other.otherDetails
    earlier += other.earlier
    later += other.later
    missing += other.missing
    extra += other.extra
    shift += other.shift
  }
}

extension DiffAlignment.Difference {
  fileprivate func described(_ sets: TypeSets) -> WakeDiff.Difference {
    func of(
      _ what: WakeDiff.Difference.What, _ one: DiffWake?, _ other: DiffWake?,
      _ fields: DiffWake.Fields = []
    ) -> WakeDiff.Difference {
      WakeDiff.Difference(
        device: "", app: "", what: what, fields: fields.words,
        first: one.map { WakeDiff.Side($0, sets) }, second: other.map { WakeDiff.Side($0, sets) })
    }
    return switch self {
    case .changed(let one, let other, let fields):
      of(fields.isDisjoint(with: .items) ? .otherDetails : .otherItems, one, other, fields)
    case .moved(let one, let other, let fields): of(.moved, one, other, fields)
    case .missing(let wake): of(.missing, wake, nil)
    case .extra(let wake): of(.extra, nil, wake)
    }
  }
}

extension WakeDiff.Side {
  fileprivate init(_ wake: DiffWake, _ sets: TypeSets) {
    time = Timestamp(nanoseconds: wake.time)
    types = sets.sets[Int(wake.types)].names
    saves = wake.saves < 0 ? nil : Int(wake.saves)
    refresh = wake.refresh < 0 ? nil : wake.refresh == 1
    outcome = WakeOutcome(rawValue: wake.outcome)
    end =
      wake.end == DiffWake.unknown || wake.end == DiffWake.none
      ? nil : Timestamp(nanoseconds: wake.end)
  }
}
