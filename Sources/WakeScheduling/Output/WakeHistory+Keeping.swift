import CKernels
import WakeEvents

// What the scheduler does with the wakes that it keeps.
extension WakeHistory {
  /// Appends a wake that begins with types alone. Its fields are passed one by one for speed alone: a struct would be written
  /// and read back at once, in pieces of other sizes, for which a processor waits.
  ///
  /// - Parameters:
  ///   - typeCount: How many types. If there are several, each must be added (``addType(_:)``).
  ///   - firstType: The index of the type, if it is one.
  ///   - end: When its answer comes, if that is counted ahead; else ``Entry/never``.
  @inline(__always)
  mutating func begin(
    _ number: Int, at time: Int64, of app: App, typeCount: Int, firstType: UInt32? = nil,
    saves: Int, oldest: Int64, answeredAt end: Int64
  ) {
    count &+= 1
    entries.append(
      Entry(
        time: time, saves: saves, oldest: oldest, end: end, number: number, app: app,
        typeCount: UInt32(truncatingIfNeeded: typeCount),
        firstType: firstType ?? UInt32(truncatingIfNeeded: types.count), hasRefresh: false,
        outcome: end == Entry.never ? nil : .completed,
        isPlain: typeCount == 1 && end != Entry.never))
    prefetch()
  }

  /// Adds a type to the entry that was appended last, which has several.
  @inline(__always)
  mutating func addType(_ type: SampleType) {
    types.append(type)
    otherBytes &+= MemoryLayout<SampleType>.stride
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

  /// Sorts the types of the entry that was appended last, of several types, by their names.
  mutating func sortLastTypes(
    _ order: inout TypeOrder, _ symbols: SymbolTable<NameOf.SampleType>
  ) {
    // The types of the last entry are the last ones.
    let first = Int(entries[entries.count - 1].firstType)
    precondition(first < types.count, "type \(first) of \(types.count)")
    var listed = unsafe MutableSpan(
      _unsafeElements: UnsafeMutableBufferPointer(rebasing: types.unsafeValues[first...]))
    order.sort(&listed, symbols)
  }

  /// Notes how wakes with successive numbers ended: those of a cohort, or a single one.
  ///
  /// - Parameter time: Nil if they are open at the end.
  /// - Complexity: O(log entries), where there are cohorts, and O(1) where there are none; O(cohort) where one of its wakes is
  ///   the first to end apart from the others, or the first after others were taken (``takeFirst(_:into:)``).
  mutating func end(_ number: Int, count: Int, _ outcome: WakeOutcome, at time: Int64?) {
    let end = End(outcome: outcome, time: time ?? Entry.never)
    let place = place(of: number)
    // Mostly a wake is an entry.
    guard count == 1, entries[place].count == 1, entries[place].number == number,
      entries[place].extra < 0
    else { return endSeveral(number..<number + count, from: place, end) }
    entries[place].outcome = outcome
    entries[place].end = end.time
    entries[place].updateIsPlain()
  }

  /// Notes how wakes ended, given by their numbers, of which the first is in the entry at a place.
  @inline(never)
  private mutating func endSeveral(_ wakes: Range<Int>, from firstPlace: Int, _ end: End) {
    var place = firstPlace
    var numbers = wakes
    while let next = numbers.first {
      precondition(place < entries.count, "wake \(next) is not kept")
      let first = next - entries[place].number
      precondition(first < entries[place].count, "wake \(next) is not kept")
      let ended = min(numbers.count, Int(entries[place].count) - first)
      if ended == entries[place].count, !haveEndedApart(entries[place]) {
        entries[place].outcome = end.outcome
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
