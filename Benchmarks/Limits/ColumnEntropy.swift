import Foundation
import WakeEvents
import WakeTrace

/// The bits that the columns of blocks hold, by the model that the trace format is made for.
///
/// For each block and by its own frequencies, as if an ideal code had been told them for nothing: the
/// entropy of the bit-lengths of the steps from one time of a run to the next, in the block's greatest
/// common unit; as many bits as a step has below its highest one; and the entropy of the marks, which are
/// kind, type and source of an event taken together. Events count as independent of those before them.
/// Not counted: names, lists of marks, headers, and what other inputs than saves and deletes have.
struct ColumnEntropy {
  private(set) var bits = 0.0

  /// Adds a block.
  mutating func add(_ columns: borrowing InputColumns, runs: [Range<Int>]) {
    var steps: [Int64] = []
    steps.reserveCapacity(columns.count)
    for run in runs {
      var previous = columns.times[run.lowerBound]
      for row in run {
        steps.append(columns.times[row] - previous)
        previous = columns.times[row]
      }
    }
    var unit: UInt64 = 0
    for step in steps { unit = Self.commonDivisor(unit, step.magnitude) }
    var lengths: [Int: Int] = [:]
    for step in steps {
      let size = 64 - (step.magnitude / max(1, unit)).leadingZeroBitCount
      lengths[step < 0 ? -size : size, default: 0] += 1
      bits += Double(max(0, size - 1))
    }
    var marks: [UInt64: Int] = [:]
    for row in 0..<columns.count {
      let kind = UInt64(columns.kinds[row])
      // Where other inputs stand in their list is no part of a mark.
      let isSample = kind <= UInt64(InputKind.delete.rawValue)
      let subject = isSample ? UInt64(columns.types[row]) << 32 | UInt64(columns.sources[row]) : 0
      marks[subject << 5 | kind, default: 0] += 1
    }
    bits += Self.entropy(lengths.values, columns.count) + Self.entropy(marks.values, columns.count)
  }

  private static func entropy(_ counts: some Sequence<Int>, _ total: Int) -> Double {
    counts.reduce(0) { $0 + Double($1) * log2(Double(total) / Double($1)) }
  }

  private static func commonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}
