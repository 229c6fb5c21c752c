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
    var types = wake.types.makeIterator()
    begin(entry, push: wake.push) { types.next() }
  }

  /// Appends entries of others.
  package mutating func append(_ places: Range<Int>, of others: borrowing WakeHistory) {
    precondition(others.places.contains(places), "\(places) of \(others.entries.count)")
    let start = entries.count
    entries.append(places, of: others.entries)
    moveTexts(of: start..<entries.count, others.types, others.extras)
    count += others.wakeCount(in: places)
  }

  /// Makes room for so many entries, and for the types of wakes with several.
  ///
  /// - Parameter hasMemory: Whether the system provides the memory now, not where the first wakes are kept: for each page that
  ///   takes as long as some ten wakes.
  package mutating func reserve(_ room: Int, hasMemory: Bool) {
    entries.reserve(room)
    types.reserve(Self.typesOfEntry * room)
    guard hasMemory else { return }
    entries.touchRoom()
    types.touchRoom()
  }

  /// For so many types of each entry room is made, and kept: less than a fifth of the memory of the entry itself.
  private static var typesOfEntry: Int { 3 }

  /// How many wakes some entries stand for.
  private func wakeCount(in places: Range<Int>) -> Int {
    // One each, mostly.
    if count == entries.count { return places.count }
    return places.reduce(0) { $0 + Int(entries[$1].count) }
  }

  /// How many of the first entries have ended before a time, up to the first that has not.
  ///
  /// - Parameter time: The present. An end at that time may not have happened yet (rule 4.2), and one after it may come
  ///   otherwise.
  /// - Complexity: O(those that have ended since the last call).
  package mutating func countEnded(before time: Int64) -> Int {
    while endedCount < entries.count, entries[endedCount].outcome != nil,
      entries[endedCount].end < time
    {
      endedCount += 1
    }
    return endedCount
  }

  /// Moves the first entries, which have ended, to an empty history, in exchange for its memory. Types and extras of those that
  /// stay are there too, unused, until that history is emptied.
  ///
  /// - Complexity: O(those that stay), and those moved where there are cohorts.
  package mutating func takeFirst(_ moved: Int, into other: inout WakeHistory) {
    precondition(other.entries.count == 0, "wakes would be mixed up")
    precondition(moved >= 0 && moved <= entries.count, "\(moved) of \(entries.count)")
    endedCount = max(0, endedCount - moved)
    swap(&entries, &other.entries)
    swap(&types, &other.types)
    swap(&extras, &other.extras)
    swap(&count, &other.count)
    swap(&otherBytes, &other.otherBytes)
    append(moved..<other.entries.count, of: other)
    other.entries.removeLast(other.entries.count - moved)
    other.count -= count
  }

  /// Removes the first entries, which have ended.
  ///
  /// - Parameter few: If none stay, memory for more than so many is given back.
  /// - Complexity: O(those that stay), and those removed where there are cohorts.
  package mutating func removeFirst(_ removed: Int, keepingUpTo few: Int) {
    precondition(removed >= 0 && removed <= entries.count, "\(removed) of \(entries.count)")
    endedCount = max(0, endedCount - removed)
    guard removed < entries.count else { return removeAll(keepingUpTo: few) }
    count -= wakeCount(in: 0..<removed)
    entries.removeFirst(removed)
    let types = types.take()
    let extras = extras.take()
    otherBytes = 0
    moveTexts(of: entries.indices, types, extras)
  }

  mutating func removeAll(keepingUpTo few: Int) {
    (count, otherBytes) = (0, 0)
    entries.removeAll(keepingUpTo: few)
    types.removeAll(keepingUpTo: Self.typesOfEntry * few)
    extras.removeAll(keepingUpTo: few)
  }

  /// Moves types and what few wakes have from where they were to the ends of ``types`` and ``extras``.
  private mutating func moveTexts(
    of places: Range<Int>, _ types: borrowing UncheckedArray<SampleType>,
    _ extras: borrowing UncheckedArray<Extra>
  ) {
    guard types.count > 0 || extras.count > 0 else { return }
    for place in places {
      let entry = entries[place]
      if entry.typeCount > 1 {
        entries[place].firstType = UInt32(self.types.count)
        self.types.append(
          Int(entry.firstType)..<Int(entry.firstType + entry.typeCount), of: types)
        otherBytes += Int(entry.typeCount) * MemoryLayout<SampleType>.stride
      }
      if entry.extra >= 0 {
        entries[place].extra = Int32(self.extras.count)
        self.extras.append(extras[Int(entry.extra)])
        otherBytes += extras[Int(entry.extra)].bytes
      }
    }
  }
}
