/// A deflate fragment of literals and runs with a dynamic Huffman code (RFC 1951, 3.2.7).
///
/// Stands for zlib's strategies `Z_HUFFMAN_ONLY` and `Z_RLE`, and knows its length before it is written. On a million
/// events of the preset `wearable` at level 1, all compression takes about 8 ns an event; `Z_RLE` alone takes 6.6 ns for
/// each of 2.7 bytes an event, and saves 0.3 % of size (`Z_HUFFMAN_ONLY`: 7.9 ns, 2.1 % more size).
struct RunFragment {
  private static let longest = 14
  /// The longest code that zlib's inflate decodes with one table lookup; up to 0.5 % of size is given for it.
  private static let longestQuick = 9
  private static let endOfBlock = 256
  /// The order of the code length code (RFC 1951, 3.2.7).
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// A symbol of the code length alphabet with its extra bits.
  private struct LengthSymbol {
    var symbol: Int
    var extra: UInt64 = 0
    var extraBits: UInt64 = 0
  }

  private(set) var length = 0

  /// Each token's code with its extra bits; bits 24 and up hold their number.
  private var words: [UInt32] = []
  private var endWord: UInt32 = 0
  private var listedCodes = 0
  private var lengthSymbols: [LengthSymbol] = []
  private var lengthLengths: [UInt8] = []
  private var listedLengths = 0

  /// Chooses the codes for tokens and computes ``length``.
  init(_ runs: ByteRuns) {
    var counts = [Int](repeating: 0, count: 286)
    counts[Self.endOfBlock] = 1
    for (token, count) in runs.counts.enumerated() {
      counts[RunLength(token: token).symbol] += Int(count)
    }
    var lengths = HuffmanLengths.of(counts, longest: Self.longest)
    if lengths.contains(where: { $0 > Self.longestQuick }) {
      let quick = HuffmanLengths.of(counts, longest: Self.longestQuick)
      func bits(_ lengths: [UInt8]) -> Int {
        zip(counts, lengths).reduce(0) { $0 + $1.0 * Int($1.1) }
      }
      if Double(bits(quick)) <= 1.005 * Double(bits(lengths)) { lengths = quick }
    }
    setWords(HuffmanLengths.codes(lengths), lengths)
    var bits = 3 + 5 + 5 + 4 + 3
    for (word, count) in zip(words, runs.counts) { bits += Int(word >> 24) * Int(count) }
    bits += Int(endWord >> 24)

    listedCodes = max(257, (lengths.lastIndex { $0 > 0 } ?? 0) + 1)
    // All distances are 1; a second distance code makes the code complete, as some inflaters require.
    lengthSymbols = Self.repeated(lengths[..<listedCodes] + [1, 1])
    var symbolCounts = [Int](repeating: 0, count: 19)
    for symbol in lengthSymbols {
      symbolCounts[symbol.symbol] += 1
      bits += Int(symbol.extraBits)
    }
    lengthLengths = HuffmanLengths.of(symbolCounts, longest: 7)
    for (count, length) in zip(symbolCounts, lengthLengths) { bits += count * Int(length) }
    listedLengths = max(4, 1 + (Self.lengthOrder.lastIndex { lengthLengths[$0] > 0 } ?? 0))
    bits += 3 * listedLengths
    length = (bits + 7) / 8 + 4
  }

  private mutating func setWords(_ codes: [UInt32], _ lengths: [UInt8]) {
    words = (0..<ByteRuns.tokenCount).map { token in
      let run = RunLength(token: token)
      let length = UInt32(lengths[run.symbol])
      // Tokens that do not occur have no code and are never written.
      guard token >= ByteRuns.firstRun else { return codes[run.symbol] | length << 24 }
      // The last bit is the distance code, 0.
      return codes[run.symbol] | run.extra << length | (length + run.extraBits + 1) << 24
    }
    endWord = codes[Self.endOfBlock] | UInt32(lengths[Self.endOfBlock]) << 24
  }

  /// Code lengths in the code length alphabet, whose symbols 16 to 18 are repetitions.
  private static func repeated(_ lengths: ArraySlice<UInt8>) -> [LengthSymbol] {
    var symbols: [LengthSymbol] = []
    var rest = lengths
    while let length = rest.first {
      var count = rest.prefix { $0 == length }.count
      rest = rest.dropFirst(count)
      if length > 0 {
        symbols.append(LengthSymbol(symbol: Int(length)))
        count -= 1
      }
      while count >= 3 {
        let most = length > 0 ? 6 : count > 10 ? 138 : 10
        let part = min(count, most)
        switch most {
        case 6: symbols.append(LengthSymbol(symbol: 16, extra: UInt64(part - 3), extraBits: 2))
        case 10: symbols.append(LengthSymbol(symbol: 17, extra: UInt64(part - 3), extraBits: 3))
        default: symbols.append(LengthSymbol(symbol: 18, extra: UInt64(part - 11), extraBits: 7))
        }
        count -= part
      }
      for _ in 0..<count { symbols.append(LengthSymbol(symbol: Int(length))) }
    }
    return symbols
  }

  /// Appends the fragment: a block of the tokens given to `init`, and an empty stored block that aligns to a byte.
  func append(_ runs: ByteRuns, to output: inout [UInt8]) {
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: length + BitPacker.margin))
    let written = unsafe output.withUnsafeMutableBytes { output in
      guard let memory = output.baseAddress else { return 0 }
      var packer = unsafe BitPacker(memory + start)
      packHead(&packer)
      pack(runs, &packer)
      packer.append(UInt64(endWord & 0xFF_FFFF), bits: UInt64(endWord >> 24))
      packer.append(0, bits: 3)
      let end = packer.finish()
      unsafe (memory + start + end).storeBytes(
        of: UInt32(0xFFFF_0000).littleEndian, as: UInt32.self)
      return end + 4
    }
    output.removeLast(output.count - start - written)
  }

  private func packHead(_ packer: inout BitPacker) {
    // Not final, dynamic Huffman codes; then HLIT, HDIST and HCLEN.
    packer.append(0b100, bits: 3)
    packer.append(UInt64(listedCodes - 257), bits: 5)
    packer.append(1, bits: 5)
    packer.append(UInt64(listedLengths - 4), bits: 4)
    for symbol in Self.lengthOrder[..<listedLengths] {
      packer.append(UInt64(lengthLengths[symbol]), bits: 3)
    }
    let codes = HuffmanLengths.codes(lengthLengths)
    for symbol in lengthSymbols {
      packer.append(UInt64(codes[symbol.symbol]), bits: UInt64(lengthLengths[symbol.symbol]))
      packer.append(symbol.extra, bits: symbol.extraBits)
    }
  }

  /// Unsafe, since it runs once an event.
  private func pack(_ runs: ByteRuns, _ packer: inout BitPacker) {
    var local = packer
    unsafe words.withUnsafeBufferPointer { words in
      unsafe runs.tokens.withUnsafeBufferPointer { tokens in
        var index = 0
        while index &+ 1 < runs.count {
          let first = unsafe words[Int(tokens[index])]
          let second = unsafe words[Int(tokens[index &+ 1])]
          let firstBits = UInt64(first &>> 24)
          let both = UInt64(first & 0xFF_FFFF) | UInt64(second & 0xFF_FFFF) &<< firstBits
          local.append(both, bits: firstBits &+ UInt64(second &>> 24))
          index &+= 2
        }
        if index < runs.count {
          let last = unsafe words[Int(tokens[index])]
          local.append(UInt64(last & 0xFF_FFFF), bits: UInt64(last &>> 24))
        }
      }
    }
    packer = local
  }
}

/// A token's symbol in the literal and length alphabet, and its extra bits.
private struct RunLength {
  var symbol: Int
  var extra: UInt32 = 0
  var extraBits: UInt32 = 0

  init(token: Int) {
    symbol = token
    guard token >= ByteRuns.firstRun else { return }
    // Every four symbols have one more extra bit (RFC 1951, 3.2.5).
    let length = UInt32(token - ByteRuns.firstRun)
    guard length >= 8 else {
      symbol = 257 + Int(length)
      return
    }
    guard length < 255 else {
      symbol = 285
      return
    }
    extraBits = UInt32(29 - length.leadingZeroBitCount)
    symbol = 257 + 4 * Int(extraBits) + Int(length >> extraBits)
    extra = length & (1 << extraBits - 1)
  }
}
