package import WakeEvents

// Pieces of JSON text for room that was made for all of them at once. Where there is a line for each of millions of wakes,
// a check of the array for each piece would take longer than the text.
extension OutputSpan<UInt8> {
  /// The room that must be free to append a number: it has at most 20 characters, and digits are stored eight at a time.
  package static var numberRoom: Int { 28 }

  /// Appends text that needs no escapes.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: length))
  }

  /// Appends text as it is.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: Span<UInt8>) {
    unsafe text.withUnsafeBytes { unsafe append($0) }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ text: UnsafeRawBufferPointer) {
    unsafe withUnsafeMutableBufferPointer { bytes, count in
      precondition(bytes.count - count >= text.count, "no room for \(text.count) bytes")
      let free = unsafe UnsafeMutableBufferPointer(rebasing: bytes[count...])
      unsafe UnsafeMutableRawBufferPointer(free).copyMemory(from: text)
      count += text.count
    }
  }

  /// The room that must be free to append a point in time.
  package static var timeRoom: Int { 32 }

  /// Appends a point in time. There must be room for ``timeRoom``.
  @inline(__always)
  package mutating func append(_ time: Timestamp, in form: JSONTimeForm) {
    switch form {
    case .nanoseconds: append(time.nanoseconds)
    case .iso: appendText(of: time)
    }
  }

  private mutating func appendText(of time: Timestamp) {
    var text: [UInt8] = []
    time.appendISO8601(to: &text)
    append("\"")
    append(text.span)
    append("\"")
  }

  /// Appends a number. There must be room for ``numberRoom``.
  package mutating func append(_ number: Int64) {
    if number < 0 { append("-") }
    append(number.magnitude)
  }

  /// Appends a number. There must be room for ``numberRoom``.
  package mutating func append(_ number: UInt64) {
    // The greatest number has 20 digits: three groups of 8, the first one of 4.
    let (upper, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    guard upper > 0 else { return appendDigits(low) }
    let (high, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
    if high > 0 {
      appendDigits(high)
      append(middle.eightDigits, from: 0)
    } else {
      appendDigits(middle)
    }
    append(low.eightDigits, from: 0)
  }

  /// Appends a number below 10^8 without leading zeros.
  @inline(__always)
  private mutating func appendDigits(_ number: UInt64) {
    let digits = number.eightDigits
    // The last digit also if it is 0.
    append(digits, from: min(digits.trailingZeroBitCount / 8, 7))
  }

  /// Appends digits without the first ones, of which there are fewer than 8. There is room for 8 bytes in any case.
  @inline(__always)
  private mutating func append(_ digits: UInt64, from first: Int) {
    let ascii = (digits | 0x3030_3030_3030_3030) >> UInt64(8 * first)
    unsafe withUnsafeMutableBufferPointer { bytes, count in
      precondition(bytes.count - count >= 8, "no room for 8 digits")
      unsafe UnsafeMutableRawBufferPointer(bytes).storeBytes(
        of: ascii.littleEndian, toByteOffset: count, as: UInt64.self)
      count += 8 - first
    }
  }
}

extension UInt64 {
  /// The digits of a number below 10^8, a byte each, the first one the lowest.
  ///
  /// It divides all halves and then all pairs at once, in parts of one word (P. Khuong, "How to print integers really
  /// fast", 2017).
  fileprivate var eightDigits: UInt64 {
    let halves = self / 10_000 | (self % 10_000) << 32
    let hundreds = (halves &* 10_486) >> 20 & 0x7F_0000_007F
    let pairs = hundreds | (halves &- 100 &* hundreds) << 16
    let tens = (pairs &* 103) >> 10 & 0x0F_000F_000F_000F
    return tens | (pairs &- 10 &* tens) << 8
  }
}
