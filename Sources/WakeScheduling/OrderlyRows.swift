import CScheduling
import WakeEvents

/// Rows of columns about which nothing needs care but what they are saves of: saves and deletes of known
/// types, none late.
///
/// That is found out for some rows at once, with instructions that take several of them each, so that
/// it costs less than to ask it row by row.
struct OrderlyRows: Equatable {
  /// How many they are.
  var count: Int
  /// How many of them are deletes.
  var deletes: Int

  /// How many rows are looked at together: enough to share the cost of a look, few enough that a byte holds
  /// their number.
  static let length = 128
  /// Fewer are taken one by one.
  static let least = 16

  /// All of at most ``length`` rows of which somebody else is sure.
  @inline(__always)
  init(_ orderliness: Orderliness, kinds: Span<UInt8>) {
    count = kinds.count
    deletes = orderliness.hasDeletes ? Self.deletes(among: kinds) : 0
  }

  init(count: Int, deletes: Int) {
    self.count = count
    self.deletes = deletes
  }

  /// The first of rows, as long as nothing about them needs care; one by one all or none, as that costs less.
  ///
  /// - Parameters:
  ///   - times: Of at least one row and at most ``length``, as kinds and types.
  ///   - present: What no time may be before.
  ///   - typeCount: What every type must be below: a power of two, or 0.
  ///   - byEights: Whether the processor has what that takes.
  @inline(__always)
  static func leading(
    times: Span<Int64>, kinds: Span<UInt8>, types: Span<UInt32>, from present: Int64,
    typeCount: Int, byEights: Bool
  ) -> OrderlyRows {
    guard byEights else {
      return allOrNone(
        times: times, kinds: kinds, types: types, from: present, typeCount: typeCount)
    }
    let count = times.count
    return unsafe times.withUnsafeBufferPointer { times in
      unsafe kinds.withUnsafeBufferPointer { kinds in
        unsafe types.withUnsafeBufferPointer { types in
          guard let times = times.baseAddress, let kinds = kinds.baseAddress,
            let types = types.baseAddress
          else { return OrderlyRows(count: 0, deletes: 0) }
          var deletes = 0
          let orderly = unsafe orderly_rows(
            times, kinds, types, count, present, typeCount, &deletes)
          return OrderlyRows(count: orderly, deletes: deletes)
        }
      }
    }
  }

  /// All rows or none.
  @inline(__always)
  private static func allOrNone(
    times: Span<Int64>, kinds: Span<UInt8>, types: Span<UInt32>, from present: Int64,
    typeCount: Int
  ) -> OrderlyRows {
    let none = OrderlyRows(count: 0, deletes: 0)
    guard unsafe times[unchecked: 0] >= present else { return none }
    // Negative if a time lies before its predecessor: no two valid ones are too far apart for that.
    var steps: Int64 = 0
    for row in 1..<times.count {
      unsafe steps |= times[unchecked: row] &- times[unchecked: row &- 1]
    }
    var anyType: UInt32 = 0
    for row in types.indices { unsafe anyType |= types[unchecked: row] }
    var anyKind: UInt8 = 0
    var deletes: UInt8 = 0
    for row in kinds.indices {
      unsafe anyKind |= kinds[unchecked: row]
      unsafe deletes &+= kinds[unchecked: row]
    }
    guard steps >= 0, Int(anyType) < typeCount, anyKind <= InputKind.delete.rawValue else {
      return none
    }
    return OrderlyRows(count: times.count, deletes: Int(deletes))
  }

  /// The number of deletes among at most ``length`` rows that are saves and deletes.
  @inline(__always)
  private static func deletes(among kinds: Span<UInt8>) -> Int {
    var deletes: UInt8 = 0
    for row in kinds.indices { unsafe deletes &+= kinds[unchecked: row] }
    return Int(deletes)
  }

  /// The first of rows in the order of time that is not before one; the last of them is not.
  ///
  /// Never inlined, so that the loops around it have the registers for themselves.
  ///
  /// - Parameter byEights: Whether the processor has what that takes.
  @inline(never)
  static func place(
    ofFirstNotBefore time: Int64, times: Span<Int64>, rows: Range<Int>, byEights: Bool
  ) -> Int {
    var first = rows.lowerBound
    // Often something is due again at once.
    guard unsafe times[unchecked: first] < time else { return first }
    if byEights {
      // Looks at all of them, but waits for none before it looks at the next.
      return unsafe times.withUnsafeBufferPointer { times in
        guard let times = times.baseAddress else { return first }
        return unsafe first + rows_before(times + first, rows.count, time)
      }
    }
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
