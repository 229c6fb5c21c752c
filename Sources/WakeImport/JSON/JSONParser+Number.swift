extension JSONParser {
  /// Reads a number: no leading zeros, no plus sign, digits on both sides of a point.
  mutating func readNumber() throws(FieldError) -> JSONNumber {
    let start = position
    let isNegative = bytes[position] == ASCII.minus
    if isNegative { position += 1 }

    var digits = Digits()
    if bytes[position] == ASCII.zero {
      position += 1
      if digitValue != nil { throw syntaxError("a number has no leading zeros") }
    } else {
      try readDigits(into: &digits)
    }
    var isWhole = true
    var exponent = 0
    if bytes[position] == ASCII.dot {
      isWhole = false
      position += 1
      let firstDecimal = position
      try readDigits(into: &digits)
      exponent = firstDecimal - position
    }
    if bytes[position] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      exponent += try readExponent()
    }
    return JSONNumber(
      text: start..<position, isNegative: isNegative, isWhole: isWhole, isExact: digits.areExact,
      significand: digits.value, exponent: exponent)
  }

  /// The digits of a number without its point, as far as 64 bits hold them.
  private struct Digits {
    var value: UInt64 = 0
    var areExact = true

    @inline(__always)
    mutating func append(_ digit: UInt8) {
      let (tenfold, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tenfold.addingReportingOverflow(UInt64(digit))
      if isTooLarge || overflows { areExact = false } else { value = sum }
    }
  }

  /// The digit at the present place, if there is one.
  @inline(__always)
  private var digitValue: UInt8? {
    let digit = bytes[position] &- ASCII.zero
    return digit <= 9 ? digit : nil
  }

  @inline(__always)
  private mutating func readDigits(into digits: inout Digits) throws(FieldError) {
    guard digitValue != nil else { throw syntaxError("expected a digit") }
    while let digit = digitValue {
      digits.append(digit)
      position += 1
    }
  }

  private mutating func readExponent() throws(FieldError) -> Int {
    let sign = bytes[position]
    if sign == ASCII.minus || sign == ASCII.plus { position += 1 }
    guard digitValue != nil else { throw syntaxError("expected a digit") }
    var exponent = 0
    while let digit = digitValue {
      // Far more than the digits of any text could make up for.
      if exponent < 1_000_000_000_000 { exponent = exponent * 10 + Int(digit) }
      position += 1
    }
    return sign == ASCII.minus ? -exponent : exponent
  }
}

extension JSONBytes {
  /// The double nearest to `number`, ties to even; infinite if it is too large.
  func double(_ number: JSONNumber) -> Double {
    // Both numbers are exact as doubles here, so the one operation rounds correctly.
    if number.isExact, number.significand <= 1 << 53, number.exponent.magnitude <= 22 {
      let significand = Double(number.significand)
      let power = Self.powersOfTen[Int(number.exponent.magnitude)]
      let magnitude = number.exponent < 0 ? significand / power : significand * power
      return number.isNegative ? -magnitude : magnitude
    }
    return Double(text(number.text)) ?? .infinity
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
