/// A string compared by its UTF-8 bytes.
///
/// `String`'s own equality holds a composed and a decomposed accent for the same, but a wake log,
/// its order and its digest are defined on bytes (SPEC 7), so two such names must stay two.
public struct ExactName: Hashable, Comparable, Sendable {
  /// The string as it was given.
  public let string: String

  /// Wraps `string`.
  public init(_ string: String) {
    self.string = string
  }

  public static func == (left: ExactName, right: ExactName) -> Bool {
    let (left, right) = (left.string.utf8.span, right.string.utf8.span)
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }

  public static func < (left: ExactName, right: ExactName) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    unsafe string.utf8.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    hasher.combine(0xFF as UInt8)
  }
}

/// The 64-bit hash that stands for a name in digests and block headers (SPEC 7).
public enum NameHash {
  /// FNV-1a over the UTF-8 bytes of `name`.
  ///
  /// SPEC 7 takes 0 in place of this for no device name; see ``device(_:)``.
  ///
  /// - Complexity: O(length of the name).
  @inlinable
  public static func of(_ name: some StringProtocol) -> UInt64 {
    of(bytes: name.utf8)
  }

  /// ``of(_:)``, for many names: a string that has its bytes in a row is read in a third of the instructions.
  ///
  /// Apart, as it is too long for where ``of(_:)`` is inlined: beside the hash of a wake.
  static func ofMany(_ name: String) -> UInt64 {
    let hash = unsafe name.utf8.withContiguousStorageIfAvailable { unsafe of(bytes: $0) }
    return hash ?? of(bytes: name.utf8)
  }

  /// FNV-1a over bytes.
  @inlinable
  static func of(bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// The hash of a device's name, 0 for the empty one (SPEC 7).
  @inlinable
  public static func device(_ name: some StringProtocol) -> UInt64 {
    name.isEmpty ? 0 : of(name)
  }
}
