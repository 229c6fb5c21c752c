/// How closely the saves and deletes of a type must be looked at: what the hot path asks of each.
struct Attention {
  /// What must be asked of each, one bit of those below where the type is sifted; else, and then alone, the
  /// number of attentive subscriptions in units of ``one``.
  private var level: UInt32

  /// Makes the attention to a type to which nobody attends.
  init() { level = 0 }

  /// Makes what is none, or up to something, where that of each of four types is.
  @inline(__always)
  init(_ first: Attention, _ second: Attention, _ third: Attention, _ fourth: Attention) {
    level = first.level | second.level | third.level | fourth.level
  }

  /// Whether each is a count and nothing else.
  @inline(__always)
  var isNone: Bool { level == 0 }

  /// Whether one subscription is attentive, for which the type is sifted.
  @inline(__always)
  var isSifted: Bool { level != 0 && isUpToSieves }

  /// Whether each is a count, or a count if its source matches.
  @inline(__always)
  var isUpToSources: Bool { level & ~Self.sources == 0 }

  /// Whether each is a count, or a count if its source matches, where it has nothing else but a time.
  @inline(__always)
  var isUpToPlainSources: Bool { level & ~(Self.sources | Self.plainSources) == 0 }

  /// Whether each is a count, or a count if its value matches.
  @inline(__always)
  var isUpToValues: Bool { level & ~Self.values == 0 }

  /// Whether each is a count, or is held against a sieve.
  @inline(__always)
  var isUpToSieves: Bool { level < Self.one }

  /// The number of attentive subscriptions.
  var count: Int { isSifted ? 1 : Int(level / Self.one) }

  private static let sources: UInt32 = 1
  private static let plainSources: UInt32 = 2
  private static let values: UInt32 = 4
  private static let samples: UInt32 = 8
  private static let one: UInt32 = 16

  /// One more subscription is attentive; the type is not sifted.
  @inline(__always)
  mutating func addOne() { level += Self.one }

  /// One subscription less is attentive; the type is not sifted.
  @inline(__always)
  mutating func dropOne() { level -= Self.one }

  /// The type is sifted from a time on for its only attentive subscription.
  mutating func sift(_ sieve: Sieve, from time: Int64) {
    level =
      if sieve.stops != 0 {
        Self.samples
      } else {
        switch sieve.question {
        case .source: Self.sources
        case .value: Self.values
        case .sample: sieve.isPassed(by: time) ? Self.plainSources : Self.samples
        }
      }
  }

  /// The type is no longer sifted.
  mutating func stopSifting() { level = Self.one }
}
