import Glibc

struct ByteCounts {
  private(set) var counts = [Int](repeating: 0, count: 256)

  /// Counts all bytes, or a sample of them if `isRough`.
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

  /// Unsafe, since it runs over every written byte.
  private mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
    // Four tables: repeated bytes would otherwise wait for the store of their own counter.
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

  /// The zero-order entropy in bits a byte; 0 without bytes.
  var bitsPerByte: Double { entropyBits / Double(max(1, counts.reduce(0, +))) }

  var entropyBits: Double { Self.entropyBits(counts) }

  /// The zero-order entropy of symbols with these counts, in bits.
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
