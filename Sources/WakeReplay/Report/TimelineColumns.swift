import WakeEvents
import WakeScheduling

/// What the timeline of a report shows of one device, in the order of time.
struct TimelineColumns {
  /// A number that changes at times.
  struct Changes {
    private(set) var times: [Int64] = []
    private(set) var values: [Int64] = []

    /// Notes a value if it is another one.
    mutating func set(_ value: Int64, at time: Int64) {
      guard value != values.last else { return }
      // The end of a wake tells of its beginning.
      append(value, at: max(time, times.last ?? time))
    }

    mutating func append(_ value: Int64, at time: Int64) {
      times.append(time)
      values.append(value)
    }
  }

  /// Times at which saves and deletes arrive, and how many. Beyond a number of times neighbours are joined.
  struct Arrivals {
    private(set) var times: [Int64] = []
    private(set) var counts: [Int] = []
    /// Arrivals within so many nanoseconds count at the first of them.
    private(set) var grain: Int64 = 0

    static let mostTimes = 1 << 18

    mutating func append(_ time: Int64) {
      if let last = times.last, time - last <= grain {
        counts[counts.count - 1] += 1
        return
      }
      times.append(time)
      counts.append(1)
      if times.count > Self.mostTimes { coarsen() }
    }

    private mutating func coarsen() {
      grain = max(1_000_000_000, 4 * grain)
      var kept = 0
      for place in times.indices.dropFirst() {
        if times[place] - times[kept] <= grain {
          counts[kept] += counts[place]
        } else {
          kept += 1
          (times[kept], counts[kept]) = (times[place], counts[place])
        }
      }
      times.removeSubrange((kept + 1)...)
      counts.removeSubrange((kept + 1)...)
    }
  }

  /// The wakes of an app.
  struct Wakes {
    var numbers: [Int] = []
    var times: [Int64] = []
    /// Nil for a wake that is open.
    var ends: [Int64?] = []
    var outcomes: [WakeOutcome] = []
    /// What completed a wake in place of an answer, if anything did.
    var cuts: [Wait.Ending?] = []
    var saves: [Int] = []
  }

  /// What waited on an app: a sample type, its pushes or its refreshes. A row for each wake that carries it.
  struct Track {
    /// A line of the wait log without what the row before it has.
    struct Row {
      /// Nil for what waits after the last input.
      var wake: Int?
      var since: Int64
      var until: Int64
      var saves: Int
      /// How many of ``stretches`` are its own.
      var stretches: Int
      /// Whether what the wake before carried came back, so that its stretches come before these.
      var continues: Bool
      /// Whether the wake carried it for good (page Rules, 6.5).
      var isOver = false
      /// Whether the type was disabled before an answer.
      var isDisabled = false
    }

    /// What waited and was then delivered live, or disabled. The wait log has no line of it (page Rules, 9.1).
    struct Gone {
      var since: Int64
      var until: Int64
    }

    let item: Wait.Item
    var gone: [Gone] = []
    private(set) var rows: [Row] = []
    private(set) var stretches: [Wait.Stretch] = []
    /// The ids of pushes, by row.
    private(set) var names: [String] = []
    /// All stretches of the last row.
    private var last: [Wait.Stretch] = []
    /// Whether what came back from the last row's wake waits no more.
    private var isBroken = false

    init(_ item: Wait.Item) {
      self.item = item
    }

    mutating func append(_ wait: borrowing Wait) {
      let all = wait.stretches
      var (own, continues) = (all[...], false)
      if let row = rows.last, !row.isOver, !isBroken, row.since == wait.since,
        let rest = Self.rest(of: all, behind: last)
      {
        (own, continues) = (rest, true)
      }
      rows.append(
        Row(
          wake: wait.wake, since: wait.since, until: wait.until, saves: wait.saves,
          stretches: own.count, continues: continues, isOver: wait.wake == nil))
      stretches += own
      if case .push(let id) = wait.item { names.append(id) }
      last = all
      isBroken = false
    }

    /// Notes that something has waited for good: what the last row's wake carried, or what came back from it.
    mutating func close(_ wait: borrowing Wait) {
      guard let row = rows.indices.last else { return }
      if wait.wake == nil {
        // What comes now is another wait.
        isBroken = true
      } else if rows[row].wake == wait.wake {
        rows[row].isOver = true
        rows[row].isDisabled = wait.ending == .disabled
      }
    }

    /// What stretches have behind others with which they begin, of which the last may have grown; nil if they do not.
    private static func rest(
      of all: [Wait.Stretch], behind before: [Wait.Stretch]
    ) -> ArraySlice<Wait.Stretch>? {
      guard let last = before.last else { return all[...] }
      let place = before.count - 1
      guard place < all.count, all[..<place].elementsEqual(before[..<place]),
        all[place].reasons == last.reasons, all[place].nanoseconds >= last.nanoseconds
      else { return nil }
      var rest = all[place...]
      rest[place].nanoseconds -= last.nanoseconds
      return rest[place].nanoseconds == 0 ? rest.dropFirst() : rest
    }
  }

  /// An app of the device.
  struct AppColumns {
    /// ``AppCondition/code``.
    var conditions = Changes()
    var wakes = Wakes()
    var arrivals = Arrivals()
    /// By how much what is pending changed otherwise than by arrivals and wakes.
    var settlements = Changes()
    /// What is pending.
    var pending: Int64 = 0
    /// By ``WaitKind/place``.
    var tracks: [Int: Track] = [:]
    /// Since when something is pending, by ``SampleType/index``; greatest if nothing is.
    var oldest: [Int64] = []

    mutating func arrive(_ type: SampleType, at time: Int64) {
      arrivals.append(time)
      pending += 1
      while oldest.count <= Int(type.index) { oldest.append(.max) }
      oldest[Int(type.index)] = min(oldest[Int(type.index)], time)
    }

    mutating func settle(_ waiting: [PendingSaves], at time: Int64) {
      let now = Int64(waiting.reduce(0) { $0 + $1.saves })
      if now != pending { settlements.append(now - pending, at: time) }
      pending = now
      let before = oldest
      oldest = Array(repeating: .max, count: before.count)
      for one in waiting {
        while oldest.count <= Int(one.type.index) { oldest.append(.max) }
        oldest[Int(one.type.index)] = one.oldest
      }
      for (index, since) in before.enumerated() where since < time && oldest[index] == .max {
        let item = Wait.Item.type(SampleType(index: UInt32(index)))
        tracks[item.kind.place, default: Track(item)].gone.append(.init(since: since, until: time))
      }
    }

    mutating func append(_ wait: borrowing Wait) {
      let item = wait.item
      if wait.wake != nil, case .type(let type) = item {
        pending -= Int64(wait.saves)
        if Int(type.index) < oldest.count { oldest[Int(type.index)] = .max }
      }
      tracks[item.kind.place, default: Track(item)].append(wait)
    }
  }

  /// 1 if locked, 2 without power, 4 without network, added up.
  var conditions = Changes()
  /// In the order of ``uses``.
  private(set) var apps: [AppColumns] = []
  private(set) var uses = FirstUses()

  /// Wakes, rows and stretches, by which memory grows.
  private(set) var size = 0

  /// Calls `body` with the columns of an app.
  mutating func update(_ app: App, _ body: (inout AppColumns) -> Void) {
    body(&apps[number(of: app)])
  }

  /// The place of an app's columns, which it gets when it first comes.
  private mutating func number(of app: App) -> Int {
    let number = uses.number(of: app)
    if number == apps.count { apps.append(AppColumns()) }
    return number
  }

  mutating func append(_ wait: borrowing Wait) {
    size += 1 + wait.stretches.count
    let number = number(of: wait.app)
    apps[number].append(wait)
  }

  mutating func close(_ wait: borrowing Wait) {
    guard let app = uses.number(known: wait.app) else { return }
    apps[app].tracks[wait.item.kind.place]?.close(wait)
  }

  mutating func append(_ wake: borrowing Wake) {
    let (number, time, end) = (wake.number, wake.time.nanoseconds, wake.end?.nanoseconds)
    let (outcome, cut, saves) = (wake.outcome, wake.cutShort, wake.saves)
    size += 1
    update(wake.app) { app in
      app.wakes.numbers.append(number)
      app.wakes.times.append(time)
      app.wakes.ends.append(end)
      app.wakes.outcomes.append(outcome)
      app.wakes.cuts.append(cut)
      app.wakes.saves.append(saves)
      // A wake runs an app that was terminated.
      if let code = app.conditions.values.last, code & 3 == 0 {
        app.conditions.set(code | 1, at: time)
      }
    }
  }
}

extension AppCondition {
  /// 0 terminated, 1 in the background, 2 in the foreground; 4 and 8 added if force-quit and stopped.
  func code(after last: Int64?) -> Int64 {
    let activity: Int64 =
      switch activity {
      case .terminated: 0
      case .suspended: 1
      // A wake does not change the activity shown: the lane of wakes shows the wake itself.
      case .awake: (last ?? 0) & 3 == 2 ? 1 : (last ?? 0) & 3
      case .foreground: 2
      }
    return activity + (isForceQuit ? 4 : 0) + (isStopped ? 8 : 0)
  }
}
