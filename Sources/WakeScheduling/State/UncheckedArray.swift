import CKernels

/// A growable array with one owner, whose places are checked in debug builds only.
///
/// A Swift array checks uniqueness at each change and the bounds at each access; a scheduler does little else for an
/// event. Here the owner is the scheduler or the history of its wakes (``WakeHistory``), and the places are its own numbers,
/// which `SchedulerCore.brokenInvariant()` checks in the tests. Numbers that come from a caller are checked where they come in
/// (``SchedulerCore/number(of:)``, ``SchedulerCore/reserveTypes(_:)``).
///
/// The first `count` elements from `base` on are initialized. `capacity` is the room of its own memory: 0 in a new array, and
/// in one that borrows the elements of another (``borrow(_:)``). A copy takes only the room that it needs, as there is one
/// for each device of a fleet.
@safe
struct UncheckedArray<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  @Narrow private(set) var count = 0
  @Narrow private(set) var capacity = 0

  /// Makes an empty array.
  init() { unsafe base = Self.nowhere }

  deinit {
    guard capacity > 0 else { return }
    unsafe base.deinitialize(count: count)
    unsafe base.deallocate()
  }

  /// Where arrays without memory are.
  private static var nowhere: UnsafeMutablePointer<Element> {
    // An address that is not null and is aligned.
    guard
      let address = unsafe UnsafeMutablePointer<Element>(
        bitPattern: MemoryLayout<Element>.alignment)
    else { preconditionFailure("an alignment is not 0") }
    return unsafe address
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

  /// Asks the processor to fetch the first elements.
  func prefetch() {
    unsafe kernels_prefetch(base, min(count * MemoryLayout<Element>.stride, Self.mostPrefetched))
  }

  private static var mostPrefetched: Int { 1_024 }

  /// The elements, valid until the next one is appended.
  var unsafeValues: UnsafeMutableBufferPointer<Element> {
    unsafe UnsafeMutableBufferPointer(start: base, count: count)
  }

  /// Whether an element can be added without more memory.
  @inline(__always)
  var hasRoom: Bool { count < capacity }

  /// Adds an element at the end.
  ///
  /// - Complexity: O(1), amortised.
  @inline(__always)
  mutating func append(_ value: consuming Element) {
    if count == capacity { grow(to: count + 1) }
    unsafe (base + count).initialize(to: value)
    count += 1
  }

  /// Appends copies of some elements of another array.
  mutating func append(_ places: Range<Int>, of other: borrowing UncheckedArray<Element>) {
    assert(
      places.lowerBound >= 0 && places.upperBound <= other.count, "\(places) of \(other.count)")
    if count + places.count > capacity { grow(to: count + places.count) }
    unsafe (base + count).initialize(from: other.base + places.lowerBound, count: places.count)
    count += places.count
  }

  /// Appends copies of an element until there are `count`.
  mutating func fill(to count: Int, with value: Element) {
    guard count > self.count else { return }
    if count > capacity { grow(to: count) }
    unsafe (base + self.count).initialize(repeating: value, count: count - self.count)
    self.count = count
  }

  /// Removes the last element and returns it.
  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    return unsafe (base + count).move()
  }

  /// Removes the first elements.
  ///
  /// - Complexity: O(elements).
  mutating func removeFirst(_ removed: Int) {
    assert(removed >= 0 && removed <= count, "\(removed) of \(count)")
    unsafe base.deinitialize(count: removed)
    unsafe base.moveInitialize(from: base + removed, count: count - removed)
    count -= removed
  }

  /// Removes the last elements.
  mutating func removeLast(_ removed: Int) {
    assert(removed >= 0 && removed <= count, "\(removed) of \(count)")
    count -= removed
    unsafe (base + count).deinitialize(count: removed)
  }

  /// Removes all elements, and gives memory for more than so many back.
  mutating func removeAll(keepingUpTo few: Int) {
    if capacity > few { self = UncheckedArray() } else { removeAll() }
  }

  /// Removes all elements and keeps the memory.
  mutating func removeAll() {
    unsafe base.deinitialize(count: count)
    count = 0
  }

  /// Moves the elements out; none are left.
  mutating func take() -> UncheckedArray<Element> {
    var taken = UncheckedArray<Element>()
    swap(&taken, &self)
    return taken
  }

  /// Becomes a copy of another array, in its own memory if that is large enough.
  ///
  /// - Complexity: O(elements of both).
  mutating func copy(_ other: borrowing UncheckedArray<Element>) {
    dropBorrowed()
    removeAll()
    reserve(other.count)
    unsafe base.initialize(from: other.base, count: other.count)
    count = other.count
  }

  /// Makes an element a copy of the one at the same place of another array.
  @inline(__always)
  mutating func copyElement(at place: Int, of other: borrowing UncheckedArray<Element>) {
    assert(place >= 0 && place < min(count, other.count), "index \(place)")
    unsafe (base + place).update(from: other.base + place, count: 1)
  }

  /// Becomes a view of another array, which must not change or end before ``own()`` or ``copy(_:)``. Nothing may be
  /// changed through it.
  mutating func borrow(_ other: borrowing UncheckedArray<Element>) {
    if capacity > 0 {
      removeAll()
      unsafe base.deallocate()
    }
    unsafe base = other.base
    (count, capacity) = (other.count, 0)
  }

  /// Becomes a copy of the array that it borrows, if it does.
  mutating func own() {
    guard capacity == 0, count > 0 else { return }
    let owned = UnsafeMutablePointer<Element>.allocate(capacity: count)
    unsafe owned.initialize(from: base, count: count)
    unsafe base = owned
    capacity = count
  }

  private mutating func dropBorrowed() {
    if capacity == 0 { count = 0 }
  }

  /// Makes room for so many elements, and for twice as many as before.
  @inline(never)
  private mutating func grow(to count: Int) {
    reserve(max(count, min(2 * capacity, Int(Int32.max))))
  }

  /// Makes room for so many elements. It must own those that it has (``own()``).
  mutating func reserve(_ room: Int) {
    guard room > capacity else { return }
    precondition(room <= Int32.max, "an array of \(room) elements")
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: room)
    unsafe larger.moveInitialize(from: base, count: count)
    if capacity > 0 { unsafe base.deallocate() }
    unsafe base = larger
    capacity = room
  }

  /// Writes to each page of the room behind the elements, for which the system then provides memory. No element is there, so
  /// that any bytes may be.
  mutating func touchRoom() {
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: base + count, count: (capacity - count) * MemoryLayout<Element>.stride)
    for byte in stride(from: 0, to: room.count, by: Self.pageBytes) {
      unsafe room.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self)
    }
  }

  /// The size of the smallest pages.
  private static var pageBytes: Int { 4_096 }
}
