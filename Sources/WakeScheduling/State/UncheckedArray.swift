/// A growable array with one owner, whose places are checked in debug builds only.
///
/// A Swift array checks uniqueness at each change and the bounds at each access; a scheduler does little else for an
/// event. Here the owner is the scheduler, and the places are its own numbers, which
/// `SchedulerCore.brokenInvariant()` checks in the tests. Numbers that come from a caller are checked where they come in
/// (``SchedulerCore/number(of:)``, ``SchedulerCore/reserveTypes(_:)``).
///
/// The first `count` of `capacity` elements from `base` on are initialized.
@safe
struct UncheckedArray<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  /// Makes an empty array.
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
      assert(place >= 0 && place < count, "index \(place) of \(count)")
      return unsafe UnsafePointer(base + place)
    }
    unsafeMutableAddress {
      assert(place >= 0 && place < count, "index \(place) of \(count)")
      return unsafe base + place
    }
  }

  /// The address of an element, valid until the next one is appended.
  @inline(__always)
  func address(of place: Int) -> UnsafePointer<Element> {
    assert(place >= 0 && place < count, "index \(place) of \(count)")
    return unsafe UnsafePointer(base + place)
  }

  /// The elements, valid until the next one is appended.
  var unsafeValues: UnsafeMutableBufferPointer<Element> {
    unsafe UnsafeMutableBufferPointer(start: base, count: count)
  }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1), amortised.
  mutating func append(_ value: consuming Element) {
    if count == capacity { reserve(count + 1) }
    unsafe (base + count).initialize(to: value)
    count += 1
  }

  /// Appends copies of an element until there are `count`.
  mutating func fill(to count: Int, with value: Element) {
    guard count > self.count else { return }
    reserve(count)
    unsafe (base + self.count).initialize(repeating: value, count: count - self.count)
    self.count = count
  }

  /// Removes the last element and returns it.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return unsafe (base + count).move()
  }

  /// Removes all elements and keeps the memory.
  mutating func removeAll() {
    unsafe base.deinitialize(count: count)
    count = 0
  }

  /// Becomes a copy of another array, in its own memory if that is large enough.
  ///
  /// - Complexity: O(elements of both).
  mutating func copy(_ other: borrowing UncheckedArray<Element>) {
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
