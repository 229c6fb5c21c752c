import Foundation
import WakeEvents
import WakeImport
import WakeReplay
import WakeScheduling
import WakeTrace

/// `rouse-limits`: compares the speed of a replay with its bounds, in one process; `Benchmarks/limits` runs it.
@main
enum RouseLimits {
  static let usage = """
    usage: rouse-limits TRACE POLICY [ROUNDS] | rouse-limits inflate TRACE | rouse-limits scheduler [ROUNDS]
    """

  static func main() {
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      if arguments.first == "scheduler", arguments.count <= 2 {
        print(try SchedulerLimits.measure(rounds: arguments.count == 2 ? arguments[1] : "7"))
        return
      }
      guard (2...3).contains(arguments.count),
        let rounds = Int(arguments.count == 3 ? arguments[2] : "7"), rounds > 0
      else { throw LimitsError(usage) }
      #if DEBUG
        throw LimitsError("built without optimisation: figures would not be meaningful")
      #else
        if arguments[0] == "inflate" {
          print(try inflatingSeconds(trace: arguments[1]))
          return
        }
        print(try measure(trace: arguments[0], policy: arguments[1], rounds: rounds))
      #endif
    } catch {
      FileHandle.standardError.write(Data("rouse-limits: \(error)\n".utf8))
      exit(1)
    }
  }

  /// The processor time of zlib for all members, once warm, in seconds.
  static func inflatingSeconds(trace: String) throws -> Double {
    let bytes = Array(try Data(contentsOf: URL(filePath: trace)))
    let (_, all) = members(try TraceIndex(files: [try TraceFile(path: trace)]))
    let inflater = try PlainInflater(capacity: TraceLimits.payloadBytes)
    let rounds = try Rounds(
      [Stage(name: "inflate") { UInt64(try inflater.inflate(bytes, members: all)) }], count: 1)
    return rounds.times["inflate"]?.processor.first ?? .nan
  }

  /// Measures and returns the figures as JSON.
  static func measure(trace: String, policy path: String, rounds: Int) throws -> String {
    let policy = try PolicyReader(file: path).read(
      Array(try Data(contentsOf: URL(filePath: path))))
    let file = try TraceFile(path: trace)
    let bytes = Array(try Data(contentsOf: URL(filePath: trace)))
    let index = try TraceIndex(files: [file])
    let inflater = try PlainInflater(capacity: TraceLimits.payloadBytes)
    let (scheduling, all) = members(index)
    let decoded = try DecodedTrace(index)
    let decoder = BlockDecoder(symbols: Symbols())

    func replay(sampling: Bool, threads: Int = 1) throws -> UInt64 {
      var options = ReplayOptions()
      options.policy = policy
      options.measuresLatency = sampling
      options.threads = threads
      return try Replayer(files: [file], options: options).run().digest.value
    }
    let plain = PlainSchedule(decoded, policy)
    let rounds = try Rounds(
      (plain.map { [$0.stage] } ?? []) + [
        Stage(name: "replay") { try replay(sampling: true) },
        Stage(name: "replay without latencies") { try replay(sampling: false) },
        Stage(name: "replay, two threads") { try replay(sampling: true, threads: 2) },
        Stage(name: "inflate") { UInt64(try inflater.inflate(bytes, members: all)) },
        Stage(name: "inflate for scheduling") {
          UInt64(try inflater.inflate(bytes, members: scheduling))
        },
        Stage(name: "decode") {
          for block in index.blocks { try decoder.decode(block.entry, of: file) }
          return UInt64(decoder.columns.count)
        },
        Stage(name: "schedule") { decoded.schedule(policy).digest.value },
        Stage(name: "encode, level 0") { UInt64(try decoded.encode(level: 0)) },
        Stage(name: "encode, level 1") { UInt64(try decoded.encode(level: 1)) },
        Stage(name: "sum columns") { UInt64(bitPattern: decoded.sum()) },
      ], count: rounds)
    let (digest, wakes) = decoded.schedule(policy)
    for threads in 1...2 {
      guard try replay(sampling: true, threads: threads) == digest.value else {
        throw LimitsError("a replay and scheduling alone give different digests")
      }
    }
    guard plain.map({ $0.digest == digest }) ?? true else {
      throw LimitsError("the scheduler and a plain loop in C give different digests")
    }
    let allocations = try WarmAllocations.count(index, policy)
    let entropy = decoded.entropyBytes()
    let figures = Figures(
      events: index.eventCount, blocks: index.blocks.count, wakes: wakes, bytes: bytes.count,
      schedulingBytes: scheduling.reduce(0) { $0 + $1.count }, entropyBytes: entropy,
      levelOneOverEntropy: Double(try decoded.encode(level: 1)) / entropy,
      levelSixOverEntropy: Double(try decoded.encode(level: 6)) / entropy,
      warmAllocations: allocations, digest: "\(digest)",
      seconds: rounds.times,
      replayOverInflate: rounds.speed("replay", over: "inflate", by: \.processor),
      replayOverSchedulingInflate: rounds.speed(
        "replay", over: "inflate for scheduling", by: \.processor),
      decodeOverSchedulingInflate: rounds.speed(
        "decode", over: "inflate for scheduling", by: \.processor),
      scheduleOverSum: rounds.speed("schedule", over: "sum columns", by: \.processor),
      scheduleOverPlainLoop: plain.map {
        rounds.speed("schedule", over: $0.stage.name, by: \.processor)
      },
      twoThreadsOverOne: rounds.speed("replay, two threads", over: "replay", by: \.wall))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(figures), as: UTF8.self)
  }

  /// The positions of members in the file: those that scheduling needs, and all.
  static func members(_ index: TraceIndex) -> (scheduling: [Range<Int>], all: [Range<Int>]) {
    var scheduling: [Range<Int>] = []
    var all: [Range<Int>] = []
    for block in index.blocks {
      let start = Int(block.entry.offset)
      let end = start + block.entry.length
      let middle = end - block.entry.detailsLength
      scheduling.append(start..<middle)
      all.append(start..<middle)
      if middle < end { all.append(middle..<end) }
    }
    return (scheduling, all)
  }
}

/// The results. Ratios are of speeds, medians over rounds, by processor time, except the one of threads.
struct Figures: Encodable {
  var events: Int
  var blocks: Int
  var wakes: Int
  /// Bytes an event of the file.
  var bytes: Int
  /// Bytes an event of the members that scheduling needs.
  var schedulingBytes: Int
  /// Bytes an event of the columns by ``ColumnEntropy``, and the ratio of the blocks' size to it.
  var entropyBytes: Double
  var levelOneOverEntropy: Double
  var levelSixOverEntropy: Double
  /// Allocations of a second pass over all blocks, each decoded and scheduled, if they were counted.
  var warmAllocations: UInt64?
  var digest: String
  /// The times, by stage.
  var seconds: [String: Rounds.Times]
  var replayOverInflate: Double
  var replayOverSchedulingInflate: Double
  var decodeOverSchedulingInflate: Double
  var scheduleOverSum: Double
  /// Nil if the plain loop in C does not support the policy.
  var scheduleOverPlainLoop: Double?
  var twoThreadsOverOne: Double
}

/// The reason why nothing could be measured.
struct LimitsError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
