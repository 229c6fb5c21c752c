import CScheduling
import WakeEvents

/// Rows of columns about which nothing needs care but what they are saves of: saves and deletes of known
/// types, none late.
///
/// That is found out for some rows at once, with instructions that take several of them each, so that
/// it costs less than to ask it row by row.
enum OrderlyRows {
  /// How many rows are looked at together: enough to share the cost of a look, few enough that one row
  /// that needs care spoils it for few others, and that a byte holds their number.
  static let length = 128
  /// Fewer are taken one by one.
  static let least = 16

  /// The number of deletes among rows; nil if something about them needs care.
  ///
  /// - Parameters:
  ///   - rows: At least one row and at most ``length``, within all columns.
  ///   - present: What no time may be before.
  ///   - typeCount: What every type must be below: a power of two, or 0.
  ///   - byEights: Whether the processor has what that takes.
  @inline(__always)
  static func deletes(
    times: borrowing Span<Int64>, kinds: borrowing Span<UInt8>, types: borrowing Span<UInt32>,
    rows: Range<Int>, from present: Int64, typeCount: Int, byEights: Bool
  ) -> Int? {
    let first = rows.lowerBound
    if byEights {
      let deletes = unsafe times.withUnsafeBufferPointer { times in
        unsafe kinds.withUnsafeBufferPointer { kinds in
          unsafe types.withUnsafeBufferPointer { types -> Int32 in
            guard let times = times.baseAddress, let kinds = kinds.baseAddress,
              let types = types.baseAddress
            else { return -1 }
            return unsafe orderly_deletes(
              times + first, kinds + first, types + first, rows.count, present, typeCount)
          }
        }
      }
      return deletes < 0 ? nil : Int(deletes)
    }
    guard unsafe times[unchecked: first] >= present else { return nil }
    // Negative if a time lies before its predecessor: no two valid ones are too far apart for that.
    var steps: Int64 = 0
    for row in first + 1..<rows.upperBound {
      unsafe steps |= times[unchecked: row] &- times[unchecked: row &- 1]
    }
    var anyType: UInt32 = 0
    for row in rows { unsafe anyType |= types[unchecked: row] }
    var anyKind: UInt8 = 0
    var deletes: UInt8 = 0
    for row in rows {
      unsafe anyKind |= kinds[unchecked: row]
      unsafe deletes &+= kinds[unchecked: row]
    }
    guard steps >= 0, Int(anyType) < typeCount, anyKind <= InputKind.delete.rawValue else {
      return nil
    }
    return Int(deletes)
  }

  /// The first of rows in the order of time that is not before one; the last of them is not.
  @inline(__always)
  static func first(
    notBefore time: Int64, times: borrowing Span<Int64>, rows: Range<Int>
  ) -> Int {
    var first = rows.lowerBound
    // Often something is due again at once.
    guard unsafe times[unchecked: first] < time else { return first }
    var count = rows.count
    while count > 1 {
      let half = count / 2
      // No branch, as it is hard to predict: all ones if the half before is before the time.
      let isBefore = unsafe (times[unchecked: first &+ half &- 1] &- time) &>> 63
      first &+= half & Int(isBefore)
      count &-= half
    }
    return first
  }
}
