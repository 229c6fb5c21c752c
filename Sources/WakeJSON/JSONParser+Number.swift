extension JSONParser {
  mutating func readNumber() throws(JSONError) -> JSONNumber {
    let start = position
    let isNegative = bytes[position] == ASCII.minus
    if isNegative { position += 1 }

    // The decimal significand, exact while it fits 64 bits.
    var digits = (value: UInt64(0), areExact: true)
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

  /// The digit at the present place, if there is one.
  @inline(__always)
  private var digitValue: UInt8? {
    let digit = bytes[position] &- ASCII.zero
    return digit <= 9 ? digit : nil
  }

  @inline(__always)
  private mutating func readDigits(
    into digits: inout (value: UInt64, areExact: Bool)
  ) throws(JSONError) {
    guard digitValue != nil else { throw syntaxError("expected a digit") }
    while let digit = digitValue {
      let (tenfold, isTooLarge) = digits.value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tenfold.addingReportingOverflow(UInt64(digit))
      if isTooLarge || overflows { digits.areExact = false } else { digits.value = sum }
      position += 1
    }
  }

  private mutating func readExponent() throws(JSONError) -> Int {
    let sign = bytes[position]
    if sign == ASCII.minus || sign == ASCII.plus { position += 1 }
    guard digitValue != nil else { throw syntaxError("expected a digit") }
    var exponent = 0
    while let digit = digitValue {
      // Capped: no text has enough digits to bring such an exponent back into range.
      if exponent < 1_000_000_000_000 { exponent = exponent * 10 + Int(digit) }
      position += 1
    }
    return sign == ASCII.minus ? -exponent : exponent
  }
}

extension JSONBytes {
  /// The double nearest to `number`, ties to even; infinite if it is too large.
  package func double(_ number: JSONNumber) -> Double {
    // Clinger's fast path (1990): both operands are exact doubles, so one operation rounds correctly.
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
