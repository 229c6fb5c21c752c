import WakeEvents

/// Room at the end of an array for pieces of JSON text, made for all of them at once.
///
/// Where there is a line for each of millions of wakes, to have the array check and grow for each piece takes longer than to
/// write the text.
@safe
@usableFromInline
package struct TextRoom: ~Copyable {
  /// Where the next byte goes.
  @usableFromInline var next: UnsafeMutableRawPointer
  @usableFromInline let end: UnsafeMutableRawPointer

  @unsafe @inlinable
  init(_ next: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer) {
    unsafe self.next = next
    unsafe self.end = end
  }

  /// The room that must be free to append a number: a sign and 20 digits, which are stored eight at a time.
  @inlinable
  package static var numberRoom: Int { 21 }

  /// The room that must be free to append a point in time.
  @inlinable
  package static var timeRoom: Int { 32 }

  /// Checks that there is room for so many bytes.
  @inlinable
  @inline(__always)
  func check(for count: Int) {
    precondition(unsafe end - next >= count, "no room for \(count) bytes")
  }

  /// Appends text that needs no escapes.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    check(for: length)
    unsafe next.copyMemory(from: text.utf8Start, byteCount: length)
    unsafe next += length
  }

  /// Appends text as it is.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: Span<UInt8>) {
    check(for: text.count)
    unsafe text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe next.copyMemory(from: start, byteCount: bytes.count)
    }
    unsafe next += text.count
  }

  /// The bytes that must be behind a text for ``append(_:of:)``, and the room that must be free behind it. Texts are
  /// copied so many bytes at a time.
  @inlinable
  package static var shortText: Int { 64 }

  /// Appends ``shortText`` bytes of no meaning.
  @inlinable
  package mutating func appendPadding() {
    check(for: Self.shortText)
    unsafe next.storeBytes(of: SIMD64<UInt8>(), as: SIMD64<UInt8>.self)
    unsafe next += Self.shortText
  }

  /// Appends one of several texts as it is. There must be room for it and ``shortText``, and as many bytes behind the text.
  ///
  /// Where the lengths of short texts vary, a processor predicts them wrong, so that as much is copied for each.
  @inlinable
  @inline(__always)
  package mutating func append(_ place: Range<Int>, of texts: borrowing [UInt8]) {
    precondition(place.lowerBound >= 0 && place.upperBound + Self.shortText <= texts.count)
    let length = place.upperBound &- place.lowerBound
    check(for: length &+ Self.shortText)
    unsafe texts.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      let start = unsafe base + place.lowerBound
      var copied = 0
      repeat {
        unsafe (next + copied).storeBytes(
          of: (start + copied).loadUnaligned(as: SIMD64<UInt8>.self), as: SIMD64<UInt8>.self)
        copied &+= Self.shortText
      } while copied < length
    }
    unsafe next += length
  }

  /// Appends a point in time, in nanoseconds. There must be room for ``timeRoom``.
  @inlinable
  @inline(__always)
  package mutating func append(time: Int64, in form: JSONTimeForm) {
    switch form {
    case .nanoseconds: append(time)
    case .iso: appendText(ofTime: time)
    }
  }

  @usableFromInline
  mutating func appendText(ofTime time: Int64) {
    let text = Timestamp(nanoseconds: time).longISO8601
    append("\"")
    append(text.span)
    append("\"")
  }

  /// Appends a point in time, in nanoseconds, as ``append(time:in:)`` does, and keeps its text.
  @inlinable
  @inline(__always)
  package mutating func append(
    time: Int64, in form: JSONTimeForm, keptIn texts: inout TimeTexts
  ) {
    check(for: Self.timeRoom)
    let place = TimeTexts.place(of: time)
    if form == .nanoseconds, time >= TimeTexts.Beginning.unit {
      if texts.digits[place].time != time {
        texts.digits[place] = TimeTexts.Digits(of: time, beginningKeptIn: &texts.beginning)
      }
      return append(texts.digits[place])
    }
    let start = unsafe next
    if texts.entries[place].time == time {
      unsafe start.storeBytes(of: texts.entries[place].text, as: TimeTexts.Text.self)
      unsafe next += texts.entries[place].count
    } else {
      append(time: time, in: form)
      // The bytes behind the text may not be initialized. They are within the room, and are never counted into an array.
      texts.entries[place] = unsafe TimeTexts.Entry(
        time: time, count: next - start, text: start.loadUnaligned(as: TimeTexts.Text.self))
    }
  }

  /// Appends the digits of a time, and up to 7 bytes behind them that are overwritten. There must be room for ``timeRoom``.
  @inlinable
  @inline(__always)
  mutating func append(_ digits: TimeTexts.Digits) {
    unsafe next.storeBytes(of: digits.beginning, as: UInt64.self)
    unsafe next += digits.count
    unsafe next.storeBytes(of: digits.middle, as: UInt32.self)
    unsafe (next + 4).storeBytes(of: digits.low, as: UInt64.self)
    unsafe next += 12
  }

  /// Appends a number. There must be room for ``numberRoom``.
  @inlinable
  @inline(__always)
  package mutating func append(_ number: Int64) {
    if number < 0 { append("-") }
    append(number.magnitude)
  }

  /// Appends a number. There must be room for 20 digits.
  @inlinable
  @inline(__always)
  package mutating func append(_ number: UInt64) {
    check(for: 20)
    if number < 10 {
      unsafe next.storeBytes(of: 0x30 | UInt8(truncatingIfNeeded: number), as: UInt8.self)
      unsafe next += 1
    } else {
      unsafe next = Self.storeNumber(number, at: next)
    }
  }

  /// Stores the digits of a number from 1 on, and up to 7 bytes behind them.
  ///
  /// - Returns: Where they end.
  @usableFromInline
  static func storeNumber(
    _ number: UInt64, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    // The greatest number has 20 digits: 4 and twice 8.
    let (upper, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
    guard upper > 0 else { return unsafe storeFirst(low.eightDigits, at: place) }
    let (high, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
    guard high > 0 else {
      return unsafe store(low, at: storeFirst(middle.eightDigits, at: place))
    }
    return unsafe store(low, at: store(middle, at: storeFirst(high.fourDigits << 32, at: place)))
  }

  /// Stores eight digits, the first one in the lowest byte, without leading zeros.
  @inline(__always)
  private static func storeFirst(
    _ digits: UInt64, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let zeros = digits.trailingZeroBitCount / 8
    // There is a digit that is not 0.
    let ascii = (digits | 0x3030_3030_3030_3030) &>> UInt64(8 * zeros)
    unsafe place.storeBytes(of: ascii.littleEndian, as: UInt64.self)
    return unsafe place + (8 - zeros)
  }

  /// Stores all digits of a number below 10^8.
  @inline(__always)
  private static func store(
    _ number: UInt64, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let ascii = number.eightDigits | 0x3030_3030_3030_3030
    unsafe place.storeBytes(of: ascii.littleEndian, as: UInt64.self)
    return unsafe place + 8
  }
}

extension [UInt8] {
  /// Appends text for which there is room.
  ///
  /// - Parameter room: At least as many bytes as `write` needs: ``TextRoom/numberRoom`` for a number.
  @inlinable
  @inline(__always)
  package mutating func append(room: Int, _ write: (inout TextRoom) -> Void) {
    append(addingCapacity: room) { free in
      unsafe free.withUnsafeMutableBufferPointer { bytes, count in
        guard let start = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
        let (first, end) = unsafe (start + count, start + bytes.count)
        var text = unsafe TextRoom(first, end: end)
        write(&text)
        // Nested calls could have swapped their rooms.
        precondition(unsafe first <= text.next && text.next <= end)
        count = unsafe text.next - start
      }
    }
  }
}

// Digits are a byte each, the first one the lowest. All halves and then all pairs are divided at once, in parts of one word
// (P. Khuong, "How to print integers really fast", 2017).
extension UInt64 {
  /// The digits of a number below 10^8.
  @inlinable
  @inline(__always)
  var eightDigits: UInt64 {
    let halves = self / 10_000 | (self % 10_000) << 32
    let hundreds = (halves &* 10_486) >> 20 & 0x7F_0000_007F
    let pairs = hundreds | (halves &- 100 &* hundreds) << 16
    let tens = (pairs &* 103) >> 10 & 0x0F_000F_000F_000F
    return tens | (pairs &- 10 &* tens) << 8
  }

  /// The digits of a number below 10^4.
  @inlinable
  @inline(__always)
  var fourDigits: UInt64 {
    let hundreds = (self &* 10_486) >> 20
    let pairs = hundreds | (self &- 100 &* hundreds) << 16
    let tens = (pairs &* 103) >> 10 & 0x0F_000F
    return tens | (pairs &- 10 &* tens) << 8
  }
}
