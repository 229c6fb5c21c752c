// The subscriptions on a type, in the order of app numbers. Only enable and disable change them.
extension Coalescer {
  /// The observed subscriptions of a type, in app order. What a save leads to for one app changes no other app's, so
  /// the bits of a word are read once.
  struct ObservedSlots {
    private let roster: Roster
    private var word = -1
    private var bits: UInt64 = 0

    @inline(__always)
    init(_ roster: Roster) { self.roster = roster }

    /// The next slot, or nil.
    @inline(__always)
    mutating func next(in coalescer: inout Coalescer) -> Int? {
      while bits == 0 {
        word += 1
        guard 64 * word < roster.count else { return nil }
        bits = coalescer.observedBits[roster.words + word]
      }
      let rank = 64 * word + bits.trailingZeroBitCount
      bits &= bits &- 1
      return Int(coalescer.members[roster.members + rank])
    }
  }

  /// The slot of an app's subscription on a type, if it has one.
  ///
  /// - Complexity: O(log apps on the type).
  func member(ofType type: Int, app: Int) -> Int? {
    guard type < rosters.count else { return nil }
    let roster = rosters[type]
    var (low, high) = (0, roster.count)
    while low < high {
      let middle = (low + high) / 2
      let slot = Int(members[roster.members + middle])
      let other = subscriptions[slot].app
      if other == app { return slot }
      if other < app { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// Gives a new, detached subscription its rank among those on its type.
  mutating func enroll(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    if rosters[type].count == rosters[type].capacity { makeRoom(ofType: type) }
    let app = subscriptions[slot].app
    let first = rosters[type].members
    var rank = rosters[type].count
    rosters[type].count += 1
    while rank > 0, subscriptions[Int(members[first + rank - 1])].app > app {
      members[first + rank] = members[first + rank - 1]
      rank -= 1
    }
    members[first + rank] = Int32(slot)
    numberMembers(ofType: type, from: rank)
  }

  /// Takes a detached subscription off those on its type.
  mutating func strikeOff(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    let first = rosters[type].members
    let rank = subscriptions[slot].rank
    rosters[type].count -= 1
    for place in first + rank..<first + rosters[type].count { members[place] = members[place + 1] }
    numberMembers(ofType: type, from: rank)
  }

  /// Sets ranks and bits of the members from `rank` on.
  private mutating func numberMembers(ofType type: Int, from rank: Int) {
    let roster = rosters[type]
    for rank in rank..<roster.count {
      let slot = Int(members[roster.members + rank])
      subscriptions[slot].rank = rank
      setBit(subscriptions[slot].mode == .observed, rank, of: roster)
    }
    // After a removal one bit is left behind.
    if roster.count < roster.capacity { setBit(false, roster.count, of: roster) }
  }

  private mutating func setBit(_ isObserved: Bool, _ rank: Int, of roster: Roster) {
    let bit = 1 &<< UInt64(rank & 63)
    if isObserved {
      observedBits[roster.words + rank >> 6] |= bit
    } else {
      observedBits[roster.words + rank >> 6] &= ~bit
    }
  }

  /// Moves the members of a type to where twice as many have room. The old places stay unused: in all no more than
  /// what is in use.
  private mutating func makeRoom(ofType type: Int) {
    let old = rosters[type]
    var new = old
    new.capacity = max(2 * old.capacity, 1)
    new.members = members.count
    members.fill(to: members.count + new.capacity, with: 0)
    for rank in 0..<old.count { members[new.members + rank] = members[old.members + rank] }
    let (oldWords, newWords) = (Roster.words(for: old.capacity), Roster.words(for: new.capacity))
    if newWords > oldWords {
      new.words = observedBits.count
      observedBits.fill(to: observedBits.count + newWords, with: 0)
      for word in 0..<oldWords { observedBits[new.words + word] = observedBits[old.words + word] }
    }
    rosters[type] = new
  }
}
