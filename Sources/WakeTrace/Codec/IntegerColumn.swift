import CKernels
import WakeEvents

/// The codec of a column of 64-bit integers: a symbol and a mantissa for each.
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
  /// The widest mantissa: with up to 7 bits of misalignment it fits one 64-bit load.
  static let maximumBits = 56
  /// Integers read between two checks of the mantissas' bound.
  static let batch = 128
  /// Bytes behind the payload that decoding may load, though it never uses them: the mantissas of one
  /// ``batch``, and one load; or what kernels load.
  static let padding = max(batch * maximumBits / 8 + 8, Int(KERNELS_PADDING))

  /// Reads `count` values; `column` is scratch memory.
  ///
  /// - Precondition: `payload` is what the reader reads, and ``padding`` bytes longer.
  static func decode(
    _ reader: inout ByteReader, with column: inout IntegerColumnReader, payload: [UInt8],
    count: Int
  ) throws(BlockError) -> [Int64] {
    try column.read(&reader, payload: payload, count: count)
    var isWhole = false
    let values = unsafe [Int64](unsafeUninitializedCapacity: count) { memory, filled in
      unsafe isWhole = fill(memory, count, from: column, payload)
      filled = isWhole ? count : 0
    }
    guard isWhole else { throw column.mismatch(reader) }
    return values
  }

  /// Reads `count` values into `values`, whose memory it reuses.
  ///
  /// - Precondition: `payload` is what the reader reads, and ``padding`` bytes longer.
  static func decode(
    _ reader: inout ByteReader, with column: inout IntegerColumnReader, _ payload: [UInt8],
    count: Int, into values: inout [Int64]
  ) throws(BlockError) {
    try column.read(&reader, payload: payload, count: count)
    values.resize(to: count, filler: 0)
    let isWhole = unsafe values.withUnsafeMutableBufferPointer { memory in
      unsafe fill(memory, count, from: column, payload)
    }
    guard isWhole else { throw column.mismatch(reader) }
  }

  /// Writes the first `count` values to `memory`; false if the mantissas end before.
  private static func fill(
    _ memory: UnsafeMutableBufferPointer<Int64>, _ count: Int, from column: IntegerColumnReader,
    _ payload: [UInt8]
  ) -> Bool {
    column.withCursor(payload) { cursor in
      cursor.forEach(0..<count) { row, value in
        unsafe memory[row] = value
        return true
      }
    }
  }
}
