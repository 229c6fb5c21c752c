/// Length-limited Huffman codes: code lengths from frequencies, and canonical codes from lengths.
enum HuffmanLengths {
  /// Code lengths for symbols with these counts; 0 for symbols that do not occur. There are at least two codes.
  static func of(_ counts: [Int], longest: Int) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: counts.count)
    var symbols = counts.indices.filter { counts[$0] > 0 }
    guard symbols.count > 1 else {
      // Inflaters require a complete code.
      lengths[symbols.first ?? 0] = 1
      lengths[symbols.first == 0 ? 1 : 0] = 1
      return lengths
    }
    symbols.sort { counts[$0] != counts[$1] ? counts[$0] < counts[$1] : $0 < $1 }
    var codesOfLength = codesOfLengths(symbols.map { counts[$0] })
    limit(&codesOfLength, to: longest)
    // The rarest symbols get the longest codes.
    var next = 0
    for length in stride(from: longest, to: 0, by: -1) {
      for _ in 0..<codesOfLength[length] {
        lengths[symbols[next]] = UInt8(length)
        next += 1
      }
    }
    return lengths
  }

  /// The number of codes of each length by Huffman's algorithm, for ascending counts (two-queue method).
  private static func codesOfLengths(_ counts: [Int]) -> [Int] {
    let leaves = counts.count
    // Leaves, then inner nodes: both ascend, so the two least weights are at the fronts of two queues.
    var weights = counts
    var parents = [Int](repeating: 0, count: 2 * leaves - 1)
    var leaf = 0
    var node = leaves
    func takeLeast() -> Int {
      if leaf < leaves, node >= weights.count || weights[leaf] <= weights[node] {
        leaf += 1
        return leaf - 1
      }
      node += 1
      return node - 1
    }
    while weights.count < 2 * leaves - 1 {
      let (first, second) = (takeLeast(), takeLeast())
      parents[first] = weights.count
      parents[second] = weights.count
      weights.append(weights[first] + weights[second])
    }
    var depths = [Int](repeating: 0, count: 2 * leaves - 1)
    var codesOfLength = [Int](repeating: 0, count: max(16, leaves))
    for place in stride(from: 2 * leaves - 3, through: 0, by: -1) {
      depths[place] = depths[parents[place]] + 1
      if place < leaves { codesOfLength[depths[place]] += 1 }
    }
    return codesOfLength
  }

  /// Limits the code length heuristically, as zlib's `gen_bitlen` does: shorter codes grow until Kraft's sum is 1.
  private static func limit(_ codesOfLength: inout [Int], to longest: Int) {
    var used = 0
    for length in codesOfLength.indices {
      if length > longest {
        codesOfLength[longest] += codesOfLength[length]
        codesOfLength[length] = 0
      }
    }
    for length in 1...longest { used += codesOfLength[length] << (longest - length) }
    while used > 1 << longest {
      // A longest code becomes the sibling of a shorter one, which grows by one bit.
      codesOfLength[longest] -= 1
      var shorter = longest - 1
      while codesOfLength[shorter] == 0 { shorter -= 1 }
      codesOfLength[shorter] -= 1
      codesOfLength[shorter + 1] += 2
      used -= 1
    }
  }

  /// The canonical codes for lengths (RFC 1951, 3.2.2), bit-reversed, since bits are written lowest first.
  static func codes(_ lengths: [UInt8]) -> [UInt32] {
    var next = [UInt32](repeating: 0, count: 16)
    var codesOfLength = [UInt32](repeating: 0, count: 16)
    for length in lengths where length > 0 { codesOfLength[Int(length)] += 1 }
    var code: UInt32 = 0
    for length in 1..<16 {
      code = (code + codesOfLength[length - 1]) << 1
      next[length] = code
    }
    return lengths.map { length in
      guard length > 0 else { return 0 }
      defer { next[Int(length)] += 1 }
      var (rest, turned) = (next[Int(length)], UInt32(0))
      for _ in 0..<length {
        turned = turned << 1 | rest & 1
        rest >>= 1
      }
      return turned
    }
  }
}
