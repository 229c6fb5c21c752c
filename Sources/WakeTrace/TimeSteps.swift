import WakeEvents

/// Times as steps from one event of a run to the next, in the block's largest common unit.
enum TimeSteps {
  /// The unit in nanoseconds and, for each event, its step in units; 0 for the first of a run.
  static func steps(of times: [Int64], runs: [DeviceRun]) -> (unit: Int64, steps: [Int64]) {
    var steps = [Int64](repeating: 0, count: times.count)
    var unit: UInt64 = 0
    for run in runs {
      for row in run.rows.dropFirst() {
        let step = times[row] - times[row - 1]
        steps[row] = step
        // Most steps are multiples of what was found so far.
        if unit == 0 || !step.magnitude.isMultiple(of: unit) {
          unit = greatestCommonDivisor(unit, step.magnitude)
        }
      }
    }
    guard unit > 1 else { return (1, steps) }
    let divisor = Int64(unit)
    for row in steps.indices where steps[row] != 0 { steps[row] /= divisor }
    return (divisor, steps)
  }

  /// What steps in units lie between in nanoseconds, from what they lie between; nil if that wraps.
  static func bounds(_ steps: ClosedRange<Int64>?, unit: Int64) -> ClosedRange<Int64>? {
    guard let steps else { return nil }
    let (lowest, lowOverflows) = steps.lowerBound.multipliedReportingOverflow(by: unit)
    let (highest, highOverflows) = steps.upperBound.multipliedReportingOverflow(by: unit)
    return lowOverflows || highOverflows ? nil : lowest...highest
  }

  /// The earliest and the latest time of a run that is read.
  ///
  /// - Parameter steps: Between what its steps lie.
  /// - Complexity: O(1) where no step goes back; else O(events).
  static func extremes(
    of times: Span<Int64>, steps: ClosedRange<Int64>?
  ) -> (earliest: Int64, latest: Int64) {
    let first = times[0]
    if let steps, steps.lowerBound >= 0 {
      let (climb, overflows) = steps.upperBound.multipliedReportingOverflow(by: Int64(times.count))
      // Times that cannot wrap around only rise.
      if !overflows, !first.addingReportingOverflow(climb).overflow {
        return (first, times[times.count - 1])
      }
    }
    var earliest = first
    var latest = first
    for row in times.indices {
      earliest = min(earliest, times[row])
      latest = max(latest, times[row])
    }
    return (earliest, latest)
  }

  private static func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}

/// Step and mark of each event in one byte, where a block has few pairs of them.
struct FusedWords {
  private var words: [(rank: Int64, step: Int64)] = []
  private var bytes: [UInt8] = []

  /// Nil if there are more pairs than a byte tells apart, or too many for the events they stand for.
  init?(steps: [Int64], ranks: [Int64]) {
    struct Pair: Hashable {
      var step: Int64
      var rank: Int64
    }
    var symbols: [Pair: UInt8] = [:]
    bytes.reserveCapacity(steps.count)
    for (step, rank) in zip(steps, ranks) {
      let pair = Pair(step: step, rank: rank)
      if let symbol = symbols[pair] {
        bytes.append(symbol)
        continue
      }
      guard words.count < 256 else { return nil }
      let symbol = UInt8(words.count)
      symbols[pair] = symbol
      words.append((rank, step))
      bytes.append(symbol)
    }
    guard words.count * 16 <= max(256, steps.count) else { return nil }
  }

  /// The column: the unit, the words as mark and step, a byte for each event.
  func encode(unit: Int64) -> [Section] {
    var head = ByteWriter()
    head.appendVarint(UInt64(unit))
    head.append(UInt8(words.count - 1))
    for word in words {
      head.appendVarint(UInt64(word.rank))
      head.appendZigzag(word.step)
    }
    return [
      Section(kind: .plain, bytes: head.bytes), Section(kind: .symbols, bytes: bytes),
    ]
  }
}
