import Foundation
import WakeEvents
import WakeTrace

/// The entropy of the columns of blocks, in bits, by the model of the trace format.
///
/// It is the sum, for each block and by the frequencies within the block, of: the entropy of the bit lengths of
/// the steps between successive times of a run, in the block's greatest common unit; the bits of each step below
/// its highest one; and the entropy of the event keys (kind, type and source). Events count as independent. The
/// frequencies themselves, names, lists of keys, headers, and the fields of inputs other than saves and deletes
/// are not counted.
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
    var keys: [UInt64: Int] = [:]
    for row in 0..<columns.count {
      let kind = UInt64(columns.kinds[row])
      // The key of another input is its kind alone.
      let isSample = kind <= UInt64(InputKind.delete.rawValue)
      let subject = isSample ? UInt64(columns.types[row]) << 32 | UInt64(columns.sources[row]) : 0
      keys[subject << 5 | kind, default: 0] += 1
    }
    bits += Self.entropy(lengths.values, columns.count) + Self.entropy(keys.values, columns.count)
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
