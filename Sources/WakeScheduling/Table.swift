/// A growing row of values of one kind, in memory of its own that nobody shares.
///
/// An array asks at each change whether it is shared, and at each access whether the place is there; a
/// scheduler does little else at an event. Here the owner is known and the places are the scheduler's own
/// numbers, which ``Scheduler/brokenInvariant()`` holds against each other; they are checked in debug
/// builds.
///
/// The first `count` of the `capacity` values from `base` on are there, the others are not.
@safe
struct Table<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  /// Makes an empty table with room for some values.
  init(capacity: Int = 4) {
    unsafe base = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  var indices: Range<Int> { 0..<count }

  @inline(__always)
  subscript(place: Int) -> Element {
    unsafeAddress {
      assert(place >= 0 && place < count, "no place \(place) among \(count)")
      return unsafe UnsafePointer(base + place)
    }
    unsafeMutableAddress {
      assert(place >= 0 && place < count, "no place \(place) among \(count)")
      return unsafe base + place
    }
  }

  /// Where a value stands: until the next one is appended.
  @inline(__always)
  func address(of place: Int) -> UnsafePointer<Element> {
    assert(place >= 0 && place < count, "no place \(place) among \(count)")
    return unsafe UnsafePointer(base + place)
  }

  /// The values, for a loop that keeps them at hand: gone with the next one that is appended.
  var unsafeValues: UnsafeMutableBufferPointer<Element> {
    unsafe UnsafeMutableBufferPointer(start: base, count: count)
  }

  /// Adds a value behind the last.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(_ value: consuming Element) {
    if count == capacity { reserve(count + 1) }
    unsafe (base + count).initialize(to: value)
    count += 1
  }

  /// Adds values, all the same, until there are `count`.
  mutating func fill(to count: Int, with value: Element) {
    guard count > self.count else { return }
    reserve(count)
    unsafe (base + self.count).initialize(repeating: value, count: count - self.count)
    self.count = count
  }

  /// Drops the last value and returns it.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return unsafe (base + count).move()
  }

  /// Drops all values and keeps the memory.
  mutating func removeAll() {
    unsafe base.deinitialize(count: count)
    count = 0
  }

  /// Becomes a copy of another table, in the memory that it has if that is enough.
  ///
  /// - Complexity: O(values of both).
  mutating func copy(_ other: borrowing Table<Element>) {
    removeAll()
    reserve(other.count)
    unsafe base.initialize(from: other.base, count: other.count)
    count = other.count
  }

  private mutating func reserve(_ room: Int) {
    guard room > capacity else { return }
    let room = max(room, 2 * capacity)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
    unsafe larger.moveInitialize(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = larger
    capacity = room
  }
}
