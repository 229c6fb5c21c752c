/// A string compared by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence, so a composed and a decomposed accent are equal. Wake logs and
/// digests are defined on bytes (page Rules, section 7).
public struct ExactName: Hashable, Comparable, Sendable {
  /// The string as it was given.
  public let string: String

  /// Wraps `string`.
  public init(_ string: String) {
    self.string = string
  }

  public static func == (left: ExactName, right: ExactName) -> Bool {
    let (left, right) = (left.string.utf8.span, right.string.utf8.span)
    return left.count == right.count && left.commonPrefix(with: right) == left.count
  }

  public static func < (left: ExactName, right: ExactName) -> Bool {
    left.string.precedes(right.string)
  }

  public func hash(into hasher: inout Hasher) {
    unsafe string.utf8.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  /// Whether it comes before another one in the order of their UTF-8 bytes, by which names are sorted.
  ///
  /// - Complexity: O(length of what they have in common).
  package func precedes(_ other: String) -> Bool {
    let (left, right) = (utf8.span, other.utf8.span)
    let common = left.commonPrefix(with: right)
    return common < min(left.count, right.count)
      ? left[common] < right[common] : left.count < right.count
  }
}

extension Span<UInt8> {
  /// How many of the first bytes are the same as in another span. Eight at a time, as names of types begin alike.
  fileprivate func commonPrefix(with other: Span<UInt8>) -> Int {
    let shorter = Swift.min(count, other.count)
    var common = 0
    while common &+ 8 <= shorter {
      // Unchecked: both have eight bytes from there on.
      let one = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: common, as: UInt64.self)
      let two = unsafe other.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: common, as: UInt64.self)
      if one != two { return common &+ (one ^ two).littleEndian.trailingZeroBitCount / 8 }
      common &+= 8
    }
    while common < shorter, self[common] == other[common] { common &+= 1 }
    return common
  }
}

/// The 64-bit hash of a name in digests and block headers (page Rules, section 7).
public enum NameHash {
  /// FNV-1a over the UTF-8 bytes of `name`.
  ///
  /// - Complexity: O(length of the name).
  @inlinable
  public static func of(_ name: some StringProtocol) -> UInt64 {
    of(bytes: name.utf8)
  }

  /// ``of(_:)`` for contiguous strings: a third of the instructions, but too long to inline into the hash of a wake.
  static func ofMany(_ name: String) -> UInt64 {
    let hash = unsafe name.utf8.withContiguousStorageIfAvailable { unsafe of(bytes: $0) }
    return hash ?? of(bytes: name.utf8)
  }

  /// FNV-1a over bytes.
  @inlinable
  package static func of(bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// The hash of a device's name, 0 for the empty one (page Rules, section 7).
  @inlinable
  public static func device(_ name: some StringProtocol) -> UInt64 {
    name.isEmpty ? 0 : of(name)
  }
}

extension String {
  /// The name for a message: control characters, which a terminal would obey, and those that reverse text are escaped
  /// as `\\u{…}`.
  package var shown: String {
    unicodeScalars.map { scalar in
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x61C, 0x200E, 0x200F, 0x2066...0x2069:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }.joined()
  }
}
