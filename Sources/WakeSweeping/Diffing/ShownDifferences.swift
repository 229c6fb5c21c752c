import WakeEvents
import WakeScheduling

/// The differences that a diff shows: what they say is made when it is asked for, as there may be millions.
package struct ShownDifferences: RandomAccessCollection, Sendable {
  /// Where the wakes of a difference are: 20 bytes.
  struct Record: Sendable {
    var device: Int32
    var app: Int32
    /// The indices of the wakes; -1 where a side has none.
    var first: Int32
    var second: Int32
    /// Its index among the questions for reasons; -1 is none.
    var question: Int32 = -1

    init(device: Int, app: Int, _ pair: WakeAlignment.Pair) {
      (self.device, self.app) = (Int32(device), Int32(app))
      (first, second) = (Int32(pair.first ?? -1), Int32(pair.second ?? -1))
    }
  }

  private let sides: DiffSides
  private let names: DiffNames.State
  private let within: Int64
  private var records: [Record] = []
  /// By question.
  var answers: [WaitReasons] = []

  init(_ one: DiffSide, _ other: DiffSide, _ names: DiffNames.State, within: Int64) {
    (sides, self.names, self.within) = (DiffSides(one, other), names, within)
  }

  /// Adds the first differences of a device, by time.
  mutating func append(_ found: [Record], atMost room: Int) {
    let order = found.enumerated().map { (time: sides.time(of: $0.element), place: $0.offset) }
      .sorted { ($0.time, $0.place) < ($1.time, $1.place) }
    records += order.prefix(Swift.max(0, room)).map { found[$0.place] }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { records.count }

  package subscript(place: Int) -> WakeDiff.Difference {
    let record = records[place]
    let (one, other) = sides.wakes(of: record)
    let (what, fields) = WakeAlignment.difference(one, other, within: within)
    return WakeDiff.Difference(
      device: names.devices.names[Int(record.device)], app: names.apps.names[Int(record.app)],
      what: what ?? .otherDetails, fields: fields.words,
      first: one.map { WakeDiff.Side($0, names.types) },
      second: other.map { WakeDiff.Side($0, names.types) },
      reasons: answers.isEmpty || record.question < 0
        ? nil : Array(answers[Int(record.question)]))
  }
}

/// Both sides of a diff, sorted.
struct DiffSides: Sendable {
  private let first: [Int: [Int: [DiffWake]]]
  private let second: [Int: [Int: [DiffWake]]]

  init(_ one: DiffSide, _ other: DiffSide) { (first, second) = (one.wakes, other.wakes) }

  func wakes(of record: ShownDifferences.Record) -> (first: DiffWake?, second: DiffWake?) {
    let (device, app) = (Int(record.device), Int(record.app))
    return (
      record.first < 0 ? nil : first[device]?[app]?[Int(record.first)],
      record.second < 0 ? nil : second[device]?[app]?[Int(record.second)]
    )
  }

  /// The time of the earlier wake.
  func time(of record: ShownDifferences.Record) -> Int64 {
    let (one, other) = wakes(of: record)
    return min(one?.time ?? .max, other?.time ?? .max)
  }
}

extension WakeAlignment {
  /// What differs; nil if nothing does.
  func difference(_ pair: Pair) -> (what: WakeDiff.Difference.What?, fields: DiffWake.Fields) {
    Self.difference(pair.first.map { first[$0] }, pair.second.map { second[$0] }, within: within)
  }

  static func difference(
    _ one: DiffWake?, _ other: DiffWake?, within: Int64
  ) -> (what: WakeDiff.Difference.What?, fields: DiffWake.Fields) {
    guard let one else { return (.extra, []) }
    guard let other else { return (.missing, []) }
    let fields = one.differences(from: other, within: within)
    if abs(one.time - other.time) > within { return (.moved, fields) }
    if fields.isEmpty { return (nil, fields) }
    return (fields.isDisjoint(with: .items) ? .otherDetails : .otherItems, fields)
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
