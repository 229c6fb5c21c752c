/// The lines of a device's wakes in the order in which the wakes began. A line is told of as its wake ends.
struct OrderedLines: ~Copyable {
  /// Lines in order.
  var bytes: [UInt8] = []
  /// The number of the next wake.
  private var next = 1
  /// Lines of wakes that ended before one with a lower number did, in the order in which they ended.
  private(set) var held: [UInt8] = []
  /// Where they are in ``held``, from wake ``firstPlace`` on; empty where a wake has not ended, or its line is in order.
  private var places: [Range<Int>] = []
  private var firstPlace = 1
  /// How many lines are held.
  private var heldCount = 0

  /// Starts with the lines of another device. There are none of the last one.
  mutating func restart() {
    next = 1
    dropHeld()
  }

  /// Adds the line of a wake that has ended, which `write` appends to an array. After it, lines that waited for it may be
  /// next: ``advance()``.
  @inline(__always)
  mutating func add(_ number: Int, _ write: (inout [UInt8]) -> Void) {
    if number == next {
      write(&bytes)
      next += 1
    } else {
      let start = held.count
      write(&held)
      hold(number, start..<held.count)
    }
  }

  private mutating func hold(_ number: Int, _ range: Range<Int>) {
    if heldCount == 0 { firstPlace = next }
    let place = number - firstPlace
    if place >= places.count {
      places.append(contentsOf: repeatElement(0..<0, count: place + 1 - places.count))
    }
    places[place] = range
    heldCount += 1
  }

  /// Moves the next line into order, if it is held.
  ///
  /// - Returns: Whether it was.
  @inline(__always)
  mutating func advance() -> Bool {
    heldCount > 0 && moveNext()
  }

  private mutating func moveNext() -> Bool {
    let place = next - firstPlace
    guard place < places.count, !places[place].isEmpty else {
      dropMoved()
      return false
    }
    bytes += held[places[place]]
    next += 1
    heldCount -= 1
    if heldCount == 0 { dropHeld() }
    return true
  }

  /// Forgets the lines that were held. Memory for a few is kept for others.
  private mutating func dropHeld() {
    let isKept = held.count < 1 << 20
    held.removeAll(keepingCapacity: isKept)
    places.removeAll(keepingCapacity: isKept)
    heldCount = 0
  }

  /// Drops the places of lines that are in order, and the lines, once they are as many as the others.
  private mutating func dropMoved() {
    let moved = next - firstPlace
    guard moved >= 1_024, moved >= places.count - moved else { return }
    var others: [UInt8] = []
    places.removeFirst(moved)
    for place in places.indices {
      let start = others.count
      others += held[places[place]]
      places[place] = start..<others.count
    }
    held = others
    firstPlace = next
  }
}
