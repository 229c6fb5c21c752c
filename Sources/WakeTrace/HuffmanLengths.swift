/// Lengths of the codes of a Huffman code, and the codes that deflate makes of lengths.
enum HuffmanLengths {
  /// The lengths of codes for symbols of which there are so many each; 0 for those that there are none
  /// of, and at least two codes.
  static func of(_ counts: [Int], longest: Int) -> [UInt8] {
    var lengths = [UInt8](repeating: 0, count: counts.count)
    var symbols = counts.indices.filter { counts[$0] > 0 }
    guard symbols.count > 1 else {
      // Readers want codes to be complete.
      lengths[symbols.first ?? 0] = 1
      lengths[symbols.first == 0 ? 1 : 0] = 1
      return lengths
    }
    symbols.sort { counts[$0] != counts[$1] ? counts[$0] < counts[$1] : $0 < $1 }
    var codesOfLength = codesOfLengths(symbols.map { counts[$0] })
    limit(&codesOfLength, to: longest)
    // The rarest get the longest.
    var next = 0
    for length in stride(from: longest, to: 0, by: -1) {
      for _ in 0..<codesOfLength[length] {
        lengths[symbols[next]] = UInt8(length)
        next += 1
      }
    }
    return lengths
  }

  /// How many codes of each length Huffman's algorithm gives for rising counts.
  private static func codesOfLengths(_ counts: [Int]) -> [Int] {
    let leaves = counts.count
    // Leaves, then the nodes over two each; both rise, so the least two stand at two places.
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

  /// Makes codes that are too long short enough, at the expense of others.
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
      // One of the longest codes becomes the sibling of a shorter one, which grows by a bit.
      codesOfLength[longest] -= 1
      var shorter = longest - 1
      while codesOfLength[shorter] == 0 { shorter -= 1 }
      codesOfLength[shorter] -= 1
      codesOfLength[shorter + 1] += 2
      used -= 1
    }
  }

  /// The codes for lengths (RFC 1951, 3.2.2), their bits turned round as they are written lowest first.
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
