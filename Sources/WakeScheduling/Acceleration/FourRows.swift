// Part of the accelerations `rowBatches` and `predicateScan`.

/// The types of four successive rows, and the union of the attention that they need. Four at a time, since one check and
/// one branch then serve four rows.
struct FourRows {
  let first: Int
  let second: Int
  let third: Int
  let fourth: Int
  let attention: Attention

  /// - Precondition: There are four rows from `row` on, and each type has a count. Unchecked, as this runs for every
  ///   event of a trace.
  @inline(__always)
  init(
    _ types: borrowing Span<UInt32>, row: Int, _ counts: UnsafeMutableBufferPointer<TypeCount>
  ) {
    first = Int(unsafe types[unchecked: row])
    second = Int(unsafe types[unchecked: row &+ 1])
    third = Int(unsafe types[unchecked: row &+ 2])
    fourth = Int(unsafe types[unchecked: row &+ 3])
    unsafe attention = Attention(
      counts[first].attention, counts[second].attention, counts[third].attention,
      counts[fourth].attention)
  }

  /// Counts the four if they are only counted.
  @inline(__always)
  func count(in counts: UnsafeMutableBufferPointer<TypeCount>) -> Bool {
    guard attention.isNone else { return false }
    unsafe counts[first].first &+= 1
    unsafe counts[second].second &+= 1
    unsafe counts[third].first &+= 1
    unsafe counts[fourth].second &+= 1
    return true
  }
}
