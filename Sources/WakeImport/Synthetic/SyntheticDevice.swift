import WakeEvents

/// Generates the inputs of one device of a ``SyntheticWorkload``, in order.
///
/// Samples follow each other until another event, a *happening*, is due; that is checked once a sample's time has
/// passed it.
struct SyntheticDevice: ~Copyable {
  let workload: SyntheticWorkload
  let names: SyntheticNames
  let popularity: Popularity
  var random: SeededRandom

  private var remaining: Int
  /// The present, before ``SyntheticWorkload/resolution`` is applied; monotonic.
  var clock: Int64
  private var latest = Int64.min
  /// Late samples drawn and not yet written.
  private var lateOwed = 0
  var due = DueTimes()
  /// Inputs that come next, at the present.
  var upcoming: ArraySlice<Input> = []
  var sync = SyntheticSync()
  var apps: SyntheticApps
  var isLocked = false

  private let saveGap: MeanGap
  private let lateShare: UInt64
  private let deleteShare: UInt64
  private let hasDetails: Bool
  private let hasApps: Bool

  init(
    number: Int, workload: SyntheticWorkload, names: SyntheticNames, popularity: Popularity,
    symbols: Symbols
  ) {
    self.workload = workload
    self.names = names
    self.popularity = popularity
    random = SeededRandom(seed: workload.seed, number: number)
    let (share, rest) = workload.events.quotientAndRemainder(dividingBy: workload.devices)
    remaining = share + (number < rest ? 1 : 0)
    clock = workload.start.nanoseconds
    let synced = workload.syncEvery > 0 ? workload.syncedPerThousand : 0
    // Synced and late samples have no gap before them.
    saveGap = MeanGap(
      workload.meanGap * 1_000 / Int64(1_000 - synced) * 1_000
        / Int64(1_000 - workload.latePerThousand))
    lateShare = UInt64(workload.latePerThousand) << 16 / 1_000
    deleteShare = UInt64(workload.deletesPerThousand) << 16 / 1_000
    hasDetails = workload.hasValues || workload.hasMeasuredTimes
    hasApps = workload.apps > 0
    apps = SyntheticApps(workload, names, popularity, symbols: symbols, &random)
    upcoming += apps.begin(popularity, &random)
    scheduleFirst()
  }

  /// Appends inputs until `columns` has `count` or none remain.
  mutating func fill(_ columns: inout InputColumns, upTo count: Int) {
    let limit = min(count, columns.count + remaining)
    let before = columns.count
    while columns.count < limit {
      if let input = upcoming.popFirst() {
        add(input, to: &columns)
      } else if sync.left > 0 {
        addSynced(&columns, upTo: limit)
      } else {
        addLive(&columns, upTo: limit)
      }
    }
    remaining -= columns.count - before
  }

  /// Appends live samples until a happening is due.
  private mutating func addLive(_ columns: inout InputColumns, upTo limit: Int) {
    let next = due.next
    while columns.count < limit {
      if !isLateNext {
        let time = clock + random.gap(saveGap)
        guard time < next else {
          // A sync may have delayed it.
          clock = max(clock, next)
          happen()
          return
        }
        clock = time
      }
      let dice = random.next()
      let rank = popularity.types.pick(&random)
      let source =
        dice & 0xFFFF < 57_344
        ? popularity.homes[rank] : UInt32(popularity.sources.pick(&random))
      addSample(rank, source: Int(source), dice: dice >> 16, measured: nil, to: &columns)
      // A happening may be due earlier now.
      if hasApps, tellApps(ofLastRow: columns) { return }
    }
  }

  /// Whether the next sample is late.
  ///
  /// It follows an input at the present, where late inputs take place (rule 4.1), so that it has the same effective
  /// time here and in a replay.
  private var isLateNext: Bool { lateOwed > 0 && rounded(clock) == latest }

  /// Appends samples of the running sync.
  private mutating func addSynced(_ columns: inout InputColumns, upTo limit: Int) {
    while sync.left > 0, columns.count < limit {
      let dice = random.next()
      // Runs of one type, four samples on average.
      if dice & 3 == 0 || sync.rank < 0 { sync.rank = popularity.types.pick(&random) }
      addSample(
        sync.rank, source: sync.source, dice: dice >> 16, measured: sync.measured(dice),
        to: &columns)
      sync.left -= 1
      clock += workload.syncSpacing
      if hasApps { _ = tellApps(ofLastRow: columns) }
    }
  }

  /// Appends a save or delete. `dice` are random bits, of which the lowest 48 are used.
  @inline(__always)
  private mutating func addSample(
    _ rank: Int, source: Int, dice: UInt64, measured: Range<Int64>?,
    to columns: inout InputColumns
  ) {
    var time = rounded(clock)
    if isLateNext {
      lateOwed -= 1
      time = latest - rounded(random.gap(mean: 60_000_000_000)) - workload.resolution
    } else {
      latest = max(latest, time)
    }
    if dice & 0xFFFF < lateShare { lateOwed += 1 }
    let isDelete = (dice >> 16) & 0xFFFF < deleteShare
    if hasDetails, !isDelete {
      var sample = Sample(type: names.types[rank], source: names.sources[source])
      if workload.hasValues { sample.value = Self.value(rank, dice >> 32) }
      if workload.hasMeasuredTimes, let measured {
        sample.start = Timestamp(nanoseconds: rounded(measured.lowerBound))
        sample.end = Timestamp(nanoseconds: rounded(measured.upperBound))
      }
      columns.append(.save(sample), at: Timestamp(nanoseconds: time))
    } else {
      columns.times.append(time)
      columns.kinds.append((isDelete ? InputKind.delete : .save).rawValue)
      columns.types.append(names.types[rank].index)
      columns.sources.append(names.sources[source].index)
    }
  }

  private mutating func add(_ input: Input, to columns: inout InputColumns) {
    let time = rounded(clock)
    latest = max(latest, time)
    columns.append(input, at: Timestamp(nanoseconds: time))
    if hasApps { _ = tellApps(ofLastRow: columns) }
  }

  /// Passes the last row to the apps; returns whether the next happening may have changed.
  private mutating func tellApps(ofLastRow columns: borrowing InputColumns) -> Bool {
    let row = columns.count - 1
    guard apps.take(columns[row], at: columns.times[row], &random) else { return false }
    scheduleApps()
    return true
  }

  @inline(__always)
  func rounded(_ time: Int64) -> Int64 {
    time - time % workload.resolution
  }

  /// A value with no, one or two decimals, by type.
  private static func value(_ rank: Int, _ dice: UInt64) -> Double {
    let whole = 40 + rank &* 7 % 400
    let noise = Int(dice & 63)
    switch rank % 3 {
    case 0: return Double(whole + noise)
    case 1: return Double(whole * 10 + noise) / 10
    default: return Double(whole * 100 + noise) / 100
    }
  }
}

/// The frequencies of types and sources, the same for all devices.
struct Popularity: Sendable {
  let types: WeightedChoice
  let sources: WeightedChoice
  /// The source that saves most samples of each type.
  let homes: [UInt32]

  init(_ workload: SyntheticWorkload) {
    types = WeightedChoice(zipf: workload.types)
    sources = WeightedChoice(zipf: workload.sources)
    var random = SeededRandom(seed: workload.seed, number: -1)
    var homes: [UInt32] = []
    for _ in 0..<workload.types { homes.append(UInt32(sources.pick(&random))) }
    self.homes = homes
  }
}

/// The state of a wearable's sync.
struct SyntheticSync {
  var left = 0
  /// The index of the present type; negative for none.
  var rank = -1
  /// The index of the wearable among the sources.
  var source = 0
  var began: Int64 = 0
  /// From one measured sample to the next.
  var step: Int64 = 0
  /// Nanoseconds × share that no sync has brought yet.
  var owed: Int64 = 0
  var last: Int64 = 0
  /// When the present one was planned.
  var planned: Int64 = 0

  /// The measuring time of the next sample: spread over the time since the last sync, at most a minute long.
  func measured(_ dice: UInt64) -> Range<Int64> {
    let start = began - step * Int64(left)
    let length: Int64 =
      switch (dice >> 2) & 3 {
      case 0, 1: 0
      case 2: 5_000_000_000
      default: 60_000_000_000
      }
    return start..<min(began, start + length)
  }
}
