/// A part of a payload with one compression strategy.
struct Section {
  /// The kind of content, which decides the strategy.
  enum Kind {
    /// Names and lists: LZ77 matches and Huffman codes.
    case plain
    /// One or two symbols a byte: Huffman codes, with matches where symbols repeat.
    case symbols
    /// Packed bits, mostly random: often stored.
    case mantissas
  }

  var kind: Kind
  var bytes: [UInt8]
}
