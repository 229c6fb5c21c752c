/// A set of the places of an app's subscriptions: one bit each, so that a wake looks at those that it carries and not at
/// all that the app has.
struct PlaceSet {
  private var first: UInt64 = 0
  /// The places from 64 on, which few apps have.
  private var others: [UInt64] = []

  @inline(__always)
  mutating func insert(_ place: Int) {
    if place < 64 { first |= 1 &<< UInt64(place) } else { setOther(place, true) }
  }

  @inline(__always)
  mutating func remove(_ place: Int) {
    if place < 64 { first &= ~(1 &<< UInt64(place)) } else { setOther(place, false) }
  }

  @inline(__always)
  mutating func removeAll() {
    first = 0
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }

  @inline(__always)
  func contains(_ place: Int) -> Bool {
    if place < 64 { return first & 1 &<< UInt64(place) != 0 }
    let word = place / 64 - 1
    return word < others.count && others[word] & 1 &<< UInt64(place & 63) != 0
  }

  /// The lowest place of the set that is not below one.
  @inline(__always)
  func next(from place: Int) -> Int? {
    if place < 64 {
      let rest = first & (~0 &<< UInt64(place))
      if rest != 0 { return rest.trailingZeroBitCount }
    }
    return others.isEmpty ? nil : nextOther(from: max(place, 64))
  }

  /// Moves the places from one on up by one, as a subscription is inserted there.
  ///
  /// - Complexity: O(places).
  mutating func makeRoom(at place: Int) {
    self = shifted { $0 < place ? $0 : $0 + 1 }
  }

  /// Removes a place and moves those above it down by one, as its subscription is removed.
  ///
  /// - Complexity: O(places).
  mutating func close(at place: Int) {
    remove(place)
    self = shifted { $0 < place ? $0 : $0 - 1 }
  }

  private func shifted(_ shift: (Int) -> Int) -> PlaceSet {
    var shifted = PlaceSet()
    var place = next(from: 0)
    while let old = place {
      shifted.insert(shift(old))
      place = next(from: old + 1)
    }
    return shifted
  }

  @inline(never)
  private mutating func setOther(_ place: Int, _ isIn: Bool) {
    let word = place / 64 - 1
    while word >= others.count { others.append(0) }
    let bit = 1 &<< UInt64(place & 63)
    if isIn { others[word] |= bit } else { others[word] &= ~bit }
  }

  @inline(never)
  private func nextOther(from place: Int) -> Int? {
    var word = place / 64 - 1
    guard word < others.count else { return nil }
    var bits = others[word] & (~0 &<< UInt64(place & 63))
    while bits == 0 {
      word += 1
      guard word < others.count else { return nil }
      bits = others[word]
    }
    return (word + 1) * 64 + bits.trailingZeroBitCount
  }
}
