import BenchmarkModel
import Glibc
import Measurement

/// A stage that is timed.
struct Stage {
  /// The name in the result.
  let name: String
  /// Runs the stage once; its result must be the same each time.
  let body: () throws -> UInt64
}

/// Times stages in turn, in alternating order, so that disturbances of the machine affect all alike.
struct Rounds {
  /// The times of a round, in seconds.
  struct Times: Encodable {
    var wall: [Double] = []
    /// Processor time of all threads, which other load on the machine affects less.
    var processor: [Double] = []
  }

  /// The times of all rounds, by stage.
  private(set) var times: [String: Times] = [:]

  /// Runs every stage once to warm up, and then once in each round.
  init(_ stages: [Stage], count: Int) throws {
    var results: [String: UInt64] = [:]
    for stage in stages { results[stage.name] = try stage.body() }
    for round in 0..<count {
      for stage in round.isMultiple(of: 2) ? stages : stages.reversed() {
        let processorBegin = Self.processorTime()
        let begin = MonotonicClock.now()
        let result = try stage.body()
        let end = MonotonicClock.now()
        let processorEnd = Self.processorTime()
        guard result == results[stage.name] else {
          throw LimitsError("\(stage.name) gives another result in round \(round + 1)")
        }
        times[stage.name, default: Times()].wall.append(Double(end - begin) / 1e9)
        times[stage.name, default: Times()].processor.append(
          Double(processorEnd - processorBegin) / 1e9)
      }
    }
  }

  /// The median over rounds of the ratio of one stage's speed to another's, by one kind of time.
  func speed(_ stage: String, over other: String, by time: KeyPath<Times, [Double]>) -> Double {
    guard let one = times[stage], let another = times[other] else { return .nan }
    let pairs = zip(one[keyPath: time], another[keyPath: time])
    return Statistics.median(of: pairs.map { $1 / $0 }) ?? .nan
  }

  /// The processor time of this process, in nanoseconds.
  private static func processorTime() -> UInt64 {
    var time = timespec()
    // Fails for an invalid clock only.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
