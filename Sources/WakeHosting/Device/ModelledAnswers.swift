/// The answers that modelled apps are going to give (rule 6.4), the next one first.
struct ModelledAnswers {
  /// An answer to a wake of an app.
  struct Answer {
    var time: Int64
    /// The app's number on the device, by which answers at the same time are ordered (rule 4.2).
    var place: Int
    /// The app's number among all names.
    var app: Int
    /// The wake's number on the device.
    var wake: Int

    fileprivate func precedes(_ other: Answer) -> Bool {
      (time, place) < (other.time, other.place)
    }
  }

  /// A binary heap.
  private var heap: [Answer] = []

  /// The next answer, which may be to a wake that has ended.
  var first: Answer? { heap.first }

  /// - Complexity: O(log answers).
  mutating func add(_ answer: Answer) {
    var place = heap.count
    heap.append(answer)
    while place > 0, answer.precedes(heap[(place - 1) / 2]) {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = answer
  }

  /// - Complexity: O(log answers).
  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(last) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
  }

  mutating func removeAll() { heap.removeAll(keepingCapacity: true) }
}
