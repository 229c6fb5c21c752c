internal import Glibc

/// A high-dynamic-range histogram of durations in whole nanoseconds.
///
/// Values from 0 to `Int64.max` (292 years) are counted in buckets no wider than 1/1024 of their
/// values, so every value is known to 3 significant decimal digits (a relative error below 0.1 %),
/// and those below 2048 exactly. The layout and the meaning of percentiles are HdrHistogram's
/// (unit 1, 3 digits, 2048 sub-buckets). Sum, minimum and maximum are kept exactly, and with the
/// maximum the place where it happened.
///
/// The counts take 432 KiB whatever is recorded, allocated when the histogram is made: recording never
/// allocates and never traps. They are touched then too, unless ``init(isTouched:)`` is told not to: so
/// recording never faults a page in for the first time either.
///
/// ```swift
/// var latencies = Histogram()
/// latencies.record(1_250, position: 17)
/// latencies.value(atPercentile: 99.9)  // 1250
/// latencies.maximumPosition            // 17
/// ```
///
/// A histogram owns its memory and is not copied by accident: use ``copy()``, or keep a
/// ``Summary``. One thread records into it at a time; threads that have their own ``merge(_:)``
/// them.
@safe
public struct Histogram: ~Copyable {
  /// One count for each bucket of ``Layout``.
  @usableFromInline
  let counts: UnsafeMutablePointer<Int>

  @usableFromInline
  var total = 0

  /// The sum of all values; `total` values below 2^63 cannot overflow it.
  @usableFromInline
  var sum: UInt128 = 0

  @usableFromInline
  var lowest = Int64.max

  /// -1 while there is no value, so that any value exceeds it.
  @usableFromInline
  var highest: Int64 = -1

  /// The least position recorded with `highest`; `Int.max` for none.
  @usableFromInline
  var highestPosition = Int.max

  var clamped = 0

  /// Makes an empty histogram.
  ///
  /// - Parameter isTouched: Whether its memory is there from the beginning; else what is recorded makes
  ///   it so, page by page, which costs less in all where values are few.
  /// - Complexity: O(1), but 432 KiB are written if it is touched.
  public init(isTouched: Bool = true) {
    // Unlike `allocate`, this takes pages that are zero as they come from the system.
    guard let memory = unsafe calloc(Layout.bucketCount, MemoryLayout<Int>.stride) else {
      preconditionFailure("there is no memory for a histogram")
    }
    unsafe counts = memory.bindMemory(to: Int.self, capacity: Layout.bucketCount)
    if isTouched { unsafe counts.initialize(repeating: 0, count: Layout.bucketCount) }
  }

  deinit {
    unsafe free(counts)
  }
}

// The memory behind `counts` belongs to this value alone and changes only through exclusive access
// to it, so the value may move to another thread like one that holds an array.
extension Histogram: @unchecked Sendable {}

extension Histogram {
  /// Counts `value`, `count` times.
  ///
  /// A negative value counts as 0, and no more are counted than an `Int` can number; both are told
  /// by ``clampedCount``. A `count` below 1 records nothing.
  ///
  /// - Parameters:
  ///   - value: nanoseconds.
  ///   - count: how often it occurred.
  ///   - position: where, for example the event's place in the trace; see ``maximumPosition``.
  /// - Complexity: O(1); no allocation.
  @inlinable
  public mutating func record(_ value: Int64, count: Int = 1, position: Int? = nil) {
    guard value >= 0, count > 0, count <= Int.max &- total else {
      recordClamped(value, count: count, position: position)
      return
    }
    // In bounds: the layout has a bucket for every value that is not negative.
    let bucket = Layout.bucket(of: value)
    unsafe counts[bucket] &+= count
    total &+= count
    sum &+= UInt128(truncatingIfNeeded: value) &* UInt128(truncatingIfNeeded: count)
    if value < lowest { lowest = value }
    if value >= highest { raiseMaximum(to: value, position: position ?? .max) }
  }

  /// Notes a value that is not below the maximum; of equal ones the least position is kept, so that
  /// neither the order of recording nor that of merging matters.
  @inlinable
  mutating func raiseMaximum(to value: Int64, position: Int) {
    if value > highest {
      highest = value
      highestPosition = position
    } else if position < highestPosition {
      highestPosition = position
    }
  }

  /// ``record(_:count:position:)`` where something does not fit.
  @usableFromInline
  @inline(never)
  mutating func recordClamped(_ value: Int64, count: Int, position: Int?) {
    guard count > 0 else { return }
    let fitting = min(count, Int.max - total)
    noteClamped(value < 0 ? count : count - fitting)
    if fitting > 0 { record(max(value, 0), count: fitting, position: position) }
  }

  mutating func noteClamped(_ count: Int) {
    let (sum, overflows) = clamped.addingReportingOverflow(count)
    clamped = overflows ? .max : sum
  }

  /// Forgets everything recorded.
  ///
  /// - Complexity: O(number of buckets), 55,296.
  public mutating func removeAll() {
    unsafe counts.update(repeating: 0, count: Layout.bucketCount)
    total = 0
    sum = 0
    lowest = .max
    highest = -1
    highestPosition = .max
    clamped = 0
  }

  /// A histogram of its own with the same contents.
  ///
  /// - Complexity: O(number of buckets), 55,296.
  public func copy() -> Histogram {
    var copy = Histogram()
    copy.merge(self)
    return copy
  }

  /// Adds what `other` recorded.
  ///
  /// The result does not depend on the order of merging. If the maxima are equal the lesser
  /// position is kept.
  ///
  /// - Complexity: O(number of buckets between the least and the greatest value), at most 55,296.
  public mutating func merge(_ other: borrowing Histogram) {
    var taken = 0
    let (first, last) = (Layout.bucket(of: other.lowest), Layout.bucket(of: max(other.highest, 0)))
    // Of one that is empty, the lowest is the greatest there is.
    for bucket in min(first, last)...last {
      let count = unsafe min(other.counts[bucket], Int.max - total)
      unsafe counts[bucket] &+= count
      total += count
      taken += count
    }
    noteClamped(other.clamped)
    noteClamped(other.total - taken)
    sum &+= other.sum
    lowest = min(lowest, other.lowest)
    if other.highest >= highest {
      raiseMaximum(to: other.highest, position: other.highestPosition)
    }
  }
}
