import CKernels
import Kernels

/// Decodes the integers of a column many rows at a time, on processor paths that can.
///
/// Unsafe inside, as it runs for every event of a trace.
@safe struct SIMDColumnCursor {
  /// The widest mantissa, in bits.
  static let maximumBits = Int(KERNELS_MANTISSA_BITS)
  /// Bytes after symbols, and after mantissas, that may be loaded; their values have no effect.
  static let padding = Int(KERNELS_PADDING)

  private var column: kernels_column
  private let path: ProcessorPath

  /// - Precondition: ``padding`` bytes after its symbols and mantissas may be read; the path
  ///   ``ProcessorPath/expandsColumns``.
  init(column: kernels_column, path: ProcessorPath) {
    unsafe self.column = column
    self.path = path
  }

  /// Whether exactly all mantissas were taken.
  var isAtEnd: Bool { unsafe (column.bit + 7) / 8 == column.end / 8 }

  /// Writes prefix sums: `time` plus the integers of rows, times `unit`. False if mantissas run out.
  ///
  /// - Precondition: The rows are the column's and follow those of the call before.
  mutating func expandTimes(
    _ rows: Range<Int>, from time: Int64, unit: Int64, into times: UnsafeMutablePointer<Int64>
  ) -> Bool {
    unsafe kernels_expand_times(
      path.kernelsPath, &column, rows.lowerBound, rows.count, unit, time, times + rows.lowerBound)
  }

  /// Writes the event keys that rows name. False if mantissas run out, or if a row names no key.
  ///
  /// - Parameter home: The home source of their run.
  /// - Precondition: The rows are the column's and follow those of the call before.
  mutating func expandKeys(
    _ rows: Range<Int>, _ keys: kernels_event_keys, home: UInt32, into columns: kernels_rows
  ) -> Bool {
    unsafe kernels_expand_keys(
      path.kernelsPath, &column, rows.lowerBound, rows.count, keys, home, columns)
  }
}

extension ProcessorPath {
  /// Whether a ``SIMDColumnCursor`` can use the path.
  var expandsColumns: Bool { kernels_expands_columns(kernelsPath) }
}
