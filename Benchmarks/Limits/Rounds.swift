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
  /// Seconds by stage, a time for each round.
  private(set) var seconds: [String: [Double]] = [:]

  /// Runs every stage once to warm up, and then once in each round.
  init(_ stages: [Stage], count: Int) throws {
    var results: [String: UInt64] = [:]
    for stage in stages { results[stage.name] = try stage.body() }
    for round in 0..<count {
      for stage in round.isMultiple(of: 2) ? stages : stages.reversed() {
        let begin = MonotonicClock.now()
        let result = try stage.body()
        let end = MonotonicClock.now()
        guard result == results[stage.name] else {
          throw LimitsError("\(stage.name) gives another result in round \(round + 1)")
        }
        seconds[stage.name, default: []].append(Double(end - begin) / 1e9)
      }
    }
  }

  /// The median time of a stage.
  func median(_ stage: String) -> Double { Statistics.median(of: seconds[stage] ?? []) ?? .nan }

  /// The median over rounds of one stage's speed as a share of another's.
  func speed(_ stage: String, over other: String) -> Double {
    let pairs = zip(seconds[stage] ?? [], seconds[other] ?? [])
    return Statistics.median(of: pairs.map { $1 / $0 }) ?? .nan
  }
}
