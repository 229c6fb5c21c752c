public import WakeTrace

/// Some of the shards of a fleet: of which devices a result is. In JSON it is a text such as `1-3,7/8`.
public struct ShardSet: Hashable, Sendable, CustomStringConvertible {
  /// How many shards there are.
  public let count: Int
  /// The numbers of those that are in the set, from 1, in ascending ranges with gaps between them.
  public private(set) var ranges: [ClosedRange<Int>]

  /// The set of one shard.
  public init(_ shard: DeviceShard) {
    count = shard.count
    ranges = [shard.number...shard.number]
  }

  /// The text of a result.
  public var description: String {
    Self.text(ranges) + "/\(count)"
  }

  /// Numbers as `1-3, 7`, for messages at most `limit` ranges.
  static func text(_ ranges: [ClosedRange<Int>], separator: String = ",", limit: Int = .max)
    -> String
  {
    let shown = ranges.prefix(limit).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
    }
    return (shown + (ranges.count > limit ? ["…"] : [])).joined(separator: separator)
  }

  /// Reads `1-3,7/8`; nil if it is something else.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Self.number(parts[1]), count <= DeviceShard.mostShards
    else { return nil }
    self.count = count
    ranges = []
    for range in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      let bounds = range.split(separator: "-", omittingEmptySubsequences: false)
      guard bounds.count <= 2, let low = Self.number(bounds[0]),
        let high = Self.number(bounds[bounds.count - 1]), low <= high, high <= count,
        low > (ranges.last?.upperBound ?? -1) + 1
      else { return nil }
      ranges.append(low...high)
    }
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number > 0
    else { return nil }
    return number
  }
}

extension ShardSet: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let set = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected shards such as 1-3,7/8")
    }
    self = set
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The shards that results have brought, a bit each.
struct ShardMap {
  let count: Int
  private var words: [UInt64]
  private(set) var present = 0

  init(count: Int) {
    self.count = count
    words = [UInt64](repeating: 0, count: count / 64 + 1)
  }

  var isComplete: Bool { present == count }

  func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 == 1 }

  /// The first shard of a set that is here already.
  func first(of set: ShardSet) -> Int? { set.ranges.joined().first(where: contains) }

  /// Adds shards, of which none is here.
  mutating func insert(_ set: ShardSet) {
    for number in set.ranges.joined() {
      words[number / 64] |= 1 << UInt64(number % 64)
      present += 1
    }
  }

  /// The numbers that are here, or those that are not.
  func ranges(present: Bool) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    for number in 1...count where contains(number) == present {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }
}

extension ShardSet {
  init(_ map: ShardMap) {
    count = map.count
    ranges = map.ranges(present: true)
  }
}
