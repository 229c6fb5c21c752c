import WakeEvents

/// Rows of columns about which nothing needs care but what they are saves of: saves and deletes of known
/// types, none late.
///
/// That is found out for some rows at once, with instructions that take several of them each, so that
/// it costs less than to ask it row by row.
enum OrderlyRows {
  /// How many rows are looked at together: enough to share the cost of a look, few enough that one row
  /// that needs care spoils it for few others.
  static let length = 128
  /// Fewer are taken one by one.
  static let least = 16

  /// The number of deletes among rows; nil if something about them needs care.
  ///
  /// - Parameters:
  ///   - rows: At least one row, within all columns.
  ///   - present: What no time may be before.
  ///   - typeCount: What every type must be below: a power of two, or 0.
  @inline(__always)
  static func deletes(
    times: borrowing Span<Int64>, kinds: borrowing Span<UInt8>, types: borrowing Span<UInt32>,
    rows: Range<Int>, from present: Int64, typeCount: Int
  ) -> Int? {
    let first = rows.lowerBound
    guard unsafe times[unchecked: first] >= present else { return nil }
    // Negative if a time lies before its predecessor: no two valid ones are too far apart for that.
    var steps: Int64 = 0
    for row in first + 1..<rows.upperBound {
      unsafe steps |= times[unchecked: row] &- times[unchecked: row &- 1]
    }
    var anyType: UInt32 = 0
    for row in rows { unsafe anyType |= types[unchecked: row] }
    var anyKind: UInt8 = 0
    for row in rows { unsafe anyKind |= kinds[unchecked: row] }
    guard steps >= 0, Int(anyType) < typeCount, anyKind <= InputKind.delete.rawValue else {
      return nil
    }
    guard anyKind != 0 else { return 0 }
    var deletes = 0
    for row in rows { deletes &+= Int(unsafe kinds[unchecked: row]) }
    return deletes
  }
}
