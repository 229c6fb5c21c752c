import WakeEvents

/// One of several parts of all devices, by the hashes of their names: what one of many tasks replays.
///
///     let shard = DeviceShard("3/8")  // the third of eight
///
/// The hash of a name (`NameHash.device(_:)`) is mixed by the finaliser of SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast
/// splittable pseudorandom number generators", 2014), as FNV-1a alone spreads short names badly. The upper 64 bits of the
/// product of the mixed hash and ``count`` are the shard's index, from 0 (D. Lemire, "Fast random integer generation in an
/// interval", 2019).
public struct DeviceShard: Hashable, Sendable, CustomStringConvertible {
  /// The shard's number, from 1.
  public let number: Int
  /// How many shards there are.
  public let count: Int

  /// The most shards: 2^24.
  public static let mostShards = 1 << 24

  /// The shard with a number from 1 to `count`; nil if there is none.
  public init?(number: Int, count: Int) {
    guard (1...Self.mostShards).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Reads `3/8`; nil if it is something else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let number = Int(parts[0]), let count = Int(parts[1])
    else { return nil }
    self.init(number: number, count: count)
  }

  /// The text that ``init(_:)`` reads.
  public var description: String { "\(number)/\(count)" }

  /// Whether the device of a hash belongs to the shard.
  ///
  /// - Complexity: O(1).
  public func contains(deviceHash hash: UInt64) -> Bool {
    Self.index(ofDeviceHash: hash, among: count) == number - 1
  }

  /// The index of a device's shard, from 0.
  public static func index(ofDeviceHash hash: UInt64, among count: Int) -> Int {
    Int(hash.splitMixed.multipliedFullWidth(by: UInt64(count)).high)
  }
}
