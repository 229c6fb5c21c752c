// Which subscriptions there are on a type, by app number: changed by enable and disable alone.
extension Coalescer {
  /// Gives a new subscription, which is not attentive, its rank among those on its type.
  mutating func enrol(_ slot: Int) {
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

  /// Takes a subscription, which is not attentive, off those on its type.
  mutating func strikeOff(_ slot: Int) {
    let type = subscriptions[slot].typeIndex
    let first = rosters[type].members
    let rank = subscriptions[slot].rank
    rosters[type].count -= 1
    for place in first + rank..<first + rosters[type].count { members[place] = members[place + 1] }
    numberMembers(ofType: type, from: rank)
  }

  /// Sets the ranks of those from one on, and their bits.
  private mutating func numberMembers(ofType type: Int, from rank: Int) {
    let roster = rosters[type]
    for rank in rank..<roster.count {
      let slot = Int(members[roster.members + rank])
      subscriptions[slot].rank = rank
      setBit(subscriptions[slot].mode.isAttentive, rank, of: roster)
    }
    // One less than before leaves a bit behind.
    if roster.count < roster.capacity { setBit(false, roster.count, of: roster) }
  }

  private mutating func setBit(_ isAttentive: Bool, _ rank: Int, of roster: Roster) {
    let bit = 1 &<< UInt64(rank & 63)
    if isAttentive {
      attentive[roster.words + rank >> 6] |= bit
    } else {
      attentive[roster.words + rank >> 6] &= ~bit
    }
  }

  /// Moves the members of a type to where twice as many have room. What they leave is never used again:
  /// in all no more than what is in use.
  private mutating func makeRoom(ofType type: Int) {
    let old = rosters[type]
    var new = old
    new.capacity = max(2 * old.capacity, 1)
    new.members = members.count
    members.fill(to: members.count + new.capacity, with: 0)
    for rank in 0..<old.count { members[new.members + rank] = members[old.members + rank] }
    let (oldWords, newWords) = (Roster.words(for: old.capacity), Roster.words(for: new.capacity))
    if newWords > oldWords {
      new.words = attentive.count
      attentive.fill(to: attentive.count + newWords, with: 0)
      for word in 0..<oldWords { attentive[new.words + word] = attentive[old.words + word] }
    }
    rosters[type] = new
  }
}
