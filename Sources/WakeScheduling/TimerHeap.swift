/// What is due and when: one timer and at most one modelled completion for each app.
///
/// An indexed binary heap in the order of SPEC 4.2: due time, then timers before modelled
/// completions, then app number. Setting, moving and removing an entry cost O(log apps).
struct TimerHeap {
  /// The two things that may be due for an app.
  enum Purpose: Int32 {
    case timer = 0
    case modelledCompletion = 1
  }

  private struct Entry {
    var due: Int64
    var slot: Int32

    /// Purpose first, app second; a slot is `app << 1 | purpose`.
    var rank: Int64 { Int64(slot & 1) << 32 | Int64(slot >> 1) }

    static func < (left: Entry, right: Entry) -> Bool {
      left.due != right.due ? left.due < right.due : left.rank < right.rank
    }
  }

  private var heap: [Entry] = []
  /// The place of each slot in the heap, or -1.
  private var places: [Int32] = []

  /// The earliest due time, or the far end of time.
  private(set) var nextDue = Int64.max

  /// Makes room for one more app.
  mutating func appendApp() {
    places.append(-1)
    places.append(-1)
    heap.reserveCapacity(places.count)
  }

  /// What is due first.
  var first: (due: Int64, app: Int, purpose: Purpose)? {
    guard let entry = heap.first else { return nil }
    return (entry.due, Int(entry.slot >> 1), entry.slot & 1 == 0 ? .timer : .modelledCompletion)
  }

  /// Sets when an app's entry is due, or removes it (`Int64.max`).
  ///
  /// - Complexity: O(log *a*) in the number of apps.
  mutating func set(_ purpose: Purpose, app: Int, due: Int64) {
    let slot = Int32(app) << 1 | purpose.rawValue
    let place = Int(places[Int(slot)])
    if due == .max {
      if place >= 0 { remove(at: place) }
    } else if place < 0 {
      heap.append(Entry(due: due, slot: slot))
      moveUp(from: heap.count - 1)
    } else if heap[place].due != due {
      let isEarlier = due < heap[place].due
      heap[place].due = due
      if isEarlier { moveUp(from: place) } else { moveDown(from: place) }
    }
    nextDue = heap.first?.due ?? .max
  }

  private mutating func remove(at place: Int) {
    places[Int(heap[place].slot)] = -1
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[Int(last.slot)] = Int32(place)
    moveUp(from: place)
    moveDown(from: Int(places[Int(last.slot)]))
  }

  private mutating func moveUp(from start: Int) {
    var place = start
    let entry = heap[place]
    while place > 0 {
      let parent = (place - 1) / 2
      guard entry < heap[parent] else { break }
      heap[place] = heap[parent]
      places[Int(heap[place].slot)] = Int32(place)
      place = parent
    }
    heap[place] = entry
    places[Int(entry.slot)] = Int32(place)
  }

  private mutating func moveDown(from start: Int) {
    var place = start
    let entry = heap[place]
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < entry else { break }
      heap[place] = heap[child]
      places[Int(heap[place].slot)] = Int32(place)
      place = child
    }
    heap[place] = entry
    places[Int(entry.slot)] = Int32(place)
  }
}
