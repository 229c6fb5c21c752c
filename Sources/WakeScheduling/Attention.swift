/// How closely the saves and deletes of a type must be looked at: what the hot path asks of each.
struct Attention {
  /// 0 for none, 1 to 3 for types that are sifted, and from 4 on for those with attentive subscriptions:
  /// 3 more than there are.
  private(set) var level: UInt32 = 0

  /// Whether each is a count and nothing else.
  @inline(__always)
  var isNone: Bool { level == 0 }

  /// Whether one subscription is attentive, for which the type is sifted.
  @inline(__always)
  var isSifted: Bool { level >= Self.sources && level <= Self.samples }

  /// Whether each is a count, or a count if its source matches.
  @inline(__always)
  var isUpToSources: Bool { level <= Self.sources }

  /// Whether each is a count, or a count if its source matches, where it has nothing else but a time.
  @inline(__always)
  var isUpToPlainSources: Bool { level <= Self.plainSources }

  /// Whether each is a count, or is held against a sieve.
  @inline(__always)
  var isUpToSieves: Bool { level <= Self.samples }

  /// The number of attentive subscriptions.
  var count: Int { isSifted ? 1 : Int(max(level, Self.samples) - Self.samples) }

  private static let sources: UInt32 = 1
  private static let plainSources: UInt32 = 2
  private static let samples: UInt32 = 3

  /// One more subscription is attentive; the type is not sifted.
  @inline(__always)
  mutating func addOne() { level = max(level, Self.samples) + 1 }

  /// One subscription less is attentive; the type is not sifted.
  @inline(__always)
  mutating func dropOne() { level = level == Self.samples + 1 ? 0 : level - 1 }

  /// The type is sifted from a time on for its only attentive subscription.
  mutating func sift(_ sieve: Sieve, from time: Int64) {
    level =
      sieve.stops != 0 || !sieve.isPassed(by: time)
      ? Self.samples : sieve.asksForSourceAlone ? Self.sources : Self.plainSources
  }

  /// The type is no longer sifted.
  mutating func stopSifting() { level = Self.samples + 1 }
}
