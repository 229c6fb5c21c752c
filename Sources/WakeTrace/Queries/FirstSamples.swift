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

/// The first samples of all that were taken, up to a limit.
struct FirstSamples {
  private struct Entry: Comparable {
    var rank: Int64
    var sample: SavedSample

    static func < (left: Entry, right: Entry) -> Bool {
      (left.rank, left.sample.position) < (right.rank, right.sample.position)
    }
  }

  private let order: SampleQuery.Order
  private let limit: Int
  /// The first ones, sorted, and behind them candidates; fewer than twice the limit.
  private var entries: [Entry] = []
  /// The last of the first ones, if there are as many as the limit.
  private var last: Entry?

  /// Holds `limit` samples, at least 1, or all if it is nil.
  init(order: SampleQuery.Order, limit: Int?) {
    self.order = order
    self.limit = limit ?? .max
  }

  /// Whether a later block may hold a sample that would be kept.
  mutating func mayTakeOne(of header: BlockHeader) -> Bool {
    if entries.count > limit || entries.count == limit && last == nil { cut() }
    guard let last, let least = order.leastRank(in: header) else { return true }
    return least < last.rank
  }

  /// Takes a sample that is later in the trace than all taken so far.
  ///
  /// - Complexity: O(log limit), amortised, if it is kept, else O(1).
  mutating func take(_ sample: SavedSample) {
    let entry = Entry(rank: order.rank(sample), sample: sample)
    if let last, entry > last { return }
    entries.append(entry)
    if entries.count / 2 >= limit { cut() }
  }

  /// The samples held, in order.
  consuming func sorted() -> [SavedSample] {
    cut()
    return entries.map(\.sample)
  }

  private mutating func cut() {
    entries.sort()
    if entries.count > limit { entries.removeLast(entries.count - limit) }
    if entries.count == limit { last = entries.last }
  }
}
