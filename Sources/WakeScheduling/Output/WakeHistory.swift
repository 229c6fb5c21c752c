import CKernels
package import WakeEvents

/// The wakes of a device in the order in which they began, as a wake log tells of them (rules, 7). A wake is there from its
/// beginning on, with its end as soon as that is known, until it is removed.
///
/// What a wake log needs of many wakes is in few arrays. The wakes of a cohort (``Accelerations/cohorts``) begin as one, and
/// are one entry. The arrays are not checked for one owner at each change, which was a fifth of the instructions of keeping a
/// wake (151 to 118 on fitbit immediate); what comes from outside this module is checked here.
package struct WakeHistory: ~Copyable {
  /// Wakes that began at once and carried the same: one, or those of a cohort, whose apps have successive symbols. Plain
  /// numbers, so that Swift counts no references.
  package struct Entry {
    /// When the apps were woken, in nanoseconds.
    package let time: Int64
    /// Pending saves and deletes carried, by each.
    package let saves: Int
    /// When the first of them happened; ``never`` if there are none.
    package let oldest: Int64
    /// When the wakes ended, or will if nothing ends them before; ``never`` if they have not. Where they ended apart
    /// (``WakeHistory/wake(_:of:)``), a time that is not before any of their ends.
    package internal(set) var end: Int64
    /// The number of the first wake.
    var number: Int
    /// The first app.
    package internal(set) var app: App
    /// How many wakes it stands for: at least one.
    package internal(set) var count: UInt32 = 1
    /// The number of types carried.
    package internal(set) var typeCount: UInt32 = 0
    /// The index of the type carried, where it is one; else the place of the first in ``WakeHistory/types``.
    package internal(set) var firstType: UInt32 = 0
    /// The place in ``WakeHistory/extras`` of what few wakes have; negative if there is nothing.
    var extra: Int32 = -1
    /// Whether the wakes carried a refresh.
    package let hasRefresh: Bool
    /// How the wakes ended, or will if nothing ends them before; nil if one of them has not. Where they ended apart, how one
    /// of them did.
    package internal(set) var outcome: WakeOutcome?
    /// Whether it is one wake that carried one type and nothing else, and was answered or expired, as most are.
    package internal(set) var isPlain = false

    /// No point in time.
    package static var never: Int64 { .min }

    mutating func updateIsPlain() {
      isPlain =
        count == 1 && typeCount == 1 && extra < 0 && !hasRefresh
        && (outcome == .completed || outcome == .expired) && oldest != Self.never
        && end != Self.never
    }
  }

  /// What few wakes have.
  struct Extra {
    /// The id of the push carried.
    var push: String?
    /// How each of the wakes of an entry ended, if one did apart from the others; else empty.
    var ends: [End] = []
    /// How many of ``ends`` are not known yet.
    var open = 0

    /// The memory that it takes.
    var bytes: Int {
      MemoryLayout<Self>.stride + (push?.utf8.count ?? 0)
        + ends.count * MemoryLayout<End>.stride
    }
  }

  /// How one of the wakes of an entry ended, and when; nil and ``Entry/never`` if it has not.
  struct End {
    var outcome: WakeOutcome?
    var time: Int64
  }

  var entries = UncheckedArray<Entry>()
  /// How many wakes there are.
  package internal(set) var count = 0
  /// Types of wakes that carried more than one.
  var types = UncheckedArray<SampleType>()
  var extras = UncheckedArray<Extra>()
  /// The memory that ``types`` and ``extras`` take.
  var otherBytes = 0
  /// How many of the first entries are known to have ended.
  var endedCount = 0
  private let most: Int
  /// With so many entries `relief` is called: at least ``most``, and twice as many as it left.
  private var reliefCount: Int
  private let relief: ((inout WakeHistory, _ present: Int64) -> Void)?

  /// - Parameters:
  ///   - most: How many entries there must be for `relief` to be called.
  ///   - relief: Called amid a call of the scheduler before a wake begins while there are `most` entries or more, and twice as
  ///     many as it left last, to remove those that have ended. After one input there may be a million.
  package init(
    most: Int = .max, relief: ((inout WakeHistory, _ present: Int64) -> Void)? = nil
  ) {
    (self.most, reliefCount) = (most, most)
    self.relief = relief
  }

  /// Starts with the wakes of another device.
  ///
  /// - Parameter few: Memory for more than so many is given back.
  package mutating func restart(keepingUpTo few: Int) {
    removeAll(keepingUpTo: few)
    (endedCount, reliefCount) = (0, most)
  }

  /// The places of entries, from 0 on.
  package var places: Range<Int> { entries.indices }

  /// The memory of the wakes, in bytes.
  package var usedBytes: Int { entries.count * MemoryLayout<Entry>.stride + otherBytes }

  /// The memory of the wakes and of the room behind them, in bytes.
  package var allBytes: Int { entries.capacity * MemoryLayout<Entry>.stride + otherBytes }

  /// Calls `body` with all entries.
  package func withEntries<R>(_ body: (Span<Entry>) -> R) -> R {
    unsafe body(Span(_unsafeElements: UnsafeBufferPointer(entries.unsafeValues)))
  }

  /// The id of the push that a wake carried.
  package func push(of entry: Entry) -> String? {
    entry.extra < 0 ? nil : extras[place(ofExtraOf: entry)].push
  }

  /// One of the types of a wake that carried several.
  package func type(_ place: Int, of entry: Entry) -> SampleType {
    let type = Int(entry.firstType) + place
    precondition(
      place >= 0 && place < entry.typeCount && type < types.count,
      "type \(place) of \(entry.typeCount)")
    return types[type]
  }

  /// Whether the wakes of an entry differ in more than their apps: they did not end together.
  package func haveEndedApart(_ entry: Entry) -> Bool {
    entry.extra >= 0 && !extras[place(ofExtraOf: entry)].ends.isEmpty
  }

  /// Where there is what few wakes have, of an entry that has it. Checked, as the entry may be another history's.
  private func place(ofExtraOf entry: Entry) -> Int {
    let place = Int(entry.extra)
    precondition(place >= 0 && place < extras.count, "\(place) of \(extras.count)")
    return place
  }

  /// One of the wakes of an entry, alone.
  package func wake(_ place: Int, of entry: Entry) -> Entry {
    precondition(place >= 0 && place < entry.count, "wake \(place) of \(entry.count)")
    var wake = entry
    wake.number += place
    wake.app = App(index: entry.app.index + UInt32(place))
    wake.count = 1
    if haveEndedApart(entry) {
      let end = extras[self.place(ofExtraOf: entry)].ends[place]
      (wake.outcome, wake.end) = (end.outcome, end.time)
    }
    wake.updateIsPlain()
    return wake
  }
}

// What the scheduler does.
extension WakeHistory {
  /// Calls `relief`, if there are many.
  @inline(__always)
  mutating func makeRoom(at present: Int64) {
    if entries.count >= reliefCount { relieve(at: present) }
  }

  @inline(never)
  private mutating func relieve(at present: Int64) {
    relief?(&self, present)
    reliefCount = max(most, 2 * entries.count)
  }

  /// Whether a wake can be appended without ``makeRoom(at:)`` and without more memory.
  @inline(__always)
  var hasRoom: Bool { entries.count < reliefCount && entries.hasRoom }

  /// Appends a wake that begins with a type alone, and whose answer is counted ahead. Its fields are passed one by one for speed
  /// alone: a struct would be written and read back at once, in pieces of other sizes, for which a processor waits.
  @inline(__always)
  mutating func begin(
    _ number: Int, at time: Int64, of app: App, type: SampleType, saves: Int, oldest: Int64,
    answeredAt end: Int64
  ) {
    count &+= 1
    entries.append(
      Entry(
        time: time, saves: saves, oldest: oldest, end: end, number: number, app: app,
        typeCount: 1, firstType: type.index, hasRefresh: false, outcome: .completed,
        isPlain: true))
    prefetch()
  }

  /// Asks the processor for the cache line of a wake that comes soon. Where the memory came from a thread that writes lines
  /// (``takeFirst(_:into:)``), that thread's processor has the line too, and a store would wait until it is invalidated there:
  /// 30 of 150 ns a wake on fitbit immediate (AMD Zen 3; nothing on Zen 4).
  @inline(__always)
  private func prefetch() {
    // It may be behind the memory of the array: a prefetch reads nothing.
    let last = unsafe entries.address(of: entries.count &- 1)
    unsafe kernels_prefetch_to_write(last + Self.prefetched)
  }

  /// How many wakes ahead: about as many begin in the time that a line takes.
  private static let prefetched = 8

  /// Appends wakes of apps with successive symbols, which begin at once.
  ///
  /// - Parameters:
  ///   - push: The id of the push that each carries.
  ///   - nextType: The next of the types that each carries; nil at the end.
  @inline(__always)
  mutating func begin(_ entry: Entry, push: String?, nextType: () -> SampleType?) {
    var entry = entry
    if let type = nextType() {
      entry.typeCount = 1
      entry.firstType = type.index
      if let second = nextType() {
        entry.firstType = UInt32(types.count)
        types.append(type)
        var next: SampleType? = second
        while let type = next {
          types.append(type)
          entry.typeCount &+= 1
          next = nextType()
        }
        otherBytes &+= Int(entry.typeCount) &* MemoryLayout<SampleType>.stride
      }
    }
    if let push {
      entry.extra = Int32(extras.count)
      let extra = Extra(push: push)
      otherBytes &+= extra.bytes
      extras.append(extra)
    }
    entry.updateIsPlain()
    count &+= Int(entry.count)
    entries.append(entry)
    prefetch()
  }

  /// Notes how wakes with successive numbers ended: those of a cohort, or a single one.
  ///
  /// - Parameter time: Nil if they are open at the end.
  /// - Complexity: O(log entries), where there are cohorts, and O(1) where there are none; O(cohort) where one of its wakes is
  ///   the first to end apart from the others, or the first after others were taken (``takeFirst(_:into:)``).
  mutating func end(_ number: Int, count: Int, _ outcome: WakeOutcome, at time: Int64?) {
    let end = End(outcome: outcome, time: time ?? Entry.never)
    var place = place(of: number)
    var numbers = number..<number + count
    while let next = numbers.first {
      precondition(place < entries.count, "wake \(next) is not kept")
      let first = next - entries[place].number
      precondition(first < entries[place].count, "wake \(next) is not kept")
      let ended = min(numbers.count, Int(entries[place].count) - first)
      if ended == entries[place].count, !haveEndedApart(entries[place]) {
        entries[place].outcome = outcome
        entries[place].end = end.time
      } else {
        endApart(first..<first + ended, of: place, end)
      }
      entries[place].updateIsPlain()
      numbers = next + ended..<numbers.upperBound
      place += 1
    }
  }

  /// Where the wake with a number is, which is there.
  @inline(__always)
  private func place(of number: Int) -> Int {
    precondition(entries.count > 0 && number >= entries[0].number, "wake \(number) is not kept")
    // So it is where there are no cohorts.
    let guess = number - entries[0].number
    if guess < entries.count, entries[guess].number == number { return guess }
    return searchedPlace(of: number)
  }

  @inline(never)
  private func searchedPlace(of number: Int) -> Int {
    // Most wakes that end have begun last.
    var (low, high) = (0, entries.count - 1)
    if entries[high].number <= number { return high }
    while high - low > 1 {
      let middle = (low + high) / 2
      if entries[middle].number <= number { low = middle } else { high = middle }
    }
    return low
  }

  /// Notes how some of an entry's wakes ended.
  @inline(never)
  private mutating func endApart(_ wakes: Range<Int>, of place: Int, _ end: End) {
    if entries[place].extra < 0 {
      entries[place].extra = Int32(extras.count)
      let extra = Extra()
      otherBytes += extra.bytes
      extras.append(extra)
    }
    let extra = Int(entries[place].extra)
    if extras[extra].ends.isEmpty {
      let (outcome, count) = (entries[place].outcome, Int(entries[place].count))
      extras[extra].ends = Array(
        repeating: End(outcome: outcome, time: entries[place].end), count: count)
      otherBytes += count * MemoryLayout<End>.stride
      extras[extra].open = outcome == nil ? count : 0
    }
    for wake in wakes {
      if extras[extra].ends[wake].outcome == nil { extras[extra].open -= 1 }
      extras[extra].ends[wake] = end
    }
    entries[place].end = max(entries[place].end, end.time)
    entries[place].outcome = extras[extra].open == 0 ? end.outcome : nil
  }
}
