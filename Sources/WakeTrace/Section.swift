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
