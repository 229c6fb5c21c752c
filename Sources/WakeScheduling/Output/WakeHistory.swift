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

  /// Calls `relief`, if there are many.
  @inline(__always)
  mutating func makeRoom(at present: Int64) {
    if entries.count >= reliefCount { relieve(at: present) }
    if !entries.hasRoom { grow() }
  }

  /// Makes room for four times as many entries, if they are not few. Twice as many, as an array has, would copy them, and touch
  /// new pages, twice as often.
  @inline(never)
  private mutating func grow() {
    guard entries.count >= Self.few else { return }
    entries.reserve(min(4 * entries.count, max(most, 2 * entries.count)))
  }

  /// Up to so many entries room for twice as many is made: a fleet has many histories.
  private static var few: Int { 32 }

  @inline(never)
  private mutating func relieve(at present: Int64) {
    relief?(&self, present)
    reliefCount = max(most, 2 * entries.count)
  }

  /// Whether a wake can be appended without ``makeRoom(at:)`` and without more memory.
  @inline(__always)
  var hasRoom: Bool { entries.count < reliefCount && entries.hasRoom }

  /// The places of entries, from 0 on.
  package var places: Range<Int> { entries.indices }

  /// The memory of the wakes, in bytes.
  package var usedBytes: Int { entries.count * MemoryLayout<Entry>.stride + otherBytes }

  /// The memory of the wakes and of the room behind them, in bytes.
  package var allBytes: Int {
    entries.capacity * MemoryLayout<Entry>.stride + otherBytes
      + (types.capacity - types.count) * MemoryLayout<SampleType>.stride
  }

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
