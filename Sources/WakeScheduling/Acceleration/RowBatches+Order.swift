import CKernels
import Kernels
import WakeEvents

// What `RowBatches.swift` looks up in columns: their order, their last input, their deletes, and the first
// row from a time on.
extension SchedulerCore {
  /// Rows whose order is checked together, where no decoder has checked it.
  static let rowsChecked = 1_024

  enum RowOrder {
    /// Saves and deletes of known types in time order, none of them late.
    case samples(Orderliness)
    /// Inputs of all kinds in time order, none of them late.
    case mixed
    /// Anything.
    case none
  }

  // Mutating for speed alone: for another call the compiler moves the whole struct through memory.
  mutating func checkOrder(
    _ columns: borrowing RowColumns, rows: Range<Int>, _ path: ProcessorPath
  ) -> RowOrder {
    guard unsafe columns.times[rows.lowerBound] >= present else { return .none }
    let times = unsafe columns.times.span.extracting(rows)
    let kinds = unsafe columns.kinds.span.extracting(rows)
    let types = unsafe columns.types.span.extracting(rows)
    // The kernel looks at all three columns of `rows`. Valid times are too close for an overflow.
    let bounds = unsafe times.withUnsafeBufferPointer { times in
      unsafe kinds.withUnsafeBufferPointer { kinds in
        unsafe types.withUnsafeBufferPointer { types in
          unsafe kernels_bound_rows(
            path.kernelsPath, times.baseAddress, kinds.baseAddress, types.baseAddress, rows.count)
        }
      }
    }
    guard bounds.is_ordered else { return .none }
    guard bounds.kinds <= InputKind.delete.rawValue else { return .mixed }
    // The bits of all types together are no less than the highest type. Unknown types that have a count need attention.
    let count = coalescer.typeCounts.count
    guard Int(bounds.types) < count || Self.areAll(types, below: UInt32(count)) else {
      return .none
    }
    return .samples(Orderliness(typeEnd: coalescer.knownTypes, hasDeletes: bounds.kinds > 0))
  }

  /// The last input among rows, or the first row: after it, observations may follow, which are no inputs (rules, 11).
  static func lastInput(of columns: borrowing RowColumns, in rows: Range<Int>) -> Int {
    var last = rows.upperBound &- 1
    while last > rows.lowerBound, columns.kind(at: last) == .observed { last &-= 1 }
    return last
  }

  static func areAll(_ types: borrowing Span<UInt32>, below end: UInt32) -> Bool {
    var highest: UInt32 = 0
    for row in types.indices { highest = max(highest, types[row]) }
    return highest < end
  }

  /// How many of rows that are saves and deletes are deletes.
  @inline(__always)
  static func countDeletes(in columns: borrowing RowColumns, rows: Range<Int>) -> Int {
    // Devices that interleave have short runs, for which no loop is set up here.
    let rowsOfTwoWords = 16
    guard rows.count <= rowsOfTwoWords,
      unsafe columns.kinds.count &- rows.lowerBound >= rowsOfTwoWords
    else {
      return count(.delete, in: columns, rows: rows)
    }
    let kinds = unsafe UnsafeRawBufferPointer(columns.kinds)
    // The guard has checked that both words are in the columns. Each byte is 0 or 1. Those behind the rows are shifted out: of
    // eight rows or fewer the whole second word.
    let first = UInt64(
      littleEndian: unsafe kinds.loadUnaligned(fromByteOffset: rows.lowerBound, as: UInt64.self))
    let second = UInt64(
      littleEndian: unsafe kinds.loadUnaligned(
        fromByteOffset: rows.lowerBound &+ 8, as: UInt64.self))
    let bits = rows.count &* 8
    let kept = first << max(64 &- bits, 0) &+ second << (128 &- bits)
    return Int(truncatingIfNeeded: (kept &* 0x0101_0101_0101_0101) &>> 56)
  }

  /// How many rows are of a kind.
  @inline(__always)
  static func count(_ kind: InputKind, in columns: borrowing RowColumns, rows: Range<Int>) -> Int {
    let kinds = unsafe columns.kinds.span
    var count = 0
    var start = rows.lowerBound
    while start < rows.upperBound {
      // So few fit a byte: the compiler adds bytes side by side.
      let end = min(start &+ 240, rows.upperBound)
      var part: UInt8 = 0
      // Unchecked: no row is beyond the columns.
      // 1 for the kind, else 0, as kinds are below 128.
      for row in start..<end {
        part &+= ((unsafe kinds[unchecked: row] ^ kind.rawValue) &- 1) &>> 7
      }
      count &+= Int(part)
      start = end
    }
    return count
  }

  /// The first of rows in time order that is not before a time, or their end: in steps that double, then by halves.
  static func firstRow(
    of columns: borrowing RowColumns, in rows: Range<Int>, notBefore time: Int64
  ) -> Int {
    let times = unsafe columns.times.span
    // Unchecked: no row is beyond the columns.
    var low = rows.lowerBound
    guard low < rows.upperBound, unsafe times[unchecked: low] < time else { return low }
    if rows.count <= rowsChecked, unsafe times[unchecked: rows.upperBound &- 1] < time {
      return rows.upperBound
    }
    var count = 32
    while low &+ count < rows.upperBound, unsafe times[unchecked: low &+ count] < time {
      low &+= count
      count &*= 2
    }
    count = min(count, rows.upperBound &- low)
    while count > 1 {
      // Without branches, as the outcome is hard to predict.
      let half = count / 2
      low = unsafe times[unchecked: low &+ half] < time ? low &+ half : low
      count &-= half
    }
    return low &+ 1
  }
}
