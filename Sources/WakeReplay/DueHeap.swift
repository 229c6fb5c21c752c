/// Places ordered by the time of their next event, ties by place: a binary heap in which only the first
/// entry changes.
struct DueHeap {
  private typealias Entry = (time: Int64, place: Int)

  /// The parent of entry *n* is entry (*n* − 1) / 2, and is not greater.
  private var entries: [Entry]

  /// Orders the places of times; a place without a time is left out.
  ///
  /// - Complexity: O(n log n).
  init(_ times: [Int64?]) {
    // A sorted array is a heap.
    entries = times.enumerated().compactMap { place, time in time.map { ($0, place) } }
      .sorted(by: <)
  }

  /// The place with the earliest time; nil if there is none.
  var first: Int? { entries.first?.place }

  /// Gives the first place a later time, or removes it if there is none.
  ///
  /// - Complexity: O(log n).
  mutating func moveFirst(to time: Int64?) {
    let moving: Entry
    if let time {
      moving = (time, entries[0].place)
    } else {
      moving = entries.removeLast()
      guard !entries.isEmpty else { return }
    }
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < moving else { break }
      entries[hole] = entries[child]
      hole = child
    }
    entries[hole] = moving
  }
}
