/// Bytes as deflate tokens: literals, and runs of the preceding byte (LZ77 matches with distance 1).
struct ByteRuns {
  /// A literal is its byte; a run of n bytes is ``firstRun`` + n - 3.
  private(set) var tokens: [UInt16] = []
  private(set) var counts = [UInt32](repeating: 0, count: tokenCount)

  static let tokenCount = 512
  static let firstRun = 256
  private static let shortestRun = 3
  private static let longestRun = 258

  /// Replaces the tokens with those of `bytes`.
  ///
  /// - Parameter shortest: The shortest repetition that becomes a run, at least 3.
  mutating func take(_ bytes: [UInt8], shortest: Int) {
    if tokens.count < bytes.count { tokens = [UInt16](repeating: 0, count: bytes.count) }
    for token in counts.indices { counts[token] = 0 }
    // Unsafe, since it runs over every byte; there are at most as many tokens as bytes.
    count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe tokens.withUnsafeMutableBufferPointer { tokens in
        unsafe counts.withUnsafeMutableBufferPointer { counts in
          unsafe Self.tokens(of: bytes, shortest: shortest, into: tokens, counts)
        }
      }
    }
  }

  private(set) var count = 0

  @inline(__always)
  private static func tokens(
    of bytes: UnsafeRawBufferPointer, shortest: Int,
    into tokens: UnsafeMutableBufferPointer<UInt16>,
    _ counts: UnsafeMutableBufferPointer<UInt32>
  ) -> Int {
    var count = 0
    func add(_ token: Int) {
      unsafe tokens[count] = UInt16(truncatingIfNeeded: token)
      unsafe counts[token] &+= 1
      count &+= 1
    }
    var place = 0
    let end = bytes.count &- 4
    while place <= end {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      let byte = unsafe bytes[place]
      add(Int(byte))
      place &+= 1
      // Whether three more of the byte follow.
      guard word == UInt32(byte) &* 0x0101_0101 else { continue }
      let start = place
      while place < bytes.count, unsafe bytes[place] == byte { place &+= 1 }
      var rest = place &- start
      if rest >= shortest {
        while rest >= shortestRun {
          let length = min(rest, longestRun)
          add(firstRun &+ length &- shortestRun)
          rest &-= length
        }
      }
      for _ in 0..<rest { add(Int(byte)) }
    }
    while place < bytes.count {
      add(unsafe Int(bytes[place]))
      place &+= 1
    }
    return count
  }

  /// Estimates from a sample of the first tokens whether LZ77 matching pays: matching takes most of deflate's time.
  ///
  /// Compares strings of tokens by hash, each long enough that it hardly recurs by chance.
  func areLikelyToRepeat() -> Bool {
    let length = min(8, max(3, Int((24 / bitsPerToken).rounded(.up))))
    let end = min(count, 16_384) - 8
    guard end > 0 else { return false }
    let lowMask = UInt64.max >> UInt64(max(0, 4 - length) * 16)
    let highMask = length > 4 ? UInt64.max >> UInt64((8 - length) * 16) : 0
    var met = 0
    var seen = 0
    var last = [UInt64](repeating: 0, count: 4_096)
    unsafe tokens.withUnsafeBytes { tokens in
      for place in 0..<end {
        let low = unsafe tokens.loadUnaligned(fromByteOffset: 2 &* place, as: UInt64.self)
        let high = unsafe tokens.loadUnaligned(fromByteOffset: 2 &* place &+ 8, as: UInt64.self)
        let mixed = (low & lowMask) &* 0x9E37_79B9_7F4A_7C15 ^ (high & highMask)
        let hash = (mixed ^ mixed &>> 29) &* 0xD6E8_FEB8_6659_FD93
        // Samples an eighth of the strings by content.
        guard hash & 0x1C_0000_0000 == 0 else { continue }
        seen &+= 1
        let slot = Int(truncatingIfNeeded: hash &>> 52)
        if last[slot] == hash { met &+= 1 }
        last[slot] = hash
      }
    }
    // If almost no string was sampled, there are few distinct ones.
    return met * 8 > seen || seen * 32 < end
  }

  private var bitsPerToken: Double {
    max(1, ByteCounts.entropyBits(counts.lazy.map { Int($0) }) / Double(max(1, count)))
  }
}
