import CKernels
import Kernels

// Acceleration `typeLanes`.
//
// Rule: 5.1, saves and deletes that are only counted.
// Plain: `rowBatches` counts them four at a time, each by its type.
// Here: 16 at a time, in lanes of vectors that have a counter for each type. The counts of the types that have subscriptions
// are added up at the end of a run; those of other types mean nothing.
// Condition: as for `rowBatches`; no type behind the first ``mostTypes`` has a subscription; the path has a kernel; and more
// rows than ``SchedulerCore/fewRows`` were only counted one after the other, as in shorter runs the sums take longer than
// they save.
// Tests: DifferentialTests, TypeLanesTests, OtherKernelTests.
// Gain: 0.47 to 0.10 ns a row of 5 types in runs of 200 rows; 0.47 to 0.22 ns, of 20 types in runs of 500 (AMD Zen 4).
enum TypeLanes {
  static let mostTypes = Int(KERNELS_COUNTED_TYPES)
  /// So many rows are counted four at a time first.
  static let fewRows = 32
  /// So many more there must be.
  static let enoughRows = 32
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
  /// - Parameter rows: Saves and deletes before the next timer; not beyond the columns.
  /// - Returns: A row before which all are counted: the first that is more than a count, or the end of the rows, or up to 15
  ///   before.
  @inline(never)
  mutating func countInLanes(
    _ types: borrowing Span<UInt32>, rows: Range<Int>, _ path: ProcessorPath
  ) -> Int {
    let typeCount = coalescer.rosters.count
    let inWord = Int(KERNELS_TYPES_IN_WORD)
    var attention = InlineArray<4, UInt32>(repeating: 0)
    for type in 0..<typeCount where !coalescer.typeCounts[type].attention.isNone {
      attention[type / inWord] |= 1 &<< UInt32(type % inWord * (UInt32.bitWidth / inWord))
    }
    var counts = InlineArray<32, UInt16>(repeating: 0)
    var sums = counts.mutableSpan
    // The kernel looks at the types of `rows`, which are below 2^30 as each has a count, and adds to all of `counts`.
    let counted = unsafe types.extracting(rows).withUnsafeBufferPointer { types in
      unsafe attention.span.withUnsafeBufferPointer { attention in
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          unsafe kernels_count_types(
            path.kernelsPath, types.baseAddress, types.count, typeCount, attention.baseAddress,
            sums.baseAddress)
        }
      }
    }
    for type in 0..<typeCount { coalescer.typeCounts[type].first &+= counts[type] }
    return rows.lowerBound + counted
  }
}
