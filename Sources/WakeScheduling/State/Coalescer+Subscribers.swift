// The subscriptions on a type, in the order of app numbers. Only enable and disable change them.
extension Coalescer {
  /// The observed subscriptions of a type, in app order. What a save leads to for one app changes no other app's, so
  /// the bits of a word are read once.
  struct ObservedSlots {
    /// The bits of 64 ranks that are left, the place of the first of these ranks among the members, and how many ranks there
    /// are from it on. The 64 ranks that end with the ``Coalescer/firstRanks`` come first, as if there were some below 0.
    private var bits: UInt64
    private var members: Int
    private var ranks: Int
    /// The place of the next word.
    private var word: Int

    /// - Parameters:
    ///   - type: A type that has a roster.
    ///   - coalescer: `inout` for speed alone, as for ``Coalescer/member(ofType:app:)``.
    @inline(__always)
    init(ofType type: Int, _ coalescer: inout Coalescer) {
      bits = UInt64(coalescer.typeCounts[type].observed) &<< UInt64(64 - Coalescer.firstRanks)
      members = coalescer.rosters[type].members &- (64 - Coalescer.firstRanks)
      ranks = coalescer.rosters[type].end &+ (64 - Coalescer.firstRanks)
      word = coalescer.rosters[type].words
    }

    /// The next slot, or nil.
    @inline(__always)
    mutating func next(in coalescer: inout Coalescer) -> Int? {
      // No place comes near an overflow.
      while bits == 0 {
        guard ranks > 64 else { return nil }
        members &+= 64
        ranks &-= 64
        bits = coalescer.furtherObserved[word]
        word &+= 1
      }
      let place = members &+ bits.trailingZeroBitCount
      bits &= bits &- 1
      return Int(coalescer.members[place])
    }
  }

  /// All subscriptions of a type with their apps, in app order. More than 64 ranks are never mostly free.
  struct AllSlots {
    /// The places of the members that are left.
    private var places: Range<Int>

    /// - Parameters:
    ///   - type: A type that has a roster.
    ///   - coalescer: `inout` for speed alone, as for ``Coalescer/member(ofType:app:)``.
    @inline(__always)
    init(ofType type: Int, _ coalescer: inout Coalescer) {
      let first = coalescer.rosters[type].members
      places = first..<first + coalescer.rosters[type].end
    }

    /// The next slot and its app, or nil.
    @inline(__always)
    mutating func next(in coalescer: inout Coalescer) -> (slot: Int, app: Int)? {
      while let place = places.popFirst() {
        let slot = coalescer.members[place]
        if slot != Coalescer.nobody { return (Int(slot), Int(coalescer.memberApps[place])) }
      }
      return nil
    }
  }

  /// The slot of an app's subscription on a type, if it has one. Mutating for speed alone: for another
  /// call the compiler moves the whole struct through memory.
  ///
  /// - Complexity: O(log apps on the type).
  mutating func member(ofType type: Int, app: Int) -> Int? {
    guard type < rosters.count else { return nil }
    let rank = firstRank(ofType: type, from: app)
    guard rank < rosters[type].end, memberApps[rosters[type].members + rank] == app else {
      return nil
    }
    let slot = members[rosters[type].members + rank]
    return slot == Self.nobody ? nil : Int(slot)
  }

  /// What ``members`` has where a rank is free.
  static var nobody: Int32 { -1 }

  /// The first rank of a type whose app is not below one, or the end of its ranks.
  private mutating func firstRank(ofType type: Int, from app: Int) -> Int {
    // No rank comes near an overflow. Without a branch: the half is hard to predict.
    let first = rosters[type].members
    var (low, count) = (0, rosters[type].end)
    while count > 0 {
      let half = (count &+ 1) &>> 1
      let isBelow = (Int(memberApps[first &+ low &+ half &- 1]) &- app) &>> 63
      low &+= half & isBelow
      count &-= half
    }
    return low
  }

  /// Gives a new, detached subscription its rank among those on its type: behind the others, or between them, where those
  /// up to a free rank near it move by one. If there is none, the subscriptions near it are spread out over twice as many
  /// ranks, or four times, and so on, of which enough are free: a sparse table (Itai, Konheim and Rodeh, A sparse table
  /// implementation of priority queues, 1981).
  ///
  /// - Complexity: O(log² apps on the type), amortised; O(1), amortised, if its app has the highest number.
  mutating func enroll(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    let app = subscriptions[slot].app
    if rosters[type].end == rosters[type].capacity { makeRoom(ofType: type) }
    rosters[type].count += 1
    if rosters[type].count == 1 { subscribedTypes += 1 }
    let rank = firstRank(ofType: type, from: app)
    if rank == rosters[type].end {
      rosters[type].end += 1
      return put(slot, at: rank, ofType: type)
    }
    guard let free = freeRank(near: rank, ofType: type) else {
      return spread(slot, at: rank, ofType: type)
    }
    put(slot, at: moveMembers(to: free, from: rank, ofType: type), ofType: type)
  }

  /// The nearest rank that is free, at least as high as a rank or, if there is none, lower; nil if all near it are taken.
  private mutating func freeRank(near rank: Int, ofType type: Int) -> Int? {
    let first = rosters[type].members
    for free in rank..<min(rank + Self.nearRanks, rosters[type].end)
    where members[first + free] == Self.nobody {
      return free
    }
    for distance in 1...Self.nearRanks where distance <= rank {
      if members[first + rank - distance] == Self.nobody { return rank - distance }
    }
    return nil
  }

  /// So many ranks on each side are looked at for a free one.
  private static var nearRanks: Int { 8 }

  /// Moves members by one towards a free rank, so that the rank before the member at `rank` becomes free. Returns that rank.
  private mutating func moveMembers(to free: Int, from rank: Int, ofType type: Int) -> Int {
    let first = rosters[type].members
    for place in stride(from: free, to: rank, by: -1) {
      put(Int(members[first + place - 1]), at: place, ofType: type)
    }
    guard free < rank else { return rank }
    for place in free..<rank - 1 {
      put(Int(members[first + place + 1]), at: place, ofType: type)
    }
    return rank - 1
  }

  private mutating func put(_ slot: Int, at rank: Int, ofType type: Int) {
    let place = rosters[type].members + rank
    members[place] = Int32(slot)
    memberApps[place] = Int32(subscriptions[slot].app)
    subscriptions[slot].rank = rank
    setObserved(subscriptions[slot].mode == .observed, rank, ofType: type)
  }

  /// Spreads out the subscriptions around a rank, and one that is to be before it.
  private mutating func spread(_ slot: Int, at rank: Int, ofType type: Int) {
    // The larger, the sparser: at most seven eighths of the smallest, and five eighths of all are taken.
    let levels = max(1, rosters[type].capacity.trailingZeroBitCount - 3)
    for level in 0..<levels where 8 << level < rosters[type].capacity {
      let size = 8 << level
      let start = rank & ~(size - 1)
      let taken = (start..<min(start + size, rosters[type].end)).count {
        members[rosters[type].members + $0] != Self.nobody
      }
      if 8 * levels * (taken + 1) <= (7 * levels - 2 * level) * size {
        return spread(slot, at: rank, over: start..<start + size, ofType: type)
      }
    }
    if 8 * rosters[type].count > 5 * rosters[type].capacity { makeRoom(ofType: type) }
    spread(slot, at: rank, over: 0..<rosters[type].capacity, ofType: type)
  }

  private mutating func spread(_ slot: Int, at rank: Int, over ranks: Range<Int>, ofType type: Int)
  {
    let first = rosters[type].members
    var slots: [Int] = []
    for place in ranks {
      if place == rank { slots.append(slot) }
      guard place < rosters[type].end else { break }
      if members[first + place] != Self.nobody { slots.append(Int(members[first + place])) }
      members[first + place] = Self.nobody
      setObserved(false, place, ofType: type)
    }
    var next = ranks.lowerBound
    for (number, slot) in slots.enumerated() {
      let place = ranks.lowerBound + number * ranks.count / slots.count
      // Ranks that stay free have the app before them.
      while next < place {
        members[first + next] = Self.nobody
        memberApps[first + next] = memberApps[first + next - 1]
        next += 1
      }
      put(slot, at: place, ofType: type)
      next = place + 1
    }
    if ranks.upperBound >= rosters[type].end {
      rosters[type].end = next
    } else {
      for free in next..<ranks.upperBound {
        memberApps[first + free] = memberApps[first + next - 1]
      }
    }
  }

  /// Takes a detached subscription off those on its type.
  ///
  /// - Complexity: O(1), amortised.
  mutating func strikeOff(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    let rank = subscriptions[slot].rank
    let first = rosters[type].members
    members[first + rank] = Self.nobody
    setObserved(false, rank, ofType: type)
    rosters[type].count -= 1
    if rosters[type].count == 0 { subscribedTypes -= 1 }
    while rosters[type].end > 0, members[first + rosters[type].end - 1] == Self.nobody {
      rosters[type].end -= 1
    }
    if rosters[type].end > 64, 4 * rosters[type].count < rosters[type].end {
      closeGaps(ofType: type)
    }
  }

  /// Moves the subscriptions on a type together, so that nobody looks at many free ranks.
  private mutating func closeGaps(ofType type: Int) {
    let first = rosters[type].members
    var next = 0
    for rank in 0..<rosters[type].end {
      let slot = members[first + rank]
      guard slot != Self.nobody else { continue }
      members[first + rank] = Self.nobody
      setObserved(false, rank, ofType: type)
      put(Int(slot), at: next, ofType: type)
      next += 1
    }
    rosters[type].end = next
  }

  /// Sets the bit that says whether the subscription of a rank is observed.
  private mutating func setObserved(_ isObserved: Bool, _ rank: Int, ofType type: Int) {
    guard rank < Self.firstRanks else {
      return setFurtherObserved(isObserved, rank, ofType: type)
    }
    let bit: UInt32 = 1 << rank
    if isObserved { typeCounts[type].observed |= bit } else { typeCounts[type].observed &= ~bit }
  }

  /// ``setObserved(_:_:ofType:)`` for a rank that has no bit beside the count.
  @inline(never)
  mutating func setFurtherObserved(_ isObserved: Bool, _ rank: Int, ofType type: Int) {
    let further = rank - Self.firstRanks
    let word = rosters[type].words + further / 64
    let bit: UInt64 = 1 << (further % 64)
    if isObserved { furtherObserved[word] |= bit } else { furtherObserved[word] &= ~bit }
  }

  /// Moves the members of a type to where twice as many have room. The old places stay unused: in all no more than
  /// what is in use.
  private mutating func makeRoom(ofType type: Int) {
    let old = rosters[type]
    var new = old
    new.capacity = max(2 * old.capacity, 1)
    new.members = members.count
    members.fill(to: members.count + new.capacity, with: Self.nobody)
    memberApps.fill(to: members.count, with: 0)
    for rank in 0..<old.end {
      members[new.members + rank] = members[old.members + rank]
      memberApps[new.members + rank] = memberApps[old.members + rank]
    }
    let (oldWords, newWords) = (Roster.words(for: old.capacity), Roster.words(for: new.capacity))
    if newWords > oldWords {
      new.words = furtherObserved.count
      furtherObserved.fill(to: furtherObserved.count + newWords, with: 0)
      for word in 0..<oldWords {
        furtherObserved[new.words + word] = furtherObserved[old.words + word]
      }
    }
    rosters[type] = new
  }
}
