import WakeEvents

/// Delta encoding of times within runs, in the greatest common divisor of all steps.
struct TimeSteps {
  private(set) var unit: Int64 = 1
  /// For each event its step in units; 0 for the first of a run.
  private(set) var steps: [Int64] = []
  private(set) var earliest = Int64.max
  private(set) var latest = Int64.min
  private(set) var areSorted = true

  /// Encodes the times of a block. If any is outside ``Timestamp/validRange``, only the extremes are valid.
  mutating func take(_ times: [Int64], runs: [DeviceRun]) {
    (earliest, latest, areSorted) = (.max, .min, true)
    if steps.count != times.count { steps = [Int64](repeating: 0, count: times.count) }
    var divisor = ExactDivisor(0)
    for run in runs where !run.rows.isEmpty { takeRun(times.span, run.rows, &divisor) }
    guard divisor.value > 1, Timestamp.validRange.contains(earliest),
      Timestamp.validRange.contains(latest)
    else {
      unit = 1
      return
    }
    unit = Int64(divisor.value)
    var span = steps.mutableSpan
    for row in span.indices { span[row] = divisor.quotient(span[row]) }
  }

  private mutating func takeRun(
    _ times: Span<Int64>, _ rows: Range<Int>, _ divisor: inout ExactDivisor
  ) {
    let times = times.extracting(rows)
    var allSteps = steps.mutableSpan
    var steps = allSteps._mutatingExtracting(rows)
    var previous = times[0]
    var (lowest, highest) = (previous, previous)
    var lowestStep: Int64 = 0
    var common = divisor
    for row in times.indices {
      let time = times[row]
      let step = time &- previous
      previous = time
      steps[row] = step
      lowestStep = min(lowestStep, step)
      lowest = min(lowest, time)
      highest = max(highest, time)
      // Most steps are multiples of the divisor so far.
      if !common.divides(step.magnitude) { common = common.common(with: step.magnitude) }
    }
    divisor = common
    earliest = min(earliest, lowest)
    latest = max(latest, highest)
    if lowestStep < 0 { areSorted = false }
  }

  static func readUnit(_ reader: inout ByteReader) throws(BlockError) -> Int64 {
    let unit = try reader.readVarint()
    guard unit > 0, unit <= UInt64(Int64.max) else { throw .malformed("block has no unit of time") }
    return Int64(unit)
  }

  /// The range of steps in nanoseconds, from the range in units; nil on overflow.
  static func bounds(_ steps: ClosedRange<Int64>?, unit: Int64) -> ClosedRange<Int64>? {
    guard let steps else { return nil }
    let (lowest, lowOverflows) = steps.lowerBound.multipliedReportingOverflow(by: unit)
    let (highest, highOverflows) = steps.upperBound.multipliedReportingOverflow(by: unit)
    return lowOverflows || highOverflows ? nil : lowest...highest
  }

  /// How far times may rise between two that are looked at. A valid time plus this does not overflow.
  private static let climb: Int64 = 1 << 62

  /// How many steps from this range together are ``climb`` at most; 0 if it is not known, or some may be negative, or longer
  /// than that.
  static func stepsInClimb(_ steps: ClosedRange<Int64>?) -> Int {
    guard let steps, steps.lowerBound >= 0 else { return 0 }
    return Int(climb / max(steps.upperBound, 1))
  }

  /// The earliest and the latest time of a run, and whether its steps prove that times never fall.
  ///
  /// - Parameter stepsInClimb: ``stepsInClimb(_:)`` of the range of its steps; 0 proves nothing.
  /// - Complexity: O(1) if no step is negative and all together are at most 2^62 ns, O(parts) if they are longer; else
  ///   O(events).
  static func extremes(
    of times: Span<Int64>, stepsInClimb: Int
  ) -> (earliest: Int64, latest: Int64, onlyRise: Bool) {
    let first = times[0]
    if stepsInClimb > 0 {
      // If the first time of each part leaves room for its steps, no sum overflows. Mostly the run is one part.
      var row = 0
      while row < times.count, times[row] <= Int64.max - climb { row += stepsInClimb }
      if row >= times.count { return (first, times[times.count - 1], true) }
    }
    var earliest = first
    var latest = first
    for row in times.indices {
      earliest = min(earliest, times[row])
      latest = max(latest, times[row])
    }
    return (earliest, latest, false)
  }
}
