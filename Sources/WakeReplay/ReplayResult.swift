public import WakeScheduling

/// The result of a replay: the JSON of `rouse replay --json`, which `rouse merge` adds up.
public struct ReplayResult: Codable, Sendable {
  /// A trace that was replayed.
  public struct Trace: Codable, Hashable, Sendable {
    /// The path, or `standard input`.
    public var file: String
    /// The file's length in bytes.
    public var bytes: Int64
  }

  /// The counts of one app over all devices.
  public struct App: Codable, Hashable, Sendable {
    /// The bundle identifier.
    public var app: String
    /// Wakes begun; each is in one of the four counts that follow.
    public var wakes = 0
    /// Wakes that the app answered, or that ended because the user opened it.
    public var completed = 0
    /// Wakes whose deadline passed.
    public var expired = 0
    /// Wakes ended by the app's termination or a reboot.
    public var aborted = 0
    /// Wakes still in flight after the last input.
    public var open = 0
    /// Saves and deletes that the wakes carried.
    public var saves = 0
    /// Saves and deletes never delivered.
    public var pendingAtEnd = 0
    /// Pushes never delivered.
    public var pushesHeldAtEnd = 0
    /// Devices on which the app was stopped.
    public var stoppedOnDevices = 0

    /// The counts by their JSON keys, sorted by key.
    static let counts: [(key: String, path: any WritableKeyPath<App, Int> & Sendable)] = [
      ("aborted", \.aborted), ("completed", \.completed), ("expired", \.expired), ("open", \.open),
      ("pendingAtEnd", \.pendingAtEnd), ("pushesHeldAtEnd", \.pushesHeldAtEnd), ("saves", \.saves),
      ("stoppedOnDevices", \.stoppedOnDevices), ("wakes", \.wakes),
    ]

    mutating func add(_ other: App) {
      // Written out: key paths take longer.
      wakes += other.wakes
      completed += other.completed
      expired += other.expired
      aborted += other.aborted
      open += other.open
      saves += other.saves
      pendingAtEnd += other.pendingAtEnd
      pushesHeldAtEnd += other.pushesHeldAtEnd
      stoppedOnDevices += other.stoppedOnDevices
    }

    /// The greatest of its counts.
    var greatest: Int {
      max(
        max(wakes, completed, expired, aborted), max(open, saves, pendingAtEnd),
        max(pushesHeldAtEnd, stoppedOnDevices))
    }
  }

  /// What is missing from the traces.
  public struct Loss: Codable, Hashable, Sendable {
    /// A place where a trace is damaged.
    public struct Damage: Codable, Hashable, Sendable {
      /// The trace's path.
      public var file: String
      /// The offset in the file at which the damaged block begins, in bytes; nil if the whole file is meant.
      public var offset: Int64?
      /// What is wrong.
      public var message: String
    }

    /// Damage that the replay skipped; of merged results the first by file.
    public var damages: [Damage] = []
    /// How many damaged places there are.
    public var damagedPlaces = 0
    /// Events of damaged blocks with intact headers.
    public var damagedEvents = 0
    /// Bytes that belong to no block. How many events they held is unknown.
    public var bytesPassedOver: Int64 = 0
    /// Events that the recorders lost, by their own count.
    public var lostEvents: UInt64 = 0
    /// Blocks missing from streams, by their sequence numbers.
    public var missingBlocks = 0
    /// Blocks that are repeated, as in a trace that is there twice, or out of the order of their streams.
    public var misplacedBlocks = 0

    /// Whether nothing is missing or misplaced.
    public var isNone: Bool {
      damagedPlaces == 0 && lostEvents == 0 && missingBlocks == 0 && misplacedBlocks == 0
    }

    /// Adds the counts of another loss.
    mutating func add(_ other: Loss) {
      damagedPlaces += other.damagedPlaces
      damagedEvents += other.damagedEvents
      bytesPassedOver += other.bytesPassedOver
      lostEvents += other.lostEvents
      missingBlocks += other.missingBlocks
      misplacedBlocks += other.misplacedBlocks
    }
  }

  /// Blocks counted from their headers instead of being decoded.
  public struct Skipped: Codable, Hashable, Sendable {
    /// The number of blocks.
    public var blocks = 0
    /// Their events: saves and deletes.
    public var events = 0

    mutating func add(_ other: Skipped) {
      blocks += other.blocks
      events += other.events
    }
  }

  /// The replay's speed. Times and speed of several repetitions are medians.
  public struct Performance: Codable, Hashable, Sendable {
    /// Threads that decode and schedule.
    public var threads: Int
    /// Nanoseconds from the first read of a header to the summary.
    public var elapsedNanoseconds: UInt64
    /// Nanoseconds of all threads for reading, inflating and decoding.
    public var decodeNanoseconds: UInt64
    /// Nanoseconds of all threads for scheduling and counting.
    public var scheduleNanoseconds: UInt64
    /// Events scheduled, without ``ReplayResult/skipped`` ones.
    public var events: Int
    /// ``events`` per second of ``elapsedNanoseconds``.
    public var eventsPerSecond: Double
    /// The same for each of several repetitions.
    public var repetitions: [Double] = []
    /// Nanoseconds for one reading of the clock, which every latency includes.
    public var clockNanoseconds: Double
    /// The latency of one event in so many was measured; 1 is every event, 0 none.
    public var latencySampling: Int
    /// The peak resident memory of the process in bytes; nil if the system does not report it.
    public var peakMemoryBytes: UInt64?
  }

  /// How well a paced replay kept up.
  public struct PaceKeeping: Codable, Hashable, Sendable {
    /// Trace time per real time.
    public var speed: Double
    /// Events taken more than a millisecond after their intended time.
    public var lateEvents = 0
    /// The greatest delay behind the intended time, in nanoseconds.
    public var furthestBehindNanoseconds: Int64 = 0
  }

  /// What results must have in common to be added.
  public var basis: Basis
  /// The shards of whose devices the result is; nil if it is of all devices.
  public var shard: ShardSet?
  /// The traces, in the order given; of merged results the first by name.
  public var traces: [Trace] = []
  /// Devices in the traces.
  public var devices = 0
  /// The sum of the hashes of their names (`NameHash.device(_:)`) modulo 2^64. Results of the same devices have the same.
  public var deviceSum = Digest()
  /// Some of these hashes.
  public var deviceHashes = DeviceSample()
  /// Blocks that hold selected events. A block with devices of several shards counts for one of them.
  public var blocks = 0
  /// The counts of the summary (page Rules, section 7) and the digest.
  public var summary: Summary
  /// The digest again, at the top level for scripts.
  public var digest: Digest
  /// The reasons that were lifted, so that they never held (page Rules, 9.5): what is here is a what-if. Nil if all
  /// rules were in force.
  public var without: [String]?
  /// The name of the scheduler that was under test; nil for Rouse's own.
  public var scheduler: String?
  /// Wakes by what they carried: `health`, `push`, `refresh`, `health+push` …
  public var wakesByCause: [String: Int] = [:]
  /// Sorted by name.
  public var apps: [App] = []
  /// Whether an app had a subscription at any time, by the policy or an input; nil if that is unknown, as of a result
  /// that was read. Not in the JSON.
  package var hadSubscriptions: Bool?
  /// Saves and deletes of each wake that carried any.
  public var savesPerWake: Distribution
  /// Nanoseconds from the oldest pending save to the wake that carried it.
  public var staleness: Distribution
  /// Nanoseconds to schedule a sampled event; in a paced replay from the event's intended time.
  public var latency: Distribution
  /// Why wakes came no sooner; nil unless ``ReplayOptions/waitLog`` is set.
  public var waiting: Waiting?
  /// How far the wakes are from the best; nil unless ``ReplayOptions/bounds`` is set.
  public var bounds: Bounds?
  /// Nil unless ``ReplayOptions/skipsQuiet`` is set.
  public var skipped: Skipped?
  /// What is missing from the traces.
  public var loss = Loss()
  /// Warnings about the traces, a line each.
  public var notices: [String] = []
  /// Nil for merged results.
  public var performance: Performance?
  /// Nil unless the replay was paced.
  public var pacing: PaceKeeping?

  /// All properties but ``hadSubscriptions``.
  private enum CodingKeys: String, CodingKey {
    case apps, basis, blocks, bounds, deviceHashes, deviceSum, devices, digest, latency, loss
    case notices, pacing, performance, savesPerWake, scheduler, shard, skipped, staleness, summary
    case traces, waiting, wakesByCause, without
  }
}
