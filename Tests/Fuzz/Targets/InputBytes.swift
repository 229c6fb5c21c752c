/// The bytes of a fuzzed input, taken from the front. Behind the end there are zeros, so every input has a meaning.
struct InputBytes {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func number(bytes count: Int) -> UInt64 {
    var number: UInt64 = 0
    for place in 0..<count { number |= UInt64(byte()) << UInt64(8 * place) }
    return number
  }

  /// As many bytes as a number of two bytes says, or all that are left.
  mutating func part() -> [UInt8] {
    let count = Int(number(bytes: 2))
    let part = rest.prefix(count)
    rest = rest.dropFirst(part.count)
    return Array(part)
  }

  /// An unsigned number of the trace format; nil at the end or beyond 64 bits.
  mutating func varint() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}

extension [UInt8] {
  /// A number of the trace format in place.
  func number<Number: FixedWidthInteger>(_: Number.Type, at place: Int) -> Number {
    var number: Number = 0
    for index in (0..<Number.bitWidth / 8).reversed() {
      number = number << 8 | Number(truncatingIfNeeded: self[place + index])
    }
    return number
  }

  mutating func put<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    for index in 0..<Number.bitWidth / 8 {
      self[place + index] = UInt8(truncatingIfNeeded: number >> Number(8 * index))
    }
  }

  mutating func append<Number: FixedWidthInteger>(number: Number) {
    for index in 0..<Number.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: number >> Number(8 * index)))
    }
  }
}
