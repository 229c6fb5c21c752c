import Glibc

/// A part of a payload that is deflated in one way.
struct Section {
  /// What deflate may make of it.
  enum Kind {
    /// Names and lists: deflated as usual.
    case plain
    /// One symbol or two a byte, which may or may not repeat.
    case symbols
    /// Packed bits, mostly random.
    case mantissas
  }

  var kind: Kind
  var bytes: [UInt8]
}

enum Entropy {
  /// The bits that counts of independent symbols are worth.
  static func bits(_ counts: some Sequence<Int>) -> Double {
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
