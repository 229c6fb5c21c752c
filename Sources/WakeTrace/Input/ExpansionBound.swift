/// To how much content a compressed file may expand, where nobody can wait for all that a decompression bomb has.
enum ExpansionBound {
  /// The length of content up to which any expansion is allowed.
  static let least: Int64 = 256 << 20
  /// How many times the file's length the content may have: a trace of level 0 shrinks to a tenth or so, while a bomb has
  /// a thousand times its length.
  static let factor: Int64 = 200

  /// The most bytes that are read only to look for damage.
  static let mostChecked: Int64 = 4 << 30

  /// The bytes of content of a file of `length` bytes.
  static func content(ofFile length: Int64) -> Int64 {
    let (most, isTooMuch) = length.multipliedReportingOverflow(by: factor)
    return max(least, isTooMuch ? .max : most)
  }
}
