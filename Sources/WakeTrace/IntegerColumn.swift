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

    /// Between what all values lie; nil if they wrap around.
    var bounds: ClosedRange<Int64>? {
      var (lowest, highest) = (Int64.max, Int64.min)
      for entry in 0..<count {
        let (last, overflows) = bases[entry].addingReportingOverflow(1 << Int64(bits[entry]) - 1)
        if overflows { return nil }
        lowest = min(lowest, bases[entry])
        highest = max(highest, last)
      }
      return lowest...highest
    }
  }

  /// Reads `count` values to the start of `values`.
  ///
  /// - Returns: Between what all of them lie, as far as the entries tell; nil if they wrap around.
  /// - Precondition: `payload` is what the reader reads, and ``padding`` bytes longer.
  @discardableResult
  static func decode(
    _ reader: inout ByteReader, payload: [UInt8], count: Int, into values: inout [Int64]
  ) throws(BlockError) -> ClosedRange<Int64>? {
    let entries = try Entries(&reader)
    let hasSymbols = entries.count > 1
    let symbolBytes =
      hasSymbols ? (count + entries.symbolsPerByte - 1) / entries.symbolsPerByte : 0
    let symbols = try reader.readBytes(symbolBytes)
    let mantissas = try reader.readBytes(entries.mantissaBytes)
    if values.count < count { values = [Int64](repeating: 0, count: count + count / 8) }
    var decoding = Decoding(
      entries, symbols: symbols, mantissas: mantissas, hasSymbols: hasSymbols, count: count)
    let isWhole = unsafe payload.withUnsafeBytes { payload in
      unsafe values.withUnsafeMutableBufferPointer { unsafe decoding.run(payload, $0) }
    }
    guard isWhole, decoding.highestSymbol < entries.count else {
      throw .malformed("\(reader.subject) has other symbols or mantissas than it lists")
    }
    return entries.bounds
  }

  /// The loops over a column's values: unsafe, as they run for every event of a trace.
  private struct Decoding {
    private enum Symbols {
      case none
      case inBytes
      case inHalves
    }

    /// What a symbol stands for; as many as there are bytes, so that any may be looked up.
    private let entries: [(base: Int64, mask: UInt64, bits: Int)]
    private let areExact: Bool
    private let symbolSort: Symbols
    private let symbols: Range<Int>
    private let mantissas: Range<Int>
    private let count: Int
    private(set) var highestSymbol = 0

    init(
      _ entries: Entries, symbols: Range<Int>, mantissas: Range<Int>, hasSymbols: Bool, count: Int
    ) {
      self.entries = zip(entries.bases, entries.bits).map { base, bits in
        (base, 1 << UInt64(bits) - 1, Int(bits))
      }
      areExact = entries.areExact
      symbolSort = !hasSymbols ? .none : entries.symbolsPerByte == 1 ? .inBytes : .inHalves
      self.symbols = symbols
      self.mantissas = mantissas
      self.count = count
    }

    /// Fills in the values; false if the mantissas run out, or are more than the values need.
    mutating func run(
      _ payload: UnsafeRawBufferPointer, _ values: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
      let symbols = unsafe UnsafeRawBufferPointer(rebasing: payload[symbols])
      switch symbolSort {
      case .none: return unsafe combine(payload, values) { _ in 0 }
      case .inBytes: return unsafe fill(payload, values) { unsafe symbols[$0] }
      case .inHalves:
        return unsafe fill(payload, values) {
          unsafe (symbols[$0 >> 1] >> (UInt8($0 & 1) * 4)) & 0xF
        }
      }
    }

    @inline(__always)
    private mutating func fill(
      _ payload: UnsafeRawBufferPointer, _ values: UnsafeMutableBufferPointer<Int64>,
      _ symbol: (Int) -> UInt8
    ) -> Bool {
      if areExact { return unsafe lookUp(values, symbol) }
      return unsafe combine(payload, values, symbol)
    }

    /// Values without mantissas; false if there are any.
    @inline(__always)
    private mutating func lookUp(
      _ values: UnsafeMutableBufferPointer<Int64>, _ symbol: (Int) -> UInt8
    ) -> Bool {
      var highest: UInt8 = 0
      unsafe entries.withUnsafeBufferPointer { entries in
        for index in 0..<count {
          let symbol = symbol(index)
          highest = max(highest, symbol)
          unsafe values[index] = entries[Int(symbol)].base
        }
      }
      highestSymbol = Int(highest)
      return mantissas.isEmpty
    }

    /// Values with mantissas.
    @inline(__always)
    private mutating func combine(
      _ payload: UnsafeRawBufferPointer, _ values: UnsafeMutableBufferPointer<Int64>,
      _ symbol: (Int) -> UInt8
    ) -> Bool {
      let mantissas = unsafe UnsafeRawBufferPointer(rebasing: payload[mantissas.lowerBound...])
      let endBit = self.mantissas.count * 8
      var bit = 0
      var highest: UInt8 = 0
      unsafe entries.withUnsafeBufferPointer { entries in
        for index in 0..<count {
          let symbol = symbol(index)
          highest = max(highest, symbol)
          let entry = unsafe entries[Int(symbol)]
          // Up to `endBit` there is a whole word to load, thanks to the padding.
          guard bit <= endBit else { return }
          let word = unsafe mantissas.loadUnaligned(fromByteOffset: bit >> 3, as: UInt64.self)
          let mantissa = UInt64(littleEndian: word) &>> UInt64(bit & 7) & entry.mask
          unsafe values[index] = entry.base &+ Int64(bitPattern: mantissa)
          bit &+= entry.bits
        }
      }
      highestSymbol = Int(highest)
      return bit <= endBit && (bit + 7) >> 3 == self.mantissas.count
    }
  }
}
