/// Exact division and divisibility tests by one divisor without a division instruction (Hacker's Delight, 10-16, 10-17).
///
/// An odd number has an inverse modulo 2^64. The product of a multiple with the inverse is the quotient; of any other
/// number it is greater than every possible quotient.
struct ExactDivisor {
  /// The divisor; 0 divides only 0.
  let value: UInt64
  private let shift: UInt64
  private let inverse: UInt64
  private let highestQuotient: UInt64

  init(_ value: UInt64) {
    self.value = value
    guard value > 0 else {
      (shift, inverse, highestQuotient) = (0, 1, 0)
      return
    }
    shift = UInt64(value.trailingZeroBitCount)
    let odd = value >> shift
    // Correct in the lowest three bits; each Newton step doubles the correct bits.
    var inverse = odd
    for _ in 0..<5 { inverse &*= 2 &- odd &* inverse }
    self.inverse = inverse
    highestQuotient = .max / value
  }

  @inline(__always)
  func divides(_ number: UInt64) -> Bool {
    let product = number &* inverse
    return product &>> shift | product &<< (64 &- shift) <= highestQuotient
  }

  /// A multiple divided by the number, which is not 0.
  @inline(__always)
  func quotient(_ multiple: Int64) -> Int64 {
    (multiple &>> Int64(bitPattern: shift)) &* Int64(bitPattern: inverse)
  }

  /// The greatest common divisor with another number (Euclid's algorithm).
  func common(with other: UInt64) -> ExactDivisor {
    var (first, second) = (value, other)
    while second != 0 { (first, second) = (second, first % second) }
    return ExactDivisor(first)
  }
}
