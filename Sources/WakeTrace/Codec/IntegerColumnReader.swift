import CKernels
import Kernels

/// Reads a column of integers (``IntegerColumn``); reuses its memory from column to column.
struct IntegerColumnReader {
  struct Entry {
    var base: Int64 = 0
    /// As wide as the mantissa.
    var mask: UInt64 = 0
    var bits = 0
  }

  /// The meaning of two symbols that share a byte; one load has both mantissas.
  struct Pair {
    var firstBase: Int64 = 0
    var secondBase: Int64 = 0
    var firstMask: UInt32 = 0
    var secondMask: UInt32 = 0
    var firstBits: UInt8 = 0
    var secondBits: UInt8 = 0
    var bits: UInt32 = 0

    /// The first integer; shifts its mantissa out of `word`.
    @inline(__always)
    func first(_ word: inout UInt64) -> Int64 {
      let mantissa = word & UInt64(firstMask)
      word &>>= UInt64(firstBits)
      return firstBase &+ Int64(bitPattern: mantissa)
    }

    /// The second integer; shifts its mantissa out of `word`.
    @inline(__always)
    func second(_ word: inout UInt64) -> Int64 {
      let mantissa = word & UInt64(secondMask)
      word &>>= UInt64(secondBits)
      return secondBase &+ Int64(bitPattern: mantissa)
    }
  }

  enum Layout {
    case none
    case bytes
    case halves
    /// Half bytes, two of which ``pairs`` decodes at once.
    case pairs
    /// Half bytes that vector kernels decode.
    case simd
  }

  /// 256 elements, so that a lookup by any byte is in bounds.
  private(set) var entries = [Entry](repeating: Entry(), count: 256)
  private(set) var pairs = [Pair](repeating: Pair(), count: 256)
  /// Of halves that kernels decode.
  private(set) var lookup = SIMDLookup()
  private(set) var layout = Layout.none
  private(set) var symbols = 0..<0
  private(set) var mantissas = 0..<0
  let path: ProcessorPath
  /// The range of the values that the entries allow; nil on overflow.
  private(set) var bounds: ClosedRange<Int64>?

  init(path: ProcessorPath = .portable) {
    self.path = path
  }

  /// Reads the entries, and finds symbols and mantissas.
  mutating func read(
    _ reader: inout ByteReader, payload: [UInt8], count: Int
  ) throws(BlockError) {
    let symbolsPerByte = Int(try reader.readByte())
    let entryCount = Int(try reader.readByte()) + 1
    guard symbolsPerByte == 1 || (symbolsPerByte == 2 && entryCount <= 16) else {
      throw .malformed("\(reader.subject) has an unknown symbol width")
    }
    let widest = try readEntries(&reader, count: entryCount)
    // Narrow: one load has two mantissas, and all values fit 32 bits.
    let areNarrow =
      2 * widest <= IntegerColumn.maximumBits
      && bounds.map { $0.lowerBound >= Int32.min && $0.upperBound <= Int32.max } ?? false
    let mantissaBytes = try reader.readCount(upTo: TraceLimits.payloadBytes, of: "mantissa bytes")
    if entryCount == 1 {
      layout = .none
      symbols = try reader.readBytes(0)
    } else if symbolsPerByte == 1 {
      layout = .bytes
      symbols = try reader.readBytes(count)
    } else {
      symbols = try reader.readBytes((count + 1) / 2)
      if !areNarrow {
        layout = .halves
      } else if path.expandsColumns, widest <= Int(KERNELS_MANTISSA_BITS) {
        layout = .simd
        lookup = SIMDLookup(entries)
      } else {
        layout = .pairs
        makePairs()
      }
    }
    mantissas = try reader.readBytes(mantissaBytes)
    guard areListed(payload, count: count, entryCount: entryCount) else { throw mismatch(reader) }
  }

  func mismatch(_ reader: ByteReader) -> BlockError {
    .malformed("\(reader.subject) has other symbols or mantissas than it lists")
  }

  /// Reads entries; returns the bits of the widest mantissas.
  private mutating func readEntries(
    _ reader: inout ByteReader, count: Int
  ) throws(BlockError) -> Int {
    var (lowest, highest) = (Int64.max, Int64.min)
    var areBounded = true
    var widest = 0
    for entry in 0..<count {
      let base = try reader.readZigzag()
      let bits = Int(try reader.readByte())
      guard bits <= IntegerColumn.maximumBits else {
        throw .malformed("\(reader.subject) has a mantissa of \(bits) bits")
      }
      entries[entry] = Entry(base: base, mask: 1 << UInt64(bits) - 1, bits: bits)
      let (last, overflows) = base.addingReportingOverflow(1 << Int64(bits) - 1)
      if overflows { areBounded = false }
      lowest = min(lowest, base)
      highest = max(highest, last)
      widest = max(widest, bits)
    }
    bounds = areBounded ? lowest...highest : nil
    return widest
  }

  private mutating func makePairs() {
    for byte in 0..<256 {
      let (first, second) = (entries[byte & 0xF], entries[byte >> 4])
      pairs[byte] = Pair(
        firstBase: first.base, secondBase: second.base,
        firstMask: UInt32(truncatingIfNeeded: first.mask),
        secondMask: UInt32(truncatingIfNeeded: second.mask),
        firstBits: UInt8(first.bits), secondBits: UInt8(second.bits),
        bits: UInt32(first.bits + second.bits))
    }
  }

  private func areListed(_ payload: [UInt8], count: Int, entryCount: Int) -> Bool {
    let bytes = payload.span.extracting(symbols)
    if layout == .bytes {
      var highest: UInt8 = 0
      for place in bytes.indices { highest = max(highest, bytes[place]) }
      return highest < entryCount
    }
    // The half byte after the last symbol is 0.
    if count & 1 > 0, let last = symbols.last, payload[last] > 0xF { return false }
    // With 16 entries every half byte is valid.
    if entryCount == 16 { return true }
    var highest: UInt8 = 0
    for place in bytes.indices {
      let byte = bytes[place]
      highest = max(highest, max(byte & 0xF, byte >> 4))
    }
    return highest < entryCount
  }
}
