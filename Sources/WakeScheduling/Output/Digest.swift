/// The hash of one wake, field by field (rules, 7).
///
/// The digest of wakes is the sum of their hashes modulo 2^64, so devices, threads and machines can add theirs in any
/// order.
public struct WakeHash: Sendable {
  /// The hash so far.
  public private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Starts a hash.
  public init() {}

  /// Continues a hash.
  init(value: UInt64) {
    self.value = value
  }

  /// Adds the next field.
  public mutating func combine(_ field: UInt64) {
    var mixed = value ^ field
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    value = mixed ^ (mixed >> 31)
  }

  /// Adds the next field, in two's complement.
  public mutating func combine(_ field: Int64) {
    combine(UInt64(bitPattern: field))
  }
}

/// A digest of wakes as it is shown and stored: 16 lower-case hexadecimal digits (rules, 7).
public struct Digest: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The sum of the wakes' hashes modulo 2^64.
  public var value: UInt64

  /// Makes the digest of no wakes, or of a known sum.
  public init(value: UInt64 = 0) {
    self.value = value
  }

  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Digest: RawRepresentable {
  /// Reads a digest as ``description`` shows it; nil for any other text.
  public init?(rawValue text: String) {
    guard let value = UInt64(text, radix: 16) else { return nil }
    self.init(value: value)
    if description != text { return nil }
  }

  public var rawValue: String { description }
}
