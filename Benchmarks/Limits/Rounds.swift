import BenchmarkModel
import Glibc
import Measurement

/// Something that is measured against others.
struct Stage {
  /// How the result names it.
  let name: String
  /// Does it once; what it returns must be the same each time.
  let body: () throws -> UInt64
}

/// Times stages in turn, forwards and backwards, so that what slows the machine meets all alike.
struct Rounds {
  /// What each round took, in seconds.
  struct Times: Encodable {
    var wall: [Double] = []
    /// On all processors together, which others on the machine lengthen less.
    var processor: [Double] = []
  }

  /// By stage.
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

  /// The median over rounds of one stage's speed as a share of another's, by one of their times.
  func speed(_ stage: String, over other: String, by time: KeyPath<Times, [Double]>) -> Double {
    guard let one = times[stage], let another = times[other] else { return .nan }
    let pairs = zip(one[keyPath: time], another[keyPath: time])
    return Statistics.median(of: pairs.map { $1 / $0 }) ?? .nan
  }

  /// Nanoseconds that this process has had on all processors.
  private static func processorTime() -> UInt64 {
    var time = timespec()
    // Fails for a bad clock only.
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
