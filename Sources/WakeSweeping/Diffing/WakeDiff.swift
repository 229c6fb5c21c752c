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
    /// At the same time, with something that differs.
    package var changed: Int { otherItems + otherDetails }
    package var different: Int { changed + moved + missing + extra }
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
  package var differences: ShownDifferences
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
  ) -> (diff: WakeDiff, questions: RulesQuestions) {
    let (one, other) = (first.sorted(), second.sorted())
    let names = one.names.with { $0 }
    var diff = WakeDiff(
      labels: ("A", "B"), within: within,
      differences: ShownDifferences(one, other, names, within: within))
    var questions = RulesQuestions(one, other)
    var byApp: [Int: Counts] = [:]
    let known = Set(one.devices)
    for device in one.devices + other.devices.filter({ !known.contains($0) }) {
      let (before, after) = (one.wakes[device], other.wakes[device])
      guard before != nil || after != nil else { continue }
      diff.devices.first += before == nil ? 0 : 1
      diff.devices.second += after == nil ? 0 : 1
      diff.devices.firstOnly += after == nil ? 1 : 0
      diff.devices.secondOnly += before == nil ? 1 : 0
      let room = shown.map { $0 - diff.differences.count } ?? .max
      var found: [ShownDifferences.Record] = []
      let apps = Set((before ?? [:]).keys).union((after ?? [:]).keys)
      for app in apps.sorted(by: { names.apps.isBefore($0, $1) }) {
        let wakes = (before?[app] ?? [], after?[app] ?? [])
        let alignment = WakeAlignment(wakes.0, wakes.1, within: within, names.types)
        var counts = Counts()
        (counts.first, counts.second) = (wakes.0.count, wakes.1.count)
        var kept = 0
        alignment.forEachPair { pair in
          let (what, _) = alignment.difference(pair)
          counts.add(what, pair, alignment)
          guard what != nil else { return }
          var record = ShownDifferences.Record(device: device, app: app, pair)
          if asks, what == .moved || what == .extra, questions.append(record) {
            record.question = Int32(questions.count - 1)
          }
          guard kept < room else { return }
          kept += 1
          found.append(record)
        }
        byApp[app, default: Counts()].add(counts)
        diff.all.add(counts)
      }
      diff.differences.append(found, atMost: room)
    }
    diff.apps = byApp.map { (names.apps.names[$0.key], $0.value) }.sorted {
      $0.app.precedes($1.app)
    }
    return (diff, questions)
  }

  private init(
    labels: (first: String, second: String), within: Int64, differences: ShownDifferences
  ) {
    (self.labels, self.within, self.differences) = (labels, within, differences)
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
  fileprivate mutating func add(
    _ what: WakeDiff.Difference.What?, _ pair: WakeAlignment.Pair, _ alignment: WakeAlignment
  ) {
    switch what {
    case nil: same += 1
    case .otherItems: otherItems += 1
    case .otherDetails: otherDetails += 1
    case .missing: missing += 1
    case .extra: extra += 1
    case .moved:
      guard let one = pair.first, let other = pair.second else { return }
      let later = Int128(alignment.second[other].time) - Int128(alignment.first[one].time)
      if later > 0 { self.later += 1 } else { earlier += 1 }
      shift += later
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
