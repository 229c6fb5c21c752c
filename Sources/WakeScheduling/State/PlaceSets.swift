/// Three sets of the places of an app's subscriptions, so that a wake looks at those that it carries and not at all that
/// the app has.
///
/// Places come in words of 64. Few apps have more than two words; those beyond are found by summaries of 64 words, so that
/// an app with many thousand types costs no more for each wake.
struct PlaceSets {
  enum Name: Int {
    /// With pending saves that were past their period when last looked at.
    case ripe
    /// The others with pending saves: each is past its period at a time, its *due* time.
    case unripe
    /// Carried without an answer by the wake in flight. After the wake it means nothing, or is ``live``.
    case carried

    /// The same set in the foreground, where no wake is in flight: those whose saves may be counted as live deliveries.
    static var live: Name { .carried }
  }

  /// The places 0 to 63, and 64 to 127: an app that subscribes to every type of health data needs no more. They are written by
  /// index, as which word a place is in is hard to predict, and read without: to read an element whose index is not a
  /// constant, the compiler copies the array.
  private var words = InlineArray<2, Word>(repeating: Word())
  /// The places from 128 on: none, or one element, as few apps have such places.
  private(set) var others: [Others] = []

  /// The earliest due time of an unripe place; `Int64.max` if there is none.
  @inline(__always)
  var unripeDue: Int64 {
    let due = min(words[0].due, words[1].due)
    return others.isEmpty ? due : min(due, otherDue)
  }

  /// The earliest due time of an unripe place from 128 on.
  var otherDue: Int64 { others.first?.due ?? .max }

  // MARK: Places

  @inline(__always)
  mutating func insert(_ place: Int, in set: Name) {
    if place < 128 {
      words[place &>> 6 & 1].sets[set.rawValue] |= 1 &<< UInt64(place & 63)
    } else {
      setOther(place, in: set, true)
    }
  }

  /// Inserts a place into the unripe, with its due time.
  @inline(__always)
  mutating func insertUnripe(_ place: Int, due: Int64) {
    insert(place, in: .unripe)
    if place < 128 {
      words[place &>> 6 & 1].lowerDue(ofGroup: place &>> 4 & 3, to: due)
    } else {
      others[0].lowerDue(ofGroupWith: place, to: due)
    }
  }

  /// Removes a place. For one of the unripe, ``setDue(ofGroupWith:to:)`` must follow.
  @inline(__always)
  mutating func remove(_ place: Int, from set: Name) {
    if place < 128 {
      words[place &>> 6 & 1].sets[set.rawValue] &= ~(1 &<< UInt64(place & 63))
    } else {
      setOther(place, in: set, false)
    }
  }

  @inline(__always)
  mutating func removeAll(from set: Name) {
    words[0].removeAll(from: set)
    words[1].removeAll(from: set)
    if !others.isEmpty { others[0].removeAll(from: set) }
  }

  /// Takes the places from 128 on, with their memory.
  mutating func takeOthers() -> [Others] {
    var taken: [Others] = []
    if !others.isEmpty { swap(&taken, &others) }
    return taken
  }

  /// Keeps the memory of places from 128 on, which is not empty, for sets without such places.
  mutating func keep(_ memory: inout [Others]) {
    swap(&memory, &others)
    others[0].removeAll()
  }

  @inline(never)
  private mutating func setOther(_ place: Int, in set: Name, _ isIn: Bool) {
    if others.isEmpty { others.append(Others()) }
    others[0].set(place, in: set, isIn)
  }

  /// Whether a place is in a set.
  @inline(__always)
  func contains(_ place: Int, in set: Name) -> Bool {
    let bit = 1 &<< UInt64(place & 63)
    if place < 64 { return words[0].sets[set.rawValue] & bit != 0 }
    if place < 128 { return words[1].sets[set.rawValue] & bit != 0 }
    return !others.isEmpty && others[0].next(in: set, from: place) == place
  }

  /// The lowest place of a set, if it is below 64.
  @inline(__always)
  func firstBelow64(in set: Name) -> Int? {
    let places = words[0].sets[set.rawValue]
    return places == 0 ? nil : places.trailingZeroBitCount
  }

  /// The lowest place of a set that is not below one.
  @inline(__always)
  func next(in set: Name, from place: Int) -> Int? {
    if place < 64 {
      let rest = words[0].sets[set.rawValue] & ~0 &<< UInt64(truncatingIfNeeded: place)
      if rest != 0 { return rest.trailingZeroBitCount }
    }
    if place < 128 {
      let hidden = place < 64 ? 0 : UInt64(place & 63)
      let rest = words[1].sets[set.rawValue] & ~0 &<< hidden
      if rest != 0 { return 64 &+ rest.trailingZeroBitCount }
    }
    return others.isEmpty ? nil : others[0].next(in: set, from: max(place, 128))
  }

  /// The places of a set below 128, one by one.
  struct FirstPlaces {
    fileprivate var low: UInt64
    fileprivate var high: UInt64

    /// The next place; nil at the end.
    @inline(__always)
    mutating func next() -> Int? {
      if low != 0 {
        defer { low &= low &- 1 }
        return low.trailingZeroBitCount
      }
      guard high != 0 else { return nil }
      defer { high &= high &- 1 }
      return 64 &+ high.trailingZeroBitCount
    }
  }

  /// The places of a set below 128.
  @inline(__always)
  private func firstPlaces(in set: Name) -> FirstPlaces {
    FirstPlaces(low: words[0].sets[set.rawValue], high: words[1].sets[set.rawValue])
  }

  /// The places of a set, which stays as it is while they are taken one by one.
  struct AllPlaces {
    fileprivate var first: FirstPlaces
    fileprivate let set: Name
    /// The next place from 128 on is not below this one.
    fileprivate var next = 128

    /// The next place; nil at the end.
    ///
    /// - Parameter places: `inout` for speed alone: for another call the compiler copies them.
    @inline(__always)
    mutating func next(in places: inout PlaceSets) -> Int? {
      if let place = first.next() { return place }
      guard !places.others.isEmpty, let place = places.others[0].next(in: set, from: next) else {
        return nil
      }
      next = place &+ 1
      return place
    }
  }

  /// The places of a set.
  @inline(__always)
  func all(in set: Name) -> AllPlaces { AllPlaces(first: firstPlaces(in: set), set: set) }

  /// The ripe places, taken one by one.
  struct RipePlaces {
    fileprivate var first: FirstPlaces
    /// Whether they are carried then.
    fileprivate let areCarried: Bool

    /// The next place, which is ripe no more; nil at the end.
    @inline(__always)
    mutating func next(in places: inout PlaceSets) -> Int? {
      first.next()
        ?? (places.others.isEmpty
          ? nil : places.others[0].takeRipe(areCarried: areCarried))
    }
  }

  /// Starts to take the ripe places.
  @inline(__always)
  mutating func takeRipe() -> RipePlaces {
    defer {
      words[0].sets[Name.ripe.rawValue] = 0
      words[1].sets[Name.ripe.rawValue] = 0
    }
    return RipePlaces(first: firstPlaces(in: .ripe), areCarried: false)
  }

  /// Starts to take the ripe places, which are carried then: those below 128 at once.
  @inline(__always)
  mutating func carryRipe() -> RipePlaces {
    let ripe = firstPlaces(in: .ripe)
    words[0].sets[Name.ripe.rawValue] = 0
    words[0].sets[Name.carried.rawValue] |= ripe.low
    words[1].sets[Name.ripe.rawValue] = 0
    words[1].sets[Name.carried.rawValue] |= ripe.high
    return RipePlaces(first: ripe, areCarried: true)
  }

  /// Makes all unripe places below 128 ripe.
  mutating func ripenFirst() {
    words[0].ripenAll()
    words[1].ripenAll()
  }

  /// Makes the only unripe place ripe, if it is below 64; false if there may be others.
  @inline(__always)
  mutating func ripenOnly() -> Bool {
    let unripe = words[0].sets[Name.unripe.rawValue]
    guard unripe & (unripe &- 1) | words[1].sets[Name.unripe.rawValue] == 0, others.isEmpty else {
      return false
    }
    words[0].ripenAll()
    return true
  }

  // MARK: Groups of sixteen places with a common due time

  /// The groups of places below 128 of which one is unripe and due by a time: a bit for each group.
  @inline(__always)
  func groups(dueBy time: Int64) -> UInt8 {
    words[0].groups(dueBy: time) | words[1].groups(dueBy: time) &<< 4
  }

  /// The first place, not below one, of a group from 128 on with unripe places of which one is due by a time; nil if there
  /// is none.
  @inline(__always)
  func nextOtherGroup(from place: Int, dueBy time: Int64) -> Int? {
    others.isEmpty ? nil : others[0].nextGroup(from: max(place, 128), dueBy: time)
  }

  /// The unripe places of a group, as bits from its first place on.
  @inline(__always)
  func unripe(ofGroupWith place: Int) -> UInt64 {
    let unripe =
      if place < 64 {
        words[0].sets[Name.unripe.rawValue]
      } else if place < 128 {
        words[1].sets[Name.unripe.rawValue]
      } else {
        others[0].unripe(ofWordWith: place)
      }
    return unripe &>> UInt64(place & 48) & 0xFFFF
  }

  /// Makes unripe places of a group ripe, given as bits from its first place on.
  @inline(__always)
  mutating func ripen(_ places: UInt64, ofGroupWith place: Int) {
    if place < 128 {
      words[place &>> 6 & 1].ripen(places &<< UInt64(place & 48))
    } else {
      others[0].ripen(places &<< UInt64(place & 48), ofWordWith: place)
    }
  }

  /// Sets the earliest due time of the unripe places of a group; `Int64.max` if there are none left.
  @inline(__always)
  mutating func setDue(ofGroupWith place: Int, to due: Int64) {
    if place < 128 {
      words[place &>> 6 & 1].dues[place &>> 4 & 3] = due
    } else {
      others[0].setDue(ofGroupWith: place, to: due)
    }
  }
}

extension PlaceSets {
  /// The sets of 64 successive places.
  struct Word {
    /// By ``Name``: a bit for each place.
    var sets = InlineArray<3, UInt64>(repeating: 0)
    /// For each sixteen places the earliest due time of the unripe, or `Int64.max`.
    var dues = InlineArray<4, Int64>(repeating: .max)

    @inline(__always)
    var due: Int64 { min(min(dues[0], dues[1]), min(dues[2], dues[3])) }

    // Not in a loop: to read an element whose index is not a constant, the compiler copies the array.
    @inline(__always)
    func groups(dueBy time: Int64) -> UInt8 {
      let low: UInt8 = (dues[0] <= time ? 1 : 0) | (dues[1] <= time ? 2 : 0)
      let high: UInt8 = (dues[2] <= time ? 4 : 0) | (dues[3] <= time ? 8 : 0)
      return low | high
    }

    @inline(__always)
    mutating func lowerDue(ofGroup group: Int, to due: Int64) {
      dues[group] = min(dues[group], due)
    }

    @inline(__always)
    mutating func ripen(_ places: UInt64) {
      sets[Name.unripe.rawValue] &= ~places
      sets[Name.ripe.rawValue] |= places
    }

    @inline(__always)
    mutating func ripenAll() {
      sets[Name.ripe.rawValue] |= sets[Name.unripe.rawValue]
      removeAll(from: .unripe)
    }

    @inline(__always)
    mutating func removeAll(from set: Name) {
      sets[set.rawValue] = 0
      if set == .unripe { dues = InlineArray(repeating: .max) }
    }
  }
}
