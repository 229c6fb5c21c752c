import WakeEvents

// Values of samples as integers in the same order, for accelerations that compare a sample with many predicates.
extension Double {
  /// The rank in the total order of IEEE 754 (5.10): as integers, ranks compare without branches.
  @inline(__always)
  var rank: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits ^ Int64(bitPattern: UInt64(bitPattern: bits &>> 63) &>> 1)
  }
}

// −0 and +0 are equal and have two ranks. Of a bound that is no number the rank says nothing.
extension Predicate {
  /// The least rank of a value that matches; nil if there is no least value.
  var leastRank: Int64? { min.map { ($0 == 0 ? -0.0 : $0).rank } }

  /// The greatest rank of a value that matches; nil if there is no greatest value.
  var mostRank: Int64? { max.map { ($0 == 0 ? 0.0 : $0).rank } }
}
