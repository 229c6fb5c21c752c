/// A column of 64-bit integers as symbols and mantissas.
///
///     symbols in a byte (1): 1 or 2; entries - 1 (1)
///     base (zigzag varint), bits (1)            of each entry
///     bytes of mantissas (varint)
///     symbols: a byte each, or two in a byte, the first in the low half; none if there is one entry
///     mantissas: for each value the bits that its entry says, the lowest first
///
/// A value is its entry's base plus its mantissa, modulo 2^64. Frequent values have entries of their own
/// with no bits; the others share entries by size.
enum IntegerColumn {
  /// The most bits of a mantissa: with the 7 that a bit may lie into a byte, one load still has them.
  static let maximumBits = 56
  /// Bytes behind the payload that decoding may load, though it never uses them.
  static let padding = 8

  /// The entries of a column that is read.
  struct Entries {
    var bases: [Int64]
    var bits: [UInt8]
    var symbolsPerByte: Int
    var mantissaBytes: Int

    init(_ reader: inout ByteReader) throws(BlockError) {
      symbolsPerByte = Int(try reader.readByte())
      let count = Int(try reader.readByte()) + 1
      guard symbolsPerByte == 1 || (symbolsPerByte == 2 && count <= 16) else {
        throw .malformed("\(reader.subject) has symbols of no known width")
      }
      // As long as any symbol could be, so that lookups need no check of their own.
      bases = [Int64](repeating: 0, count: 256)
      bits = [UInt8](repeating: 0, count: 256)
      self.count = count
      mantissaBytes = 0
      for entry in 0..<count {
        bases[entry] = try reader.readZigzag()
        bits[entry] = try reader.readByte()
        guard bits[entry] <= IntegerColumn.maximumBits else {
          throw .malformed("\(reader.subject) has a mantissa of \(bits[entry]) bits")
        }
      }
      mantissaBytes = try reader.readCount(upTo: TraceLimits.payloadBytes, of: "mantissa bytes")
    }

    /// The entries that there are.
    var count: Int

    /// Whether no value has a mantissa.
    var areExact: Bool { !bits.contains { $0 > 0 } }
  }

  /// Reads `count` values to the start of `values`.
  ///
  /// - Precondition: `payload` is what the reader reads, and ``padding`` bytes longer.
  static func decode(
    _ reader: inout ByteReader, payload: [UInt8], count: Int, into values: inout [Int64]
  ) throws(BlockError) {
    let entries = try Entries(&reader)
    let hasSymbols = entries.count > 1
    let symbolBytes =
      hasSymbols ? (count + entries.symbolsPerByte - 1) / entries.symbolsPerByte : 0
    let symbols = try reader.readBytes(symbolBytes)
    let mantissas = try reader.readBytes(entries.mantissaBytes)
    if values.count < count { values = [Int64](repeating: 0, count: count + count / 8) }
    var decoding = Decoding(
      symbols: symbols, mantissas: mantissas, symbolsPerByte: entries.symbolsPerByte,
      count: count)
    let isWhole = unsafe payload.withUnsafeBytes { payload in
      unsafe values.withUnsafeMutableBufferPointer { values in
        unsafe entries.bases.withUnsafeBufferPointer { bases in
          unsafe entries.bits.withUnsafeBufferPointer { bits in
            switch (hasSymbols, entries.areExact) {
            case (true, true): unsafe decoding.lookUp(payload, bases, values)
            default: unsafe decoding.combine(payload, bases, bits, values)
            }
          }
        }
      }
    }
    guard isWhole, decoding.highestSymbol < entries.count else {
      throw .malformed("\(reader.subject) has other symbols or mantissas than it lists")
    }
  }

  /// The loops over a column's values: unsafe, as they run for every event of a trace.
  private struct Decoding {
    let symbols: Range<Int>
    let mantissas: Range<Int>
    let symbolsPerByte: Int
    let count: Int
    var highestSymbol = 0

    /// Values without mantissas; false if there are any.
    mutating func lookUp(
      _ payload: UnsafeRawBufferPointer, _ bases: UnsafeBufferPointer<Int64>,
      _ values: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
      var highest: UInt8 = 0
      if symbolsPerByte == 1 {
        for index in 0..<count {
          let symbol = unsafe payload[symbols.lowerBound + index]
          highest = max(highest, symbol)
          unsafe values[index] = bases[Int(symbol)]
        }
      } else {
        for index in 0..<count {
          let symbol =
            unsafe (payload[symbols.lowerBound + index / 2] >> (UInt8(index & 1) * 4)) & 0xF
          highest = max(highest, symbol)
          unsafe values[index] = bases[Int(symbol)]
        }
      }
      highestSymbol = Int(highest)
      return mantissas.isEmpty
    }

    /// Values with mantissas; false if they run out, or are more than the values need.
    mutating func combine(
      _ payload: UnsafeRawBufferPointer, _ bases: UnsafeBufferPointer<Int64>,
      _ bits: UnsafeBufferPointer<UInt8>, _ values: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
      let hasSymbols = !symbols.isEmpty
      let endBit = mantissas.count * 8
      var bit = 0
      var highest: UInt8 = 0
      for index in 0..<count {
        var symbol: UInt8 = 0
        if hasSymbols {
          symbol =
            if symbolsPerByte == 1 {
              unsafe payload[symbols.lowerBound + index]
            } else {
              unsafe (payload[symbols.lowerBound + index / 2] >> (UInt8(index & 1) * 4)) & 0xF
            }
        }
        highest = max(highest, symbol)
        let width = unsafe Int(bits[Int(symbol)])
        guard bit + width <= endBit else { return false }
        let word = unsafe payload.loadUnaligned(
          fromByteOffset: mantissas.lowerBound + bit >> 3, as: UInt64.self)
        let mantissa = UInt64(littleEndian: word) &>> UInt64(bit & 7) & (1 &<< UInt64(width) &- 1)
        unsafe values[index] = bases[Int(symbol)] &+ Int64(bitPattern: mantissa)
        bit += width
      }
      highestSymbol = Int(highest)
      return (bit + 7) >> 3 == mantissas.count
    }
  }
}
