import WakeEvents

/// The predicate of a subscription made ready to be held against rows of columns, one after the other:
/// with one branch at the end, as which samples match is hard to predict.
struct Sieve {
  /// Whether it stands for all that a sample must match: there is one predicate.
  let isWhole: Bool
  /// The bits of a source that must be as in ``source``: all or none.
  private let sourceMask: UInt32
  private let source: UInt32
  /// Within these, no valid time is too far from a bound for the difference to tell its side.
  private var (earliestStart, latestStart) = (-Self.beyond, Self.beyond)
  private var (earliestEnd, latestEnd) = (-Self.beyond, Self.beyond)
  private let needsValue: Bool
  private let least: Double
  private let most: Double

  /// Later than every valid time, as its negative is earlier.
  private static let beyond: Int64 = 1 << 62

  /// Makes the sieve of predicates of which a sample must match one.
  init(_ predicates: [Predicate]) {
    isWhole = predicates.count == 1
    let predicate = predicates.first ?? Predicate()
    sourceMask = predicate.source == nil ? 0 : .max
    source = predicate.source?.index ?? 0
    needsValue = predicate.min != nil || predicate.max != nil
    least = predicate.min ?? -.infinity
    most = predicate.max ?? .infinity
    if let start = predicate.start?.nanoseconds {
      if predicate.strictStart == true { earliestStart = start } else { earliestEnd = start }
    }
    if let end = predicate.end?.nanoseconds {
      if predicate.strictEnd == true { latestEnd = end } else { latestStart = end - 1 }
    }
  }

  /// Whether the sample of a row matches.
  @inline(__always)
  func matches(_ columns: borrowing InputColumns, row: Int, time: Int64) -> Bool {
    var (start, end) = (time, time)
    var misfit = Int64((columns.sources[row] ^ source) & sourceMask)
    if row < columns.details.fields.count {
      let has = columns.details.fields[row]
      start = has.contains(.start) ? columns.details.starts[row] : time
      end = has.contains(.end) ? columns.details.ends[row] : start
      if needsValue {
        let value = has.contains(.value) ? columns.details.values[row] : .nan
        misfit |= value >= least && value <= most ? 0 : 1
      }
    } else if needsValue {
      return false
    }
    // Negative where a time lies beyond a bound.
    let room =
      (start &- earliestStart) | (latestStart &- start) | (end &- earliestEnd)
      | (latestEnd &- end)
    return misfit | (room &>> 63) == 0
  }
}
