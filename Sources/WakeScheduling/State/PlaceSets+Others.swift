extension PlaceSets {
  /// The sets of the places from 128 on.
  struct Others {
    private var words: [Word] = []
    private var summaries: [Summary] = []

    @inline(never)
    mutating func set(_ place: Int, in set: Name, _ isIn: Bool) {
      let word = place / 64 - 2
      while word >= words.count { words.append(Word()) }
      while word / 64 >= summaries.count { summaries.append(Summary()) }
      let bit = 1 &<< UInt64(place & 63) as UInt64
      if isIn {
        words[word].sets[set.rawValue] |= bit
      } else {
        words[word].sets[set.rawValue] &= ~bit
      }
      summaries[word / 64].note(word, set, isEmpty: words[word].sets[set.rawValue] == 0)
    }

    @inline(never)
    mutating func takeRipe(areCarried: Bool) -> Int? {
      guard let place = next(in: .ripe, from: 128) else { return nil }
      set(place, in: .ripe, false)
      if areCarried { set(place, in: .carried, true) }
      return place
    }

    @inline(never)
    mutating func ripen(_ places: UInt64, ofWordWith place: Int) {
      let word = place / 64 - 2
      words[word].ripen(places)
      for set in [Name.ripe, .unripe] {
        summaries[word / 64].note(word, set, isEmpty: words[word].sets[set.rawValue] == 0)
      }
    }

    @inline(never)
    mutating func removeAll(from set: Name) {
      for summary in summaries.indices {
        var filled = summaries[summary].filled[set.rawValue]
        while filled != 0 {
          words[64 * summary + filled.trailingZeroBitCount].removeAll(from: set)
          filled &= filled &- 1
        }
        summaries[summary].filled[set.rawValue] = 0
        if set == .unripe { summaries[summary].due = .max }
      }
    }

    @inline(never)
    func next(in set: Name, from place: Int) -> Int? {
      let start = place / 64 - 2
      guard start < words.count else { return nil }
      let rest = words[start].sets[set.rawValue] & ~0 &<< UInt64(place & 63)
      if rest != 0 { return (start + 2) * 64 + rest.trailingZeroBitCount }
      // The first filled word behind it.
      var hidden = ~0 &<< UInt64((start + 1) & 63) as UInt64
      for summary in (start + 1) / 64..<max((start + 1) / 64, summaries.count) {
        let filled = summaries[summary].filled[set.rawValue] & hidden
        if filled != 0 {
          let word = 64 * summary + filled.trailingZeroBitCount
          return (word + 2) * 64 + words[word].sets[set.rawValue].trailingZeroBitCount
        }
        hidden = ~0
      }
      return nil
    }

    @inline(never)
    func nextGroup(from place: Int, dueBy time: Int64) -> Int? {
      var word = place / 64 - 2
      var group = place / 16 % 4
      while word < words.count {
        if group == 0, word % 64 == 0, summaries[word / 64].due > time {
          word += 64
          continue
        }
        while group < 4 {
          if words[word].dues[group] <= time { return (word + 2) * 64 + 16 * group }
          group += 1
        }
        group = 0
        word += 1
      }
      return nil
    }

    /// The earliest due time of an unripe place from 128 on.
    var due: Int64 {
      var due = Int64.max
      for summary in summaries { due = min(due, summary.due) }
      return due
    }

    @inline(never)
    mutating func lowerDue(ofGroupWith place: Int, to due: Int64) {
      let word = place / 64 - 2
      words[word].lowerDue(ofGroup: place / 16 % 4, to: due)
      summaries[word / 64].due = min(summaries[word / 64].due, due)
    }

    @inline(never)
    mutating func setDue(ofGroupWith place: Int, to due: Int64) {
      let word = place / 64 - 2
      words[word].dues[place / 16 % 4] = due
      let others = word / 64 * 64..<min(word / 64 * 64 + 64, words.count)
      summaries[word / 64].due = others.reduce(.max) { min($0, words[$1].due) }
    }

    /// Empties all three sets and keeps their memory.
    mutating func removeAll() {
      for word in words.indices { words[word] = Word() }
      for summary in summaries.indices { summaries[summary] = Summary() }
    }

    /// The unripe places of the word with a place, as bits.
    func unripe(ofWordWith place: Int) -> UInt64 {
      words[place / 64 - 2].sets[Name.unripe.rawValue]
    }
  }
}

extension PlaceSets {
  /// What 64 successive words of ``Others`` have.
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
