import WakeEvents

/// The predicate of a subscription made ready to be held against rows of columns, one after the other:
/// without a branch on what matches, as that is hard to predict.
struct Sieve {
  /// What of a sample decides whether it matches.
  enum Question {
    /// Its source, or nothing.
    case source
    /// Its value.
    case value
    /// All that it has.
    case sample
  }

  let question: Question
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
  /// The place of the least value that matches, and how many places from there on do.
  private let leastPlace: UInt64
  private let placeCount: UInt64
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
    // Zeros are equal and have two places.
    let least = predicate.min.map { $0 == 0 ? -0.0 : $0 } ?? -.infinity
    let most = predicate.max.map { $0 == 0 ? 0.0 : $0 } ?? .infinity
    leastPlace = Self.place(ofValue: least)
    placeCount = least <= most ? Self.place(ofValue: most) &- leastPlace &+ 1 : 0
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

  /// 1 if a sample with a value matches as far as that goes, else 0.
  @inline(__always)
  func matches(value: Double) -> Int {
    Self.place(ofValue: value) &- leastPlace < placeCount ? 1 : 0
  }

  /// The place of a value among all, modulo 2^64: doubles, which are compared by branches, as whole numbers,
  /// which are not. What is no number has a place beyond the infinities.
  @inline(__always)
  private static func place(ofValue value: Double) -> UInt64 {
    let bits = Int64(bitPattern: value.bitPattern)
    return UInt64(bitPattern: bits ^ Int64(bitPattern: UInt64(bitPattern: bits &>> 63) &>> 1))
  }

  /// 1 if a sample matches, else 0.
  ///
  /// - Parameter hasValue: 1 if it has a value, else 0.
  @inline(__always)
  func matches(
    source: UInt32, start: Int64, end: Int64, value: Double, hasValue: Int
  ) -> Int {
    // Negative where a time lies beyond a bound.
    let room =
      (start &- earliestStart) | (latestStart &- start) | (end &- earliestEnd)
      | (latestEnd &- end)
    let misfit = Int64((source ^ self.source) & sourceMask) | (room &>> 63)
    return (misfit == 0 ? 1 : 0) & (hasValue & matches(value: value) | takesAnyValue)
  }
}
