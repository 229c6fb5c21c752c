import WakeEvents

/// Doubles as decimal fixed point: each type has an exponent, and a value is exactly its integer / 10^exponent. Types
/// without such an exponent keep the bits of their doubles.
struct ScaledValues {
  static let bits: UInt8 = 255
  static let highestExponent: UInt8 = 15
  static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private(set) var scaled: [Int64] = []
  /// The exponent of each type, in the order of their first values.
  private var exponents: [UInt8] = []

  init(_ columns: borrowing InputColumns) {
    var places: [UInt32: Int] = [:]
    var values: [(value: Double, place: Int)] = []
    let details = columns.details
    for row in details.fields.indices where details.fields[row].contains(.value) {
      let place = places[columns.types[row]] ?? exponents.count
      if place == exponents.count {
        places[columns.types[row]] = place
        exponents.append(0)
      }
      let value = details.values[row]
      values.append((value, place))
      while exponents[place] != Self.bits, Self.number(value, exponents[place]) == nil {
        exponents[place] =
          exponents[place] == Self.highestExponent ? Self.bits : exponents[place] + 1
      }
    }
    // An exponent that a later value raised may not suit an earlier one.
    for (value, place) in values where Self.number(value, exponents[place]) == nil {
      exponents[place] = Self.bits
    }
    scaled = values.map { value, place in
      Self.number(value, exponents[place]) ?? Int64(bitPattern: value.bitPattern)
    }
  }

  /// The integer of a value, if it restores the value exactly.
  private static func number(_ value: Double, _ exponent: UInt8) -> Int64? {
    guard exponent != bits else { return nil }
    let power = powers[Int(exponent)]
    let product = (value * power).rounded()
    guard product.magnitude < 9_007_199_254_740_992 else { return nil }
    let number = Int64(product)
    // Compared by bits, so that -0 keeps its sign.
    return (Double(number) / power).bitPattern == value.bitPattern ? number : nil
  }

  var exponentSection: Section {
    var writer = ByteWriter()
    writer.appendVarint(exponents.count)
    writer.append(bytes: exponents)
    return Section(kind: .plain, bytes: writer.bytes)
  }
}

/// Restores the values of a block.
struct ScaledValueReader {
  private var exponents: [UInt8] = []
  var scaled: [Int64] = []

  mutating func readExponents(_ reader: inout ByteReader, most: Int) throws(BlockError) {
    for _ in 0..<(try reader.readCount(upTo: most, of: "types with values")) {
      let exponent = try reader.readByte()
      guard exponent <= ScaledValues.highestExponent || exponent == ScaledValues.bits else {
        throw .malformed("column values has the exponent \(exponent)")
      }
      exponents.append(exponent)
    }
  }

  /// Writes the values of the rows that have one.
  func resolve(
    _ fields: [SampleDetails.Fields], _ types: [UInt32], into values: inout [Double]
  ) throws(BlockError) {
    var values = values.mutableSpan
    // By type; nil if no value of it was seen, 0 if its values are stored by their bits.
    var divisors: [Double?] = []
    var typesSeen = 0
    var next = 0
    for row in fields.indices where fields[row].contains(.value) {
      let type = Int(types[row])
      while divisors.count <= type { divisors.append(nil) }
      let divisor: Double
      if let known = divisors[type] {
        divisor = known
      } else {
        guard typesSeen < exponents.count else {
          throw .malformed("column values has too few exponents")
        }
        let exponent = exponents[typesSeen]
        typesSeen += 1
        divisor = exponent == ScaledValues.bits ? 0 : ScaledValues.powers[Int(exponent)]
        divisors[type] = divisor
      }
      let number = scaled[next]
      next += 1
      let value =
        divisor == 0
        ? Double(bitPattern: UInt64(bitPattern: number)) : Double(number) / divisor
      guard value.isFinite else { throw .malformed("column values has a value not finite") }
      values[row] = value
    }
  }
}
