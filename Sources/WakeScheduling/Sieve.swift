import WakeEvents

/// The predicate of a subscription made ready to be held against rows of columns, one after the other:
/// without a branch on what matches, as that is hard to predict.
struct Sieve {
  /// Whether nothing but the source decides what matches.
  let asksForSourceAlone: Bool
  /// Whether it stands for all that a sample must match: there is one predicate.
  let isWhole: Bool
  /// 1 if a row that matches is more than a count, as the first one is, else 0.
  var stops = 0
  /// Rows that have matched and are not accounted for otherwise.
  var matched = 0

  /// The bits of a source that must be as in ``source``: all or none.
  private let sourceMask: UInt32
  private let source: UInt32
  /// What the time of a sample without details must lie within.
  private let earliest: Int64
  private let latest: Int64
  /// Within these, no valid time is too far from a bound for the difference to tell its side.
  private var (earliestStart, latestStart) = (-Self.beyond, Self.beyond)
  private var (earliestEnd, latestEnd) = (-Self.beyond, Self.beyond)
  private let least: Double
  private let most: Double
  /// 1 if there need not be a value, else 0.
  private let takesAnyValue: Int

  /// Later than every valid time, as its negative is earlier.
  private static let beyond: Int64 = 1 << 62

  /// The place of a sieve that is no subscription's: where the rows of types that are not sifted go.
  static let idle: Int32 = 0
  /// The place of a subscription's sieve.
  @inline(__always)
  static func place(of slot: Int) -> Int { slot &+ 1 }
  /// The slot of the subscription whose sieve stands at a place.
  @inline(__always)
  static func slot(at place: Int32) -> Int { Int(place) &- 1 }

  /// Makes the sieve of predicates of which a sample must match one.
  init(_ predicates: [Predicate]) {
    isWhole = predicates.count == 1
    let predicate = predicates.first ?? Predicate()
    sourceMask = predicate.source == nil ? 0 : .max
    source = predicate.source?.index ?? 0
    let needsValue = predicate.min != nil || predicate.max != nil
    least = predicate.min ?? -.infinity
    most = predicate.max ?? .infinity
    takesAnyValue = needsValue ? 0 : 1
    asksForSourceAlone = !needsValue && predicate.start == nil && predicate.end == nil
    if let start = predicate.start?.nanoseconds {
      if predicate.strictStart == true { earliestStart = start } else { earliestEnd = start }
    }
    if let end = predicate.end?.nanoseconds {
      if predicate.strictEnd == true { latestEnd = end } else { latestStart = end - 1 }
    }
    earliest = needsValue ? Self.beyond : max(earliestStart, earliestEnd)
    latest = min(latestStart, latestEnd)
  }

  /// Whether from a time on nothing but the source of a sample without details decides whether it matches.
  func isPassed(by time: Int64) -> Bool { earliest <= time && latest == Self.beyond }

  /// 1 if a sample matches as far as its source goes, else 0.
  @inline(__always)
  func matches(source: UInt32) -> Int {
    (source ^ self.source) & sourceMask == 0 ? 1 : 0
  }

  /// 1 if a sample that has nothing but its source and time matches, else 0.
  @inline(__always)
  func matches(source: UInt32, time: Int64) -> Int {
    let room = (time &- earliest) | (latest &- time)
    return Int64((source ^ self.source) & sourceMask) | (room &>> 63) == 0 ? 1 : 0
  }

  /// 1 if a sample matches, else 0.
  ///
  /// - Parameter value: NaN if it has none.
  @inline(__always)
  func matches(source: UInt32, start: Int64, end: Int64, value: Double) -> Int {
    // Negative where a time lies beyond a bound.
    let room =
      (start &- earliestStart) | (latestStart &- start) | (end &- earliestEnd)
      | (latestEnd &- end)
    let misfit = Int64((source ^ self.source) & sourceMask) | (room &>> 63)
    let hasValue = (value >= least ? 1 : 0) & (value <= most ? 1 : 0)
    return (misfit == 0 ? 1 : 0) & (hasValue | takesAnyValue)
  }
}
