import Measurement
import WakeEvents
public import WakeScheduling
import WakeTrace

/// What a replay found and how it went; the JSON of `rouse replay --json`, and what `rouse merge` adds up.
public struct ReplayResult: Codable, Sendable {
  /// A trace that was replayed.
  public struct Trace: Codable, Hashable, Sendable {
    /// The path, or `standard input`.
    public var file: String
    /// Bytes of the file.
    public var bytes: Int64
  }

  /// What one app got, over all devices.
  public struct App: Codable, Hashable, Sendable {
    /// Its bundle identifier.
    public var app: String
    /// Wakes begun, of which by their ends:
    public var wakes = 0
    /// answered, or ended by the user opening the app;
    public var completed = 0
    /// past their deadline;
    public var expired = 0
    /// cut off by the end of the app or a reboot;
    public var aborted = 0
    /// in flight after the last input.
    public var open = 0
    /// Saves and deletes that its wakes carried.
    public var saves = 0
    /// Saves and deletes that were never delivered.
    public var pendingAtEnd = 0
    /// Pushes that were never delivered.
    public var pushesHeldAtEnd = 0
    /// Devices on which it was stopped.
    public var stoppedOnDevices = 0
  }

  /// What is missing from the traces.
  public struct Loss: Codable, Hashable, Sendable {
    /// A place where a trace is damaged.
    public struct Damage: Codable, Hashable, Sendable {
      /// The trace's path.
      public var file: String
      /// The byte where the block in question begins.
      public var offset: Int64?
      /// What is wrong, in words.
      public var message: String
    }

    /// Damage that the replay went on behind.
    public var damages: [Damage] = []
    /// Events of damaged blocks whose headers are whole, so that they could be counted.
    public var damagedEvents = 0
    /// Bytes in which no block was found; how many events they held nobody knows.
    public var bytesPassedOver: Int64 = 0
    /// Events that the recorders say they lost.
    public var lostEvents: UInt64 = 0
    /// Blocks missing within streams.
    public var missingBlocks = 0

    /// Whether nothing is missing.
    public var isNone: Bool { damages.isEmpty && lostEvents == 0 && missingBlocks == 0 }
  }

  /// What was counted from blocks' headers, without reading them.
  public struct Skipped: Codable, Hashable, Sendable {
    /// Blocks.
    public var blocks = 0
    /// Their events, all of them saves and deletes.
    public var events = 0

    /// Makes the sum of so many.
    public init(blocks: Int = 0, events: Int = 0) {
      self.blocks = blocks
      self.events = events
    }

    mutating func add(_ other: Skipped) {
      blocks += other.blocks
      events += other.events
    }

    func added(to other: Skipped?) -> Skipped {
      var sum = other ?? Skipped()
      sum.add(self)
      return sum
    }
  }

  /// How fast it went.
  public struct Performance: Codable, Hashable, Sendable {
    /// Threads that read and fed.
    public var threads: Int
    /// Nanoseconds for everything, from opening the first block to the summary.
    public var elapsedNanoseconds: UInt64
    /// Nanoseconds of all threads for reading, inflating and decoding.
    public var decodeNanoseconds: UInt64
    /// Nanoseconds of all threads for scheduling and counting.
    public var scheduleNanoseconds: UInt64
    /// Events that were fed; of ``ReplayResult/skipped`` ones nothing is told here.
    public var events: Int
    /// Events fed in a second of ``elapsedNanoseconds``.
    public var eventsPerSecond: Double
    /// The same for each repetition, where there were several; ``eventsPerSecond`` is their median.
    public var repetitions: [Double] = []
    /// Nanoseconds that one reading of the clock costs, which every latency includes.
    public var clockNanoseconds: Double
    /// One event in so many had its latency measured; 1 is every one, 0 none.
    public var latencySampling: Int
    /// The most memory the process had, in bytes; nil where the system does not tell.
    public var peakMemoryBytes: UInt64?
  }

  /// How a paced replay kept up.
  public struct PaceKeeping: Codable, Hashable, Sendable {
    /// Times as fast as the trace's own times.
    public var speed: Double
    /// Events fed more than a millisecond after their intended time.
    public var lateEvents: Int
    /// The longest that an event came after its intended time.
    public var furthestBehindNanoseconds: Int64
  }

  /// What was replayed.
  public var traces: [Trace] = []
  /// Devices in it.
  public var devices = 0
  /// Blocks that held anything wanted.
  public var blocks = 0
  /// The counts of SPEC 7 by their keys, and the digest.
  public var summary: Summary
  /// The digest once more, where scripts look first.
  public var digest: Digest
  /// Wakes by what they carried: `health`, `push`, `refresh`, `health+push` …
  public var wakesByCause: [String: Int] = [:]
  /// By name.
  public var apps: [App] = []
  /// Saves and deletes of each wake that carried any.
  public var savesPerWake: Distribution
  /// Nanoseconds from the oldest pending save to the wake that carried it.
  public var staleness: Distribution
  /// Nanoseconds to take a sampled event, or in a paced replay from its intended time.
  public var latency: Distribution
  /// What was skipped, if that was asked for (``ReplayOptions/skipsQuiet``).
  public var skipped: Skipped?
  /// What is missing.
  public var loss = Loss()
  /// What is odd about the traces, a line each.
  public var notices: [String] = []
  /// Nil for merged results.
  public var performance: Performance?
  /// Nil unless the replay was paced.
  public var pacing: PaceKeeping?
}

extension ReplayResult {
  init(
    index: TraceIndex, shared: ReplayShared, run: ReplayRun, tally: consuming ReplayTally,
    elapsed: UInt64, pacing: Pacing?
  ) {
    traces = index.files.map { Trace(file: $0.name, bytes: $0.length) }
    devices = index.devices.count
    blocks = index.blocks.count
    var summary = tally.summary
    summary.stoppedApps.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.summary = summary
    digest = summary.digest
    for (cause, count) in tally.causes.enumerated() where count > 0 {
      wakesByCause[Self.causeName(cause)] = count
    }
    for (index, tally) in tally.apps.enumerated() {
      let name = shared.symbols.apps.name(of: WakeEvents.App(index: UInt32(index)))
      apps.append(
        App(
          app: name, wakes: tally.wakes, completed: tally.completed, expired: tally.expired,
          aborted: tally.aborted, open: tally.open, saves: tally.saves,
          pendingAtEnd: tally.pendingAtEnd, pushesHeldAtEnd: tally.held,
          stoppedOnDevices: tally.stopped))
    }
    apps.sort { $0.app.utf8.lexicographicallyPrecedes($1.app.utf8) }
    savesPerWake = Distribution(tally.savesPerWake)
    staleness = Distribution(tally.staleness)
    latency = Distribution(tally.latency)
    loss.damages = Self.damages(index.damages + run.damages, in: index.files.map(\.name))
    loss.damagedEvents = run.damagedEvents
    loss.bytesPassedOver = index.bytesPassedOver
    loss.lostEvents = index.lostEvents
    loss.missingBlocks = index.missingBlocks
    if shared.options.skipsQuiet { skipped = tally.skipped }
    let eventsFed = summary.inputs - tally.skipped.events
    notices = Self.notices(
      index, summary: summary, firstLate: shared.oddTimes.firstLate,
      firstJump: shared.oddTimes.firstJump)
    performance = Performance(
      threads: shared.options.threads, elapsedNanoseconds: elapsed,
      decodeNanoseconds: tally.decodeTime, scheduleNanoseconds: tally.scheduleTime,
      events: eventsFed,
      eventsPerSecond: elapsed == 0 ? 0 : Double(eventsFed) / (Double(elapsed) / 1e9),
      // Few readings: half a millisecond's worth would tell it no better.
      clockNanoseconds: MonotonicClock.cost(batches: 21, readingsPerBatch: 50).median,
      latencySampling: pacing != nil
        ? 1
        : shared.options.measuresLatency
          ? LatencySampler.stride(events: index.eventCount) : 0,
      peakMemoryBytes: ResourceUsage.current().peakResidentBytes)
    self.pacing = pacing.map {
      PaceKeeping(
        speed: $0.factor, lateEvents: $0.lateEvents,
        furthestBehindNanoseconds: $0.furthestBehind)
    }
  }

  /// Damages in the order of the files, each place once: a block may have been read several times, and
  /// threads come to theirs in any order.
  private static func damages(_ errors: [TraceError], in files: [String]) -> [Loss.Damage] {
    let places = Dictionary(zip(files, files.indices)) { first, _ in first }
    return Set(errors).sorted {
      (places[$0.file] ?? 0, $0.offset ?? 0, $0.message)
        < (places[$1.file] ?? 0, $1.offset ?? 0, $1.message)
    }.map { Loss.Damage(file: $0.file, offset: $0.offset, message: $0.message) }
  }

  private static func causeName(_ cause: Int) -> String {
    let names = [(1, "health"), (2, "push"), (4, "refresh")].filter { cause & $0.0 != 0 }
    return names.isEmpty ? "nothing" : names.map(\.1).joined(separator: "+")
  }

  /// More late inputs than one in so many are told of.
  private static let lateShare = 1_000

  private static func notices(
    _ index: TraceIndex, summary: Summary, firstLate: OddTime?, firstJump: OddTime?
  ) -> [String] {
    var notices: [String] = []
    if let jump = firstJump {
      notices.append(
        """
        \(file(jump, index))times jump ahead by more than a year: \(place(jump)), after \
        \(iso8601(jump.previous))
        """)
    }
    if let late = firstLate, summary.lateInputs * lateShare > summary.inputs {
      let share = Quantity.percentage(Double(summary.lateInputs) / Double(summary.inputs))
      notices.append(
        """
        \(file(late, index))\(summary.lateInputs) of \(summary.inputs) inputs (\(share)) are late: \
        first \(place(late)), after \(iso8601(late.previous))
        """)
    }
    return notices
  }

  private static func file(_ odd: OddTime, _ index: TraceIndex) -> String {
    index.place(ofEvent: odd.event).map { "\($0.file): byte \($0.offset): " } ?? ""
  }

  private static func place(_ odd: OddTime) -> String {
    let device = odd.device.isEmpty ? "" : " of device \(odd.device.shown)"
    return "event \(odd.event)\(device) at \(iso8601(odd.time))"
  }

  private static func iso8601(_ time: Int64) -> String {
    Timestamp(nanoseconds: time).iso8601
  }
}
