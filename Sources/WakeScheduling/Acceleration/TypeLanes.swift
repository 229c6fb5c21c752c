import CKernels
import Kernels

// Acceleration `typeLanes`.
//
// Rule: 5.1, saves and deletes that are only counted.
// Plain: `rowBatches` counts them four at a time, each by its type.
// Here: 16 at a time, in lanes of vectors that have a counter for each type. The sums are added at the end of a run; rows of
// types that nobody subscribes to are not counted.
// Condition: as for `rowBatches`; no type with an index of ``TypeLanes/mostTypes`` or more has ever had a subscription; the
// path has a kernel; some rows in turn were only counted, and more come before the next timer. As the sums take as long as 40
// rows of 5 types or 170 of 31, twice as many rows must be counted in turn after each time that was too short.
// Tests: DifferentialTests, TypeLanesTests, OtherKernelTests.
// Gain: 0.47 to 0.10 ns a row of 5 types in runs of 200 rows; 0.47 to 0.22 ns, of 20 types in runs of 500 (AMD Zen 4).
struct TypeLanes {
  static let mostTypes = Int(KERNELS_COUNTED_TYPES)
  /// At least so many rows must come before the next timer.
  static let enoughRows = 32
  /// So many rows are counted four at a time first; 0 if none are counted in lanes.
  private(set) var firstRows: Int

  // Not one tuple: Swift would ask each time whether it is made already.
  private static let leastFirst = 32
  private static let mostFirst = 1_024

  /// - Parameter isOn: Whether rows are counted in lanes.
  @inline(__always)
  init(isOn: Bool) { firstRows = isOn ? Self.leastFirst : 0 }

  /// Chooses ``firstRows`` for the next time.
  ///
  /// - Parameters:
  ///   - rows: How many were counted at once.
  ///   - types: How many types may be counted: so long do the sums take.
  @inline(__always)
  mutating func note(_ rows: Int, types: Int) {
    let isLong = rows >= 16 &+ 5 &* types
    firstRows = isLong ? Self.leastFirst : min(2 &* firstRows, Self.mostFirst)
  }
}

extension SchedulerCore {
  /// Whether rows may be counted so.
  @inline(__always)
  func countsInLanes(_ path: ProcessorPath) -> Bool {
    accelerations.contains(.typeLanes) && coalescer.rosters.count <= TypeLanes.mostTypes
      && kernels_counts_types(path.kernelsPath)
  }

  /// Counts rows from the first one on that are only counted.
  ///
  /// - Parameter rows: Saves and deletes before the next timer; not beyond the columns. Those of a type that is not known yet
  ///   pass, as nobody subscribes to it.
  /// - Returns: A row before which all are counted: the first that is more than a count, or the end of the rows, or up to 15
  ///   before.
  @inline(never)
  mutating func countInLanes(
    _ types: borrowing Span<UInt32>, rows: Range<Int>, _ path: ProcessorPath
  ) -> Int {
    let typeCount = coalescer.rosters.count
    precondition(typeCount <= TypeLanes.mostTypes, "\(typeCount) types")
    // The kernel looks at the types of `rows`, which are below 2^30 as each has a count, and at counts of types that have
    // rosters, all of which have counts.
    let counts = unsafe UnsafeMutableRawPointer(coalescer.typeCounts.unsafeValues.baseAddress)?
      .assumingMemoryBound(to: kernels_type_count.self)
    let counted = unsafe types.extracting(rows).withUnsafeBufferPointer { types in
      unsafe kernels_count_types(
        path.kernelsPath, types.baseAddress, types.count, typeCount, counts)
    }
    return rows.lowerBound + counted
  }
}
