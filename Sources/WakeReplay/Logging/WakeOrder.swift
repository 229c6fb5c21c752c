import WakeScheduling

/// Puts a device's wakes, which are told of as they end, into the order in which they began. A wake that ends before one with a
/// lower number waits here until that one has ended.
struct WakeOrder<Waiting> {
  /// The number of the next wake.
  private var next = 1
  /// The wakes that wait, by their numbers less ``first``; nil where one has not ended, or is in order.
  private(set) var waiting: [Waiting?] = []
  /// The number of the wake whose place in ``waiting`` is 0.
  private var first = 1
  /// How many wait.
  private var count = 0

  /// Whether a wake that has ended is the next one. If so, it is in order from now on, and ``popNext()`` has those that waited
  /// for it. If not, it must wait: ``hold(_:number:)``.
  @inline(__always)
  mutating func admits(_ number: Int) -> Bool {
    guard number == next else { return false }
    next += 1
    return true
  }

  /// Keeps a wake until those with lower numbers have ended.
  mutating func hold(_ wake: Waiting, number: Int) {
    precondition(number > next, "wake \(number) has ended twice")
    if count == 0 { first = next }
    let place = number - first
    if place >= waiting.count {
      waiting.append(contentsOf: repeatElement(nil, count: place + 1 - waiting.count))
    }
    waiting[place] = wake
    count += 1
  }

  /// The next wake, if it waits; it is in order from now on.
  @inline(__always)
  mutating func popNext() -> Waiting? {
    // Most wakes end in order.
    count > 0 ? popWaiting() : nil
  }

  private mutating func popWaiting() -> Waiting? {
    let place = next - first
    guard place < waiting.count, let wake = waiting[place] else {
      dropPlaces(place)
      return nil
    }
    waiting[place] = nil
    next += 1
    count -= 1
    if count == 0 { waiting.removeAll(keepingCapacity: waiting.capacity <= 2 * Self.fewPlaces) }
    return wake
  }

  /// Fewer places than this stay, since dropping them gains little. Memory for more than twice as many is given back once no
  /// wake waits, as there may be many devices.
  private static var fewPlaces: Int { 64 }

  /// Drops the first places, whose wakes are in order, if they are as many as the others.
  private mutating func dropPlaces(_ passed: Int) {
    guard passed > Self.fewPlaces, passed >= waiting.count - passed else { return }
    waiting.removeFirst(passed)
    first = next
  }
}

extension WakeOrder<Wake> {
  /// Calls `body` with a wake that has ended and those that waited for it, or keeps it until all with lower numbers have
  /// ended.
  mutating func add(_ wake: borrowing Wake, _ body: (borrowing Wake) -> Void) {
    guard admits(wake.number) else { return hold(copy wake, number: wake.number) }
    body(wake)
    while let waiting = popNext() { body(waiting) }
  }
}
