import WakeEvents

// What those do who write wakes.
extension WakeHistory {
  /// Appends a wake that another scheduler has told of, after those with lower numbers.
  package mutating func append(_ wake: borrowing Wake) {
    let entry = Entry(
      time: wake.time.nanoseconds, saves: wake.saves,
      oldest: wake.oldest?.nanoseconds ?? Entry.never,
      end: wake.end?.nanoseconds ?? Entry.never, number: wake.number, app: wake.app,
      hasRefresh: wake.refresh, outcome: wake.outcome)
    begin(entry, types: wake.types, push: wake.push)
  }

  /// Appends entries of others.
  package mutating func append(_ places: Range<Int>, of others: WakeHistory) {
    let start = entries.count
    entries.append(contentsOf: others.entries[places])
    moveTexts(of: start..<entries.count, others.types, others.extras)
    count += others.wakeCount(in: places)
  }

  /// How many wakes some entries stand for.
  private func wakeCount(in places: Range<Int>) -> Int {
    // One each, mostly.
    if count == entries.count { return places.count }
    return places.reduce(0) { $0 + Int(entries[$1].count) }
  }

  /// How many of the first entries have ended before a time and may be removed; 0 if more would stay than be removed, as those
  /// that stay are moved.
  ///
  /// - Parameter time: The present. An end at that time may not have happened yet (rule 4.2), and one after it may come
  ///   otherwise.
  /// - Complexity: O(those that have ended since the last call).
  package mutating func countToRemove(endedBefore time: Int64) -> Int {
    while endedCount < entries.count, entries[endedCount].outcome != nil,
      entries[endedCount].end < time
    {
      endedCount += 1
    }
    return endedCount >= entries.count - endedCount ? endedCount : 0
  }

  /// Moves the first entries, which have ended, to an empty history, in exchange for its memory. Types and extras of those that
  /// stay are there too, unused, until that history is emptied.
  ///
  /// - Complexity: O(those that stay), and those moved where there are cohorts.
  package mutating func takeFirst(_ moved: Int, into other: inout WakeHistory) {
    precondition(other.entries.isEmpty, "wakes would be mixed up")
    endedCount = max(0, endedCount - moved)
    swap(&entries, &other.entries)
    swap(&types, &other.types)
    swap(&extras, &other.extras)
    swap(&count, &other.count)
    append(moved..<other.entries.count, of: other)
    other.entries.removeLast(other.entries.count - moved)
    other.count -= count
  }

  /// Removes the first entries, which have ended.
  ///
  /// - Parameter few: If none stay, memory for more than so many is given back.
  /// - Complexity: O(those that stay), and those removed where there are cohorts.
  package mutating func removeFirst(_ removed: Int, keepingUpTo few: Int) {
    endedCount = max(0, endedCount - removed)
    guard removed < entries.count else { return removeAll(keepingUpTo: few) }
    count -= wakeCount(in: 0..<removed)
    entries.removeFirst(removed)
    let (types, extras) = (types, extras)
    self.types.removeAll(keepingCapacity: true)
    self.extras.removeAll(keepingCapacity: true)
    moveTexts(of: entries.indices, types, extras)
  }

  mutating func removeAll(keepingUpTo few: Int) {
    count = 0
    entries.removeAll(keepingCapacity: entries.capacity <= few)
    types.removeAll(keepingCapacity: types.capacity <= few)
    extras.removeAll(keepingCapacity: extras.capacity <= few)
  }

  /// Moves types and what few wakes have from where they were to the ends of ``types`` and ``extras``.
  private mutating func moveTexts(
    of places: Range<Int>, _ types: [SampleType], _ extras: [Extra]
  ) {
    guard !types.isEmpty || !extras.isEmpty else { return }
    for place in places {
      let entry = entries[place]
      if entry.typeCount > 1 {
        entries[place].firstType = UInt32(self.types.count)
        self.types += types[Int(entry.firstType)..<Int(entry.firstType + entry.typeCount)]
      }
      if entry.extra >= 0 {
        entries[place].extra = Int32(self.extras.count)
        self.extras.append(extras[Int(entry.extra)])
      }
    }
  }
}
