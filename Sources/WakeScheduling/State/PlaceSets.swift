/// Three sets of the places of an app's subscriptions: one bit each, so that a wake looks at those that it carries and
/// not at all that the app has.
struct PlaceSets {
  enum Name: Int {
    /// With pending saves that were past their period when last looked at.
    case ripe
    /// The others with pending saves.
    case unripe
    /// Carried without an answer by the wake in flight. Meaningless after the wake.
    case carried
  }

  /// The places below 64, by set.
  private var first = InlineArray<3, UInt64>(repeating: 0)
  /// Those from 64 on, which few apps have: a word for each set, then the words of the next 64 places.
  private var others: [UInt64] = []

  @inline(__always)
  mutating func insert(_ place: Int, in set: Name) {
    if place < 64 {
      first[set.rawValue] |= 1 &<< UInt64(truncatingIfNeeded: place)
    } else {
      setOther(place, in: set, true)
    }
  }

  @inline(__always)
  mutating func remove(_ place: Int, from set: Name) {
    if place < 64 {
      first[set.rawValue] &= ~(1 &<< UInt64(truncatingIfNeeded: place))
    } else {
      setOther(place, in: set, false)
    }
  }

  @inline(__always)
  mutating func removeAll(from set: Name) {
    first[set.rawValue] = 0
    if !others.isEmpty { removeOthers(from: set) }
  }

  /// Empties all three sets and keeps their memory.
  mutating func removeAll() {
    first = InlineArray(repeating: 0)
    for word in others.indices { others[word] = 0 }
  }

  func contains(_ place: Int, in set: Name) -> Bool { next(in: set, from: place) == place }

  /// The lowest place not below one that is in a set, or in a further one.
  @inline(__always)
  func next(in set: Name, or further: Name? = nil, from place: Int) -> Int? {
    if place < 64 {
      var rest = first[set.rawValue]
      if let further { rest |= first[further.rawValue] }
      rest &= ~0 &<< UInt64(truncatingIfNeeded: place)
      if rest != 0 { return rest.trailingZeroBitCount }
    }
    return others.isEmpty ? nil : nextOther(in: set, or: further, from: max(place, 64))
  }

  /// Moves the places of a set from one on, as a subscription is inserted there or that of the place before is removed.
  ///
  /// - Complexity: O(places).
  mutating func move(from place: Int, by distance: Int, in set: Name) {
    let old = self
    removeAll(from: set)
    var next = 0
    while let member = old.next(in: set, from: next) {
      next = member + 1
      insert(member < place ? member : member + distance, in: set)
    }
  }

  private static func word(_ place: Int, of set: Name) -> Int {
    (place / 64 - 1) * 3 + set.rawValue
  }

  @inline(never)
  private mutating func setOther(_ place: Int, in set: Name, _ isIn: Bool) {
    let word = Self.word(place, of: set)
    while word >= others.count { others += [0, 0, 0] }
    let bit = 1 &<< UInt64(place & 63)
    if isIn { others[word] |= bit } else { others[word] &= ~bit }
  }

  @inline(never)
  private mutating func removeOthers(from set: Name) {
    for word in stride(from: set.rawValue, to: others.count, by: 3) { others[word] = 0 }
  }

  @inline(never)
  private func nextOther(in set: Name, or further: Name?, from place: Int) -> Int? {
    var start = (place / 64 - 1) * 3
    var hidden = ~0 &<< UInt64(place & 63) as UInt64
    while start < others.count {
      var bits = others[start + set.rawValue]
      if let further { bits |= others[start + further.rawValue] }
      bits &= hidden
      if bits != 0 { return (start / 3 + 1) * 64 + bits.trailingZeroBitCount }
      hidden = ~0
      start += 3
    }
    return nil
  }
}
