/// A number that many others are divided by or tested against, without a division for each.
///
/// Modulo 2^64 an odd number has an inverse, and multiplying a multiple of the number by it gives the
/// quotient; what is no multiple comes out beyond every quotient that there is.
struct ExactDivisor {
  /// The number; 0 divides 0 alone.
  let value: UInt64
  /// How often 2 divides it.
  private let shift: UInt64
  /// Of what is left of the number then.
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
    // Right in the lowest three bits; each of Newton's steps doubles them.
    var inverse = odd
    for _ in 0..<5 { inverse &*= 2 &- odd &* inverse }
    self.inverse = inverse
    highestQuotient = .max / value
  }

  /// Whether a number is a multiple.
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

  /// The greatest number that divides this one and another.
  func common(with other: UInt64) -> ExactDivisor {
    var (first, second) = (value, other)
    while second != 0 { (first, second) = (second, first % second) }
    return ExactDivisor(first)
  }
}
