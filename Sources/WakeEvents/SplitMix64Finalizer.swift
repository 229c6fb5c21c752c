extension UInt64 {
  /// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): spreads the bits evenly. No two numbers have the same.
  @inlinable @inline(__always)
  package var splitMixed: UInt64 {
    var mixed = (self ^ self >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
