/// Places ordered by the time of what happens next at each, ties by place: a binary heap whose first is
/// the only one that moves.
struct EarliestFirst {
  private struct Entry: Comparable {
    var time: Int64
    var place: Int

    static func < (left: Entry, right: Entry) -> Bool {
      left.time != right.time ? left.time < right.time : left.place < right.place
    }
  }

  /// No entry lies before its parent, which for the entry at *n* is at (*n* - 1) / 2.
  private var entries: [Entry]

  /// Orders the places of times; nothing happens where there is none.
  ///
  /// - Complexity: O(n log n).
  init(_ times: [Int64?]) {
    entries = []
    for (place, time) in times.enumerated() {
      if let time { entries.append(Entry(time: time, place: place)) }
    }
    // What is sorted is a heap.
    entries.sort()
  }

  /// The place at which something happens first; nil if nothing does.
  var first: Int? { entries.first?.place }

  /// Sets when the next thing happens at the first place, or that nothing does.
  ///
  /// - Complexity: O(log n).
  mutating func moveFirst(to time: Int64?) {
    let moving: Entry
    if let time {
      moving = Entry(time: time, place: entries[0].place)
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
