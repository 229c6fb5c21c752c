extension UInt64 {
  /// Adds a count of a header, which is not trusted; the sum stays at the greatest number.
  package mutating func addClamped(_ other: UInt64) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? .max : sum
  }
}
