import WakeEvents

/// A subscription's predicate (rules, 2) in a form that a loop over rows evaluates without branches, since whether a
/// row matches is hard to predict. Part of the acceleration `predicateScan` (`PredicateScan.swift`).
struct CompiledPredicate {
  /// Which fields of a sample decide whether it matches.
  enum Question {
    /// Its source, or nothing.
    case source
    /// Its value.
    case value
    /// Any of its fields.
    case sample
  }

  let question: Question
  /// 1 if the rules must take a row that matches, since it would be the first pending one; else 0.
  var stopsAtMatch = 0
  /// Rows that matched since the scan started.
  var matched = 0

  /// All ones if the source must equal ``source``, else 0.
  private let sourceMask: UInt32
  private let source: UInt32
  /// Bounds of the time of a sample without start, end and value.
  private let earliest: Int64
  private let latest: Int64
  /// Bounds of start and end. Times are within ±4 × 10^18, so that differences to these do not overflow.
  private var (earliestStart, latestStart) = (-Self.beyond, Self.beyond)
  private var (earliestEnd, latestEnd) = (-Self.beyond, Self.beyond)
  /// The rank of the least value that matches, and the number of ranks from there on that do.
  private let leastRank: UInt64
  private let rankCount: UInt64
  /// 1 if a value is not required, else 0.
  private let takesAnyValue: Int

  /// Later than every valid time; its negative is earlier.
  private static let beyond: Int64 = 1 << 62

  /// The place of the predicate to which rows of types without a scan go, so that the loop has no branch.
  static let noScan: Int32 = 0
  /// The place of a subscription's predicate.
  @inline(__always)
  static func place(of slot: Int) -> Int { slot &+ 1 }
  /// The slot of the subscription whose predicate is at a place.
  @inline(__always)
  static func slot(at place: Int32) -> Int { Int(place) &- 1 }

  /// Compiles a predicate.
  init(_ predicate: Predicate) {
    sourceMask = predicate.source == nil ? 0 : .max
    source = predicate.source?.index ?? 0
    let needsValue = predicate.min != nil || predicate.max != nil
    let least = predicate.leastRank ?? (-Double.infinity).rank
    let most = predicate.mostRank ?? Double.infinity.rank
    leastRank = UInt64(bitPattern: least)
    // A bound that is no number, which the Swift API alone takes, compares with nothing.
    let matchesSome = predicate.min ?? -.infinity <= predicate.max ?? .infinity
    rankCount = matchesSome ? UInt64(bitPattern: most) &- leastRank &+ 1 : 0
    takesAnyValue = needsValue ? 0 : 1
    let asksForTime = predicate.start != nil || predicate.end != nil
    question =
      if asksForTime || (needsValue && predicate.source != nil) {
        .sample
      } else {
        needsValue ? .value : .source
      }
    if let start = predicate.start?.nanoseconds {
      if predicate.strictStart == true { earliestStart = start } else { earliestEnd = start }
    }
    if let end = predicate.end?.nanoseconds {
      if predicate.strictEnd == true { latestEnd = end } else { latestStart = end - 1 }
    }
    earliest = needsValue ? Self.beyond : max(earliestStart, earliestEnd)
    latest = min(latestStart, latestEnd)
  }

  /// Whether all samples without start, end and value from a time on are within the time bounds.
  func isAlwaysInTime(from time: Int64) -> Bool { earliest <= time && latest == Self.beyond }

  /// 1 if the source matches, else 0.
  @inline(__always)
  func matches(source: UInt32) -> Int {
    (source ^ self.source) & sourceMask == 0 ? 1 : 0
  }

  /// 1 if a sample without start, end and value matches, else 0.
  @inline(__always)
  func matches(source: UInt32, time: Int64) -> Int {
    let room = (time &- earliest) | (latest &- time)
    return Int64((source ^ self.source) & sourceMask) | (room &>> 63) == 0 ? 1 : 0
  }

  /// 1 if the value matches, else 0.
  @inline(__always)
  func matches(value: Double) -> Int {
    UInt64(bitPattern: value.rank) &- leastRank < rankCount ? 1 : 0
  }

  /// 1 if a sample matches, else 0.
  ///
  /// - Parameter hasValue: 1 if it has a value, else 0.
  @inline(__always)
  func matches(
    source: UInt32, start: Int64, end: Int64, value: Double, hasValue: Int
  ) -> Int {
    // Negative if a time is beyond a bound.
    let room =
      (start &- earliestStart) | (latestStart &- start) | (end &- earliestEnd)
      | (latestEnd &- end)
    let misfit = Int64((source ^ self.source) & sourceMask) | (room &>> 63)
    return (misfit == 0 ? 1 : 0) & (hasValue & matches(value: value) | takesAnyValue)
  }
}
