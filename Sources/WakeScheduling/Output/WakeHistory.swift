package import WakeEvents

/// The wakes of a device in the order in which they began, as a wake log tells of them (rules, 7). A wake is there from its
/// beginning on, with its end as soon as that is known, until it is removed.
///
/// What a wake log needs of many wakes is in few arrays. The wakes of a cohort (``Accelerations/cohorts``) begin as one; each
/// but the first is marked as like the one before it. The mark is cleared when the wake ends separately, or the wake before it is
/// removed.
package struct WakeHistory {
  /// A wake. Plain numbers, so that Swift counts no references.
  package struct Entry {
    /// When the app was woken, in nanoseconds.
    package let time: Int64
    /// Pending saves and deletes carried.
    package let saves: Int
    /// When the first of them happened; ``never`` if there are none.
    package let oldest: Int64
    /// When the wake ended, or will if nothing ends it before; ``never`` if it has not.
    package fileprivate(set) var end: Int64
    /// The app.
    package fileprivate(set) var app: App
    /// The number of types carried.
    package fileprivate(set) var typeCount: UInt32 = 0
    /// The index of the type carried, where it is one; else the place of the first in ``WakeHistory/types``.
    package fileprivate(set) var firstType: UInt32 = 0
    /// The place in ``WakeHistory/pushes`` of the id of the push carried; negative if there is none.
    @usableFromInline fileprivate(set) var push: Int32 = -1
    /// Whether the wake carried a refresh.
    package let hasRefresh: Bool
    /// How the wake ended, or will if nothing ends it before; nil if it has not.
    package fileprivate(set) var outcome: WakeOutcome?
    /// Whether the wake differs from the one before it in its app only.
    package fileprivate(set) var isLikeBefore = false

    /// No point in time.
    package static var never: Int64 { .min }

    /// Whether the wake carried one type and nothing else, and was answered or expired, as most are.
    @inlinable
    @inline(__always)
    package var isPlain: Bool {
      typeCount == 1 && push < 0 && !hasRefresh && (outcome == .completed || outcome == .expired)
        && oldest != Self.never && end != Self.never
    }
  }

  package private(set) var entries: [Entry] = []
  /// Types of wakes that carried more than one.
  private var types: [SampleType] = []
  /// The ids of pushes carried.
  private var pushes: [String] = []
  /// The number of the first of ``entries``.
  private var first = 1
  /// How many of the first are known to have ended.
  private var endedCount = 0
  private let most: Int
  private let relief: ((inout WakeHistory, _ present: Int64) -> Void)?

  /// - Parameters:
  ///   - most: When `relief` is called.
  ///   - relief: Called amid a call of the scheduler before each wake that begins while there are `most` or more, to remove those
  ///     that have ended. After one input there may be a million.
  package init(
    most: Int = 16_384, relief: ((inout WakeHistory, _ present: Int64) -> Void)? = nil
  ) {
    self.most = most
    self.relief = relief
  }

  /// How many wakes there are.
  package var count: Int { entries.count }

  /// Starts with the wakes of another device.
  ///
  /// - Parameter few: Memory for more than so many is given back.
  package mutating func restart(keepingUpTo few: Int) {
    removeAll(keepingUpTo: few)
    (first, endedCount) = (1, 0)
  }

  /// The id of the push that a wake carried.
  @inline(__always)
  package func push(of entry: Entry) -> String? {
    entry.push < 0 ? nil : pushes[Int(entry.push)]
  }

  /// One of the types of a wake that carried several.
  @inline(__always)
  package func type(_ place: Int, of entry: Entry) -> SampleType {
    types[Int(entry.firstType) + place]
  }
}

// What the scheduler does.
extension WakeHistory {
  /// Calls `relief`, if there are many.
  @inline(__always)
  mutating func makeRoom(at present: Int64) {
    if entries.count >= most { relief?(&self, present) }
  }

  /// Appends a wake that begins with a type alone. Its fields are passed one by one for speed alone: a struct would be written
  /// and read back at once, in pieces of other sizes, for which a processor waits.
  ///
  /// - Parameter end: When it is answered, if that is counted ahead; else ``Entry/never``.
  @inline(__always)
  mutating func begin(
    at time: Int64, of app: App, type: SampleType, saves: Int, oldest: Int64, answeredAt end: Int64
  ) {
    entries.append(
      Entry(
        time: time, saves: saves, oldest: oldest, end: end, app: app, typeCount: 1,
        firstType: type.index, hasRefresh: false, outcome: end == Entry.never ? nil : .completed))
  }

  /// Appends a wake that begins.
  ///
  /// - Parameters:
  ///   - types: The types that it carries.
  ///   - push: The id of the push that it carries.
  @inline(never)
  mutating func begin(_ entry: Entry, types: [SampleType], push: String?) {
    var entry = entry
    entry.typeCount = UInt32(types.count)
    if types.count == 1 {
      entry.firstType = types[0].index
    } else if types.count > 1 {
      entry.firstType = UInt32(self.types.count)
      self.types += types
    }
    if let push {
      entry.push = Int32(pushes.count)
      pushes.append(push)
    }
    entries.append(entry)
  }

  /// Appends a wake of a further app of the cohort of the last one.
  mutating func beginLikeLast(_ app: App) {
    guard let last = entries.last else { return }
    // Not a copy that is changed, as in `begin`.
    entries.append(
      Entry(
        time: last.time, saves: last.saves, oldest: last.oldest, end: last.end, app: app,
        typeCount: last.typeCount, firstType: last.firstType, push: last.push,
        hasRefresh: last.hasRefresh, outcome: last.outcome, isLikeBefore: true))
  }

  /// Notes how wakes of a cohort, or a single one, have ended.
  ///
  /// - Parameters:
  ///   - number: The number of the first.
  ///   - time: Nil if they are open at the end.
  mutating func end(_ number: Int, count: Int, _ outcome: WakeOutcome, at time: Int64?) {
    let start = number - first
    for place in start..<start + count {
      entries[place].outcome = outcome
      entries[place].end = time ?? Entry.never
    }
    // If it began with the one before it, that may have ended otherwise.
    entries[start].isLikeBefore = false
  }
}

// What those do who write wakes.
extension WakeHistory {
  /// Appends a wake that another scheduler has told of, after those with lower numbers.
  package mutating func append(_ wake: borrowing Wake) {
    let entry = Entry(
      time: wake.time.nanoseconds, saves: wake.saves,
      oldest: wake.oldest?.nanoseconds ?? Entry.never,
      end: wake.end?.nanoseconds ?? Entry.never, app: wake.app, hasRefresh: wake.refresh,
      outcome: wake.outcome)
    begin(entry, types: wake.types, push: wake.push)
  }

  /// Appends wakes of others.
  package mutating func append(_ places: Range<Int>, of others: WakeHistory) {
    let start = entries.count
    entries.append(contentsOf: others.entries[places])
    moveTexts(of: start..<entries.count, others.types, others.pushes)
  }

  /// How many of the first wakes have ended before a time and may be removed; 0 if more would stay than be removed, as those
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

  /// Removes the first wakes, which have ended.
  ///
  /// - Parameter few: If none stay, memory for more than so many is given back.
  /// - Complexity: O(those that stay).
  package mutating func removeFirst(_ count: Int, keepingUpTo few: Int) {
    first += count
    endedCount = max(0, endedCount - count)
    guard count < entries.count else { return removeAll(keepingUpTo: few) }
    entries.removeFirst(count)
    let (types, pushes) = (types, pushes)
    self.types.removeAll(keepingCapacity: true)
    self.pushes.removeAll(keepingCapacity: true)
    moveTexts(of: entries.indices, types, pushes)
  }

  private mutating func removeAll(keepingUpTo few: Int) {
    entries.removeAll(keepingCapacity: entries.capacity <= few)
    types.removeAll(keepingCapacity: types.capacity <= few)
    pushes.removeAll(keepingCapacity: pushes.capacity <= few)
  }

  /// Moves types and pushes of wakes from where they were to the ends of ``types`` and ``pushes``.
  private mutating func moveTexts(
    of places: Range<Int>, _ types: [SampleType], _ pushes: [String]
  ) {
    if let first = places.first { entries[first].isLikeBefore = false }
    guard !types.isEmpty || !pushes.isEmpty else { return }
    var moved: UInt32 = 0
    for place in places {
      let entry = entries[place]
      if entry.typeCount > 1 {
        // Those of a cohort share their types.
        if !entry.isLikeBefore {
          moved = UInt32(self.types.count)
          self.types += types[Int(entry.firstType)..<Int(entry.firstType + entry.typeCount)]
        }
        entries[place].firstType = moved
      }
      if entry.push >= 0 {
        entries[place].push = Int32(self.pushes.count)
        self.pushes.append(pushes[Int(entry.push)])
      }
    }
  }
}
