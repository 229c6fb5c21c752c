// The places from 128 on.
extension PlaceSets {
  @inline(never)
  mutating func setOther(_ place: Int, in set: Name, _ isIn: Bool) {
    let word = place / 64 - 2
    while word >= others.count { others.append(Word()) }
    while word / 64 >= summaries.count { summaries.append(Summary()) }
    let bit = 1 &<< UInt64(place & 63) as UInt64
    if isIn {
      others[word].sets[set.rawValue] |= bit
    } else {
      others[word].sets[set.rawValue] &= ~bit
    }
    summaries[word / 64].note(word, set, isEmpty: others[word].sets[set.rawValue] == 0)
  }

  @inline(never)
  mutating func takeOther(from set: Name, areCarried: Bool) -> Int? {
    guard let place = nextOther(in: set, from: 128) else { return nil }
    setOther(place, in: set, false)
    if areCarried { setOther(place, in: .carried, true) }
    return place
  }

  @inline(never)
  mutating func ripenOthers(_ places: UInt64, ofWordWith place: Int) {
    let word = place / 64 - 2
    others[word].ripen(places)
    for set in [Name.ripe, .unripe] {
      summaries[word / 64].note(word, set, isEmpty: others[word].sets[set.rawValue] == 0)
    }
  }

  @inline(never)
  mutating func removeOthers(from set: Name) {
    for summary in summaries.indices {
      var filled = summaries[summary].filled[set.rawValue]
      while filled != 0 {
        others[64 * summary + filled.trailingZeroBitCount].removeAll(from: set)
        filled &= filled &- 1
      }
      summaries[summary].filled[set.rawValue] = 0
      if set == .unripe { summaries[summary].due = .max }
    }
  }

  @inline(never)
  func nextOther(in set: Name, from place: Int) -> Int? {
    let start = place / 64 - 2
    guard start < others.count else { return nil }
    let rest = others[start].sets[set.rawValue] & ~0 &<< UInt64(place & 63)
    if rest != 0 { return (start + 2) * 64 + rest.trailingZeroBitCount }
    // The first filled word behind it.
    var hidden = ~0 &<< UInt64((start + 1) & 63) as UInt64
    for summary in (start + 1) / 64..<max((start + 1) / 64, summaries.count) {
      let filled = summaries[summary].filled[set.rawValue] & hidden
      if filled != 0 {
        let word = 64 * summary + filled.trailingZeroBitCount
        return (word + 2) * 64 + others[word].sets[set.rawValue].trailingZeroBitCount
      }
      hidden = ~0
    }
    return nil
  }

  @inline(never)
  func findOtherGroup(from place: Int, dueBy time: Int64) -> Int? {
    var word = place / 64 - 2
    var group = place / 16 % 4
    while word < others.count {
      if group == 0, word % 64 == 0, summaries[word / 64].due > time {
        word += 64
        continue
      }
      while group < 4 {
        if others[word].dues[group] <= time { return (word + 2) * 64 + 16 * group }
        group += 1
      }
      group = 0
      word += 1
    }
    return nil
  }

  /// The earliest due time of an unripe place from 128 on.
  var otherDue: Int64 {
    var due = Int64.max
    for summary in summaries { due = min(due, summary.due) }
    return due
  }

  @inline(never)
  mutating func lowerOtherDue(_ place: Int, to due: Int64) {
    let word = place / 64 - 2
    others[word].lowerDue(ofGroup: place / 16 % 4, to: due)
    summaries[word / 64].due = min(summaries[word / 64].due, due)
  }

  @inline(never)
  mutating func setOtherDue(_ place: Int, to due: Int64) {
    let word = place / 64 - 2
    others[word].dues[place / 16 % 4] = due
    let words = word / 64 * 64..<min(word / 64 * 64 + 64, others.count)
    summaries[word / 64].due = words.reduce(.max) { min($0, others[$1].due) }
  }
}

extension PlaceSets {
  /// What 64 successive words of ``others`` have.
  struct Summary {
    /// By ``Name``: a bit for each word with places.
    var filled = InlineArray<3, UInt64>(repeating: 0)
    var due = Int64.max

    mutating func note(_ word: Int, _ set: Name, isEmpty: Bool) {
      let bit = 1 &<< UInt64(word & 63) as UInt64
      if isEmpty { filled[set.rawValue] &= ~bit } else { filled[set.rawValue] |= bit }
    }
  }
}
