import WakeEvents

extension SampleQuery.Order {
  private var isDescending: Bool { self == .startDescending || self == .endDescending }

  fileprivate func rank(_ sample: SavedSample) -> Int64 {
    let isByEnd = self == .endAscending || self == .endDescending
    return rank((isByEnd ? sample.end : sample.start).nanoseconds)
  }

  /// The lowest rank that a sample of a block may have; nil if the header does not tell.
  fileprivate func leastRank(in header: BlockHeader) -> Int64? {
    // With details, samples may start and end at any time.
    guard !header.flags.contains(.hasDetails) else { return nil }
    return rank(isDescending ? header.latest : header.earliest)
  }

  /// The complement reverses the order; unlike negation it cannot overflow.
  private func rank(_ time: Int64) -> Int64 { isDescending ? ~time : time }
}

/// The first samples of all that were taken, up to a limit: a binary max-heap.
struct FirstSamples {
  private struct Entry {
    var rank: Int64
    var sample: SavedSample

    func comesBefore(_ other: Entry) -> Bool {
      rank != other.rank ? rank < other.rank : sample.position < other.sample.position
    }
  }

  private let order: SampleQuery.Order
  private let limit: Int?
  /// A heap once the limit is reached; before, in the order taken.
  private var entries: [Entry] = []

  /// Holds `limit` samples, at least 1, or all if it is nil.
  init(order: SampleQuery.Order, limit: Int?) {
    self.order = order
    self.limit = limit
  }

  private var isFull: Bool { entries.count == limit }

  /// Whether a later block may hold a sample that would be kept.
  func mayTakeOne(of header: BlockHeader) -> Bool {
    guard isFull, let least = order.leastRank(in: header) else { return true }
    return least < entries[0].rank
  }

  /// Takes a sample that is later in the trace than all taken so far.
  ///
  /// - Complexity: O(log limit) if it is kept, else O(1).
  mutating func take(_ sample: SavedSample) {
    let entry = Entry(rank: order.rank(sample), sample: sample)
    guard isFull else {
      entries.append(entry)
      if isFull {
        for place in (0..<entries.count / 2).reversed() { sink(from: place) }
      }
      return
    }
    guard entry.comesBefore(entries[0]) else { return }
    entries[0] = entry
    sink(from: 0)
  }

  /// The samples held, in order.
  consuming func sorted() -> [SavedSample] {
    entries.sort { $0.comesBefore($1) }
    return entries.map(\.sample)
  }

  /// Restores the heap below `place` (sift down).
  private mutating func sink(from place: Int) {
    var place = place
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { return }
      if child + 1 < entries.count, entries[child].comesBefore(entries[child + 1]) { child += 1 }
      guard entries[place].comesBefore(entries[child]) else { return }
      entries.swapAt(place, child)
      place = child
    }
  }
}
