internal import Glibc

/// A high-dynamic-range histogram of durations in whole nanoseconds.
///
/// It covers 0 to `Int64.max` (292 years) with a relative error below 0.1 % (3 significant digits), and counts
/// values below 2048 exactly. The layout and the definition of percentiles are HdrHistogram's (unit 1, 3 digits,
/// 2048 sub-buckets). Sum, minimum, maximum and the maximum's position are exact.
///
/// The counts take 540 KiB, mapped by `init`, so recording never allocates. By default `init` also touches
/// the memory, so recording causes no page faults. With `isTouched` false a histogram of few values uses few pages: most counts
/// are small, and have 16 bits.
///
/// ```swift
/// var latencies = Histogram()
/// latencies.record(1_250, position: 17)
/// latencies.value(atPercentile: 99.9)  // 1250
/// latencies.maximumPosition            // 17
/// ```
///
/// A histogram owns its memory and is not copyable: ``merge(_:)`` copies the values of one into another. For several
/// threads, give each its own and merge them.
@safe
public struct Histogram: ~Copyable {
  /// The count of each bucket of ``Layout``, modulo 2^16.
  @usableFromInline
  let lowCounts: UnsafeMutablePointer<UInt16>

  /// The rest of each count, in units of 2^16.
  private let highCounts: UnsafeMutablePointer<Int>

  /// A bit for each ``pageSize`` buckets: whether any of their high counts is not 0. Of the others nobody reads any.
  private var carriedPages: UInt128 = 0

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

  /// Makes an empty histogram. Where the system has no memory, the process ends, as it does for Swift's own arrays.
  ///
  /// - Parameter isTouched: Whether to touch all memory now. If not, recording faults pages in, which costs
  ///   less in all if values are few.
  /// - Complexity: O(number of buckets) if touched, else O(1).
  public init(isTouched: Bool = true) {
    // The system's own zero pages: calloc writes zeros where memory was in use before.
    let mapped = unsafe mmap(
      nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe mapped, unsafe memory != MAP_FAILED else {
      preconditionFailure("there is no memory for a histogram")
    }
    // The number of buckets is a multiple of four, so that the high counts are aligned.
    unsafe highCounts = (memory + Self.lowBytes)
      .bindMemory(to: Int.self, capacity: Layout.bucketCount)
    unsafe lowCounts = memory.bindMemory(to: UInt16.self, capacity: Layout.bucketCount)
    if isTouched {
      unsafe lowCounts.initialize(repeating: 0, count: Layout.bucketCount)
      unsafe highCounts.initialize(repeating: 0, count: Layout.bucketCount)
    }
  }

  deinit {
    // If that fails, as by a limit of mappings of which this one was part, the memory stays.
    _ = unsafe munmap(lowCounts, Self.bytes)
  }

  private static let lowBytes = Layout.bucketCount * MemoryLayout<UInt16>.stride
  private static let bytes = lowBytes + Layout.bucketCount * MemoryLayout<Int>.stride

  /// The high counts of so many buckets are a page of memory; there are 108 pages.
  private static let pageSize = 512

  /// Whether the high count of a bucket may not be 0, or one of its page.
  private func mayBeHigh(_ bucket: Int) -> Bool {
    carriedPages >> UInt128(truncatingIfNeeded: bucket / Self.pageSize) & 1 != 0
  }

  /// The count of a bucket.
  func count(ofBucket bucket: Int) -> Int {
    let low = unsafe Int(lowCounts[bucket])
    return mayBeHigh(bucket) ? unsafe low &+ (highCounts[bucket] &<< 16) : low
  }

  /// So many buckets are counted together; the number of all is a multiple, and that of a page's.
  static let blockSize = 64

  /// The count of ``blockSize`` buckets together, of which the first has a multiple of that as its number.
  func count(ofBlockFrom first: Int) -> Int {
    let block = first..<first + Self.blockSize
    var low: UInt32 = 0
    for bucket in block { unsafe low &+= UInt32(lowCounts[bucket]) }
    guard mayBeHigh(first) else { return Int(low) }
    var high = 0
    for bucket in block { unsafe high &+= highCounts[bucket] }
    return Int(low) &+ high &<< 16
  }

  /// Whether any of eight buckets may have a count, of which the first has a multiple of eight as its number.
  func mayHaveCounts(inEightFrom first: Int) -> Bool {
    // Most buckets are empty.
    let low = unsafe UnsafeRawPointer(lowCounts + first)
    return unsafe low.load(as: UInt64.self) | low.load(fromByteOffset: 8, as: UInt64.self) != 0
      || mayBeHigh(first)
  }

  /// Adds to the count of a bucket. All counts together must not exceed `Int.max`.
  @inlinable
  @inline(__always)
  mutating func add(_ count: Int, toBucket bucket: Int) {
    let sum = unsafe Int(lowCounts[bucket]) &+ count
    unsafe lowCounts[bucket] = UInt16(truncatingIfNeeded: sum)
    if sum >> 16 > 0 { carry(sum >> 16, toBucket: bucket) }
  }

  @usableFromInline
  @inline(never)
  mutating func carry(_ count: Int, toBucket bucket: Int) {
    unsafe highCounts[bucket] &+= count
    carriedPages |= 1 << UInt128(truncatingIfNeeded: bucket / Self.pageSize)
  }
}

// Only this value refers to its memory, which changes only by exclusive access to the value, so the value may move to
// another thread.
extension Histogram: @unchecked Sendable {}

extension Histogram {
  /// Counts `value`, `count` times.
  ///
  /// A negative value counts as 0, and the total is limited to `Int.max`; ``clampedCount`` counts both cases.
  /// A `count` below 1 records nothing.
  ///
  /// - Parameters:
  ///   - value: Nanoseconds.
  ///   - count: How often it occurred.
  ///   - position: Where it occurred, such as an event's number; see ``maximumPosition``.
  /// - Complexity: O(1); no allocation.
  @inlinable
  public mutating func record(_ value: Int64, count: Int = 1, position: Int? = nil) {
    let (newTotal, overflows) = total.addingReportingOverflow(count)
    guard value >= 0, count > 0, !overflows else {
      recordClamped(value, count: count, position: position)
      return
    }
    // In bounds: the layout has a bucket for every value that is not negative.
    add(count, toBucket: Layout.bucket(of: value))
    total = newTotal
    sum &+= UInt128(truncatingIfNeeded: value) &* UInt128(truncatingIfNeeded: count)
    if value < lowest { lowest = value }
    if value >= highest { raiseMaximum(to: value, position: position ?? .max) }
  }

  /// Counts several values, each once and without a position, as ``record(_:count:position:)`` does.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - value: Each of them; a negative one is left out.
  /// - Complexity: O(count); no allocation.
  @inlinable
  @inline(__always)
  public mutating func record(each count: Int, _ value: (Int) -> Int64) {
    guard count <= Int.max &- total else {
      for place in 0..<count where value(place) >= 0 { record(value(place)) }
      return
    }
    var (recorded, sum) = (0, UInt128(0))
    var (least, most) = (lowest, highest)
    for place in 0..<count {
      let value = value(place)
      guard value >= 0 else { continue }
      // In bounds: the layout has a bucket for every value that is not negative.
      add(1, toBucket: Layout.bucket(of: value))
      recorded &+= 1
      sum &+= UInt128(truncatingIfNeeded: value)
      least = min(least, value)
      most = max(most, value)
    }
    total &+= recorded
    self.sum &+= sum
    lowest = least
    if most > highest { raiseMaximum(to: most, position: .max) }
  }

  /// Records a value that is not below the maximum. Of equal maxima the least position is kept, so the result
  /// does not depend on the order of recording or merging.
  @inlinable
  mutating func raiseMaximum(to value: Int64, position: Int) {
    if value > highest {
      highest = value
      highestPosition = position
    } else if position < highestPosition {
      highestPosition = position
    }
  }

  /// ``record(_:count:position:)`` for values and counts out of range.
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

  /// Adds the values of another histogram. The result does not depend on the order of merging.
  ///
  /// - Complexity: O(number of buckets between the least and the greatest value), at most 55,296.
  public mutating func merge(_ other: borrowing Histogram) {
    var taken = 0
    // A write of zero would touch memory that this histogram need not have.
    other.forEachPlace { bucket in
      let count = min(other.count(ofBucket: bucket), Int.max - total)
      add(count, toBucket: bucket)
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
