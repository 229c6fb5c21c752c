import WakeEvents

/// The symbols of names seen lately, by their bytes as they stand in a file.
///
/// An export names the same few types and sources millions of times; those found here are neither
/// decoded nor looked up under the symbol table's lock, which halves the time of an import.
struct RecentNames<Namespace> {
  private struct Entry {
    var bytes: [UInt8]
    var symbol: Symbol<Namespace>
  }

  private var entries = [Entry?](repeating: nil, count: 256)

  /// The symbol of the name that is written as `bytes`, from `intern` if it is not at hand.
  ///
  /// - Complexity: O(length of the name).
  mutating func symbol(
    of bytes: Span<UInt8>, intern: () throws -> Symbol<Namespace>
  ) rethrows -> Symbol<Namespace> {
    let slot = Self.slot(of: bytes)
    if let entry = entries[slot], Self.isSame(entry.bytes.span, bytes) { return entry.symbol }
    let symbol = try intern()
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    entries[slot] = Entry(bytes: copy, symbol: symbol)
    return symbol
  }

  private static func slot(of bytes: Span<UInt8>) -> Int {
    var hash: UInt32 = 0x811C_9DC5
    for index in bytes.indices { hash = (hash ^ UInt32(bytes[index])) &* 0x0100_0193 }
    return Int((hash ^ hash >> 16) % 256)
  }

  private static func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in left.indices where left[index] != right[index] { return false }
    return true
  }
}
