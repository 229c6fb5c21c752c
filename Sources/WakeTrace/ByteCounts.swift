import Glibc

/// How often each byte occurs.
struct ByteCounts {
  private(set) var counts = [Int](repeating: 0, count: 256)

  /// Counts bytes, or if it is to be rough those of some parts only.
  init(_ bytes: [UInt8], isRough: Bool = false) {
    let part = 1_024
    guard isRough, bytes.count > 16 * part else {
      add(bytes, bytes.indices)
      return
    }
    for start in stride(from: 0, to: bytes.count - part, by: bytes.count / 8) {
      add(bytes, start..<start + part)
    }
  }

  /// Unsafe, as most of a trace that is written passes through here.
  private mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
    // Four tables, as a byte that comes again at once would wait for its own count.
    var tables = [UInt32](repeating: 0, count: 1_024)
    unsafe bytes[range].withUnsafeBytes { bytes in
      unsafe tables.withUnsafeMutableBufferPointer { tables in
        let whole = bytes.count & ~7
        var index = 0
        while index < whole {
          let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          unsafe tables[Int(word & 0xFF)] &+= 1
          unsafe tables[Int(word &>> 8 & 0xFF) &+ 256] &+= 1
          unsafe tables[Int(word &>> 16 & 0xFF) &+ 512] &+= 1
          unsafe tables[Int(word &>> 24 & 0xFF) &+ 768] &+= 1
          unsafe tables[Int(word &>> 32 & 0xFF)] &+= 1
          unsafe tables[Int(word &>> 40 & 0xFF) &+ 256] &+= 1
          unsafe tables[Int(word &>> 48 & 0xFF) &+ 512] &+= 1
          unsafe tables[Int(word &>> 56) &+ 768] &+= 1
          index &+= 8
        }
        while index < bytes.count {
          unsafe tables[Int(bytes[index])] &+= 1
          index &+= 1
        }
      }
    }
    for byte in counts.indices {
      counts[byte] += Int(tables[byte]) + Int(tables[byte + 256])
      counts[byte] += Int(tables[byte + 512]) + Int(tables[byte + 768])
    }
  }

  /// The bits that an ideal code for independent bytes would take for each; 0 if there are none.
  var bitsPerByte: Double { entropyBits / Double(max(1, counts.reduce(0, +))) }

  /// The bits that an ideal code for independent bytes would take.
  var entropyBits: Double { Self.entropyBits(counts) }

  /// The bits that an ideal code would take for independent symbols of which there are so many each.
  static func entropyBits(_ counts: some Sequence<Int>) -> Double {
    var total = 0.0
    var weighted = 0.0
    for count in counts where count > 0 {
      let count = Double(count)
      total += count
      weighted += count * log2(count)
    }
    return total == 0 ? 0 : total * log2(total) - weighted
  }
}
