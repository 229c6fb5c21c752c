extension IntegerColumnReader {
  /// Gives `body` a cursor over the integers; false if it returns false, or unless it reads exactly all mantissas.
  ///
  /// - Precondition: `payload` is what was read from, and ``IntegerColumn/padding`` bytes longer; not
  ///   ``usesSIMD``, of which the cursor says that they run out.
  @inline(__always)
  func withCursor(_ payload: [UInt8], _ body: (inout Cursor) -> Bool) -> Bool {
    unsafe entries.withUnsafeBufferPointer { entries in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe payload.withUnsafeBytes { payload in
          guard let entries = entries.baseAddress, let pairs = pairs.baseAddress,
            let payload = payload.baseAddress
          else { return false }
          var cursor = unsafe Cursor(
            layout: layout, entries: entries, pairs: pairs, symbols: payload + symbols.lowerBound,
            mantissas: payload + mantissas.lowerBound, mantissaBytes: mantissas.count)
          return body(&cursor) && (cursor.bit + 7) / 8 == mantissas.count
        }
      }
    }
  }

  /// Goes through the integers of a column.
  ///
  /// Unsafe inside, as it runs for every event of a trace.
  @safe struct Cursor {
    fileprivate let layout: Layout
    fileprivate let entries: UnsafePointer<Entry>
    fileprivate let pairs: UnsafePointer<Pair>
    fileprivate let symbols: UnsafeRawPointer
    fileprivate let mantissas: UnsafeRawPointer
    fileprivate let mantissaBytes: Int
    fileprivate var bit = 0

    /// Calls `body` with each row and its integer; false if it returns false, or if mantissas run out.
    ///
    /// - Precondition: `rows` follow those of the last call, and begin with an even one.
    @inline(__always)
    mutating func forEach(_ rows: Range<Int>, _ body: (Int, Int64) -> Bool) -> Bool {
      assert(
        rows.lowerBound & 1 == 0,
        "row \(rows.lowerBound) is the second of two in a byte")
      // Local copies: the compiler cannot know what `body` writes to.
      let cursor = self
      let endBit = 8 &* cursor.mantissaBytes
      var row = rows.lowerBound
      var bit = bit
      defer { self.bit = bit }
      while row < rows.upperBound {
        // Loads within a batch stay in the padding.
        guard bit <= endBit else { return false }
        let end = min(rows.upperBound, row &+ IntegerColumn.batch)
        switch cursor.layout {
        case .none:
          while row < end {
            guard body(row, cursor.next(0, &bit)) else { return false }
            row &+= 1
          }
        case .bytes:
          while row < end {
            guard body(row, cursor.next(cursor.symbolByte(row), &bit)) else { return false }
            row &+= 1
          }
        case .halves:
          while row < end {
            guard body(row, cursor.next(cursor.half(row), &bit)) else { return false }
            row &+= 1
          }
        case .pairs:
          var symbols = unsafe cursor.symbols + row &>> 1
          while row &+ 3 < end {
            // Two loads of a byte: fewer registers than one load of both.
            let one = unsafe cursor.pairs + Int(symbols.load(as: UInt8.self))
            let other = unsafe cursor.pairs + Int(symbols.load(fromByteOffset: 1, as: UInt8.self))
            var word = cursor.load(bit)
            let middle = unsafe bit &+ Int(truncatingIfNeeded: one.pointee.bits)
            guard unsafe body(row, one.pointee.first(&word)),
              unsafe body(row &+ 1, one.pointee.second(&word))
            else { return false }
            // One load mostly has the mantissas of both pairs.
            let next = unsafe middle &+ Int(truncatingIfNeeded: other.pointee.bits)
            if next &- bit > IntegerColumn.maximumBits { word = cursor.load(middle) }
            bit = next
            guard unsafe body(row &+ 2, other.pointee.first(&word)),
              unsafe body(row &+ 3, other.pointee.second(&word))
            else { return false }
            row &+= 4
            unsafe symbols += 2
          }
          while row < end {
            guard body(row, cursor.next(cursor.half(row), &bit)) else { return false }
            row &+= 1
          }
        case .simd:
          return false
        }
      }
      return bit <= endBit
    }

    @inline(__always)
    private func symbolByte(_ place: Int) -> UInt8 {
      unsafe symbols.load(fromByteOffset: place, as: UInt8.self)
    }

    @inline(__always)
    private func half(_ row: Int) -> UInt8 {
      symbolByte(row &>> 1) &>> (UInt8(truncatingIfNeeded: row & 1) &* 4) & 0xF
    }

    /// At least 57 bits from `bit` on.
    @inline(__always)
    private func load(_ bit: Int) -> UInt64 {
      let word = unsafe mantissas.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
      return UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: bit & 7)
    }

    @inline(__always)
    private func next(_ symbol: UInt8, _ bit: inout Int) -> Int64 {
      let entry = unsafe entries[Int(symbol)]
      let mantissa = load(bit) & entry.mask
      bit &+= entry.bits
      return entry.base &+ Int64(bitPattern: mantissa)
    }
  }
}
